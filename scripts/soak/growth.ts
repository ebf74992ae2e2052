// Does memory level off? The second quarter of the samples against the last one.
import type { Sample } from './player.ts';

/** What may be added between the quarters: a share, and an amount for the noise of the system. */
const allowed: Record<keyof Sample, { name: string; share: number; more: number; unit: string }> = {
  rssMb: { name: 'resident memory', share: 0.2, more: 30, unit: ' MB' },
  heapMb: { name: 'heap after a collection', share: 0.2, more: 10, unit: ' MB' },
  handles: { name: 'handles', share: 0, more: 4, unit: '' },
};

/** Fewer samples, or less time, say nothing about growth. */
const enough = { samples: 24, minutes: 5 };

export function growth(samples: readonly Sample[], minutes: number): { lines: string[]; complaints: string[] } {
  const quarter = Math.floor(samples.length / 4);
  const early = samples.slice(quarter, quarter * 2);
  const late = samples.slice(-Math.max(1, quarter));
  const judged = samples.length >= enough.samples && minutes >= enough.minutes;
  const lines: string[] = [];
  const complaints: string[] = [];
  for (const key of Object.keys(allowed) as (keyof Sample)[]) {
    const { name, share, more, unit } = allowed[key];
    const [before, after] = [median(early.map((one) => one[key])), median(late.map((one) => one[key]))];
    const line = `${name}: ${before.toFixed(0)}${unit} in the second quarter, ${after.toFixed(0)}${unit} in the last`;
    lines.push(judged ? line : `${line} (too short to judge)`);
    if (judged && after > before * (1 + share) + more) complaints.push(`${line}: it grows`);
  }
  return { lines, complaints };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}
