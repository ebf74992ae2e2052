// Does memory level off, and do answers stay quick?
import type { Sample, Span } from './sample.ts';

/** What may be added between the quarters of a short run: a share, and an amount for the noise of the system. What is part of
 * another one is only told: where it is little, a share of it is noise. */
const allowed: Record<keyof Sample, { name: string; share: number; more: number; unit: string; isPart?: true }> = {
  rssMb: { name: 'resident memory', share: 0.2, more: 30, unit: ' MB' },
  heapMb: { name: 'heap after a collection', share: 0.2, more: 10, unit: ' MB' },
  outsideMb: { name: 'buffers outside the heap', share: 0.2, more: 10, unit: ' MB', isPart: true },
  handles: { name: 'handles', share: 0, more: 4, unit: '' },
};

/** Fewer samples, or less time, say nothing about growth. */
const enough = { samples: 24, minutes: 5 };
/** A slope needs longer. */
export const slopeMinutes = 40;
const mostSlope = 0.01;

export type Judgement = { lines: string[]; complaints: string[] };

/** Samples of a whole run: its beginning is for warming up, the first ten minutes of a long one. */
export function growth(who: string, all: readonly Sample[], minutes: number): Judgement {
  const isLong = minutes >= slopeMinutes;
  const samples = all.slice(Math.ceil(all.length * (isLong ? 10 / minutes : 0.1)));
  if (samples.length === 0) return { lines: [`${who}: no sample yet (too short to judge)`], complaints: [] };
  const quarter = Math.floor(samples.length / 4);
  const early = samples.slice(quarter, quarter + Math.max(1, quarter));
  const late = samples.slice(-Math.max(1, quarter));
  const judged = samples.length >= enough.samples && minutes >= enough.minutes;
  const lines: string[] = [];
  const complaints: string[] = [];
  for (const key of Object.keys(allowed) as (keyof Sample)[]) {
    const { name, share, more, unit, isPart } = allowed[key];
    const [before, after] = [median(early.map((one) => one[key])), median(late.map((one) => one[key]))];
    const told = `${name} of ${who}: ${before.toFixed(0)}${unit} in the second quarter, ${after.toFixed(0)}${unit} in the last`;
    const slope = slopeOf(samples.map((one) => one[key])) * (samples.length / Math.max(1, minutes - 10)) * 10;
    const line = isLong ? `${told}, ${(slope * 100).toFixed(2)} % in 10 minutes` : told;
    lines.push(judged ? line : `${line} (too short to judge)`);
    const grows = isLong ? slope > mostSlope && after > before : after > before * (1 + share) + more;
    if (judged && grows && !isPart) complaints.push(`${line}: it grows`);
  }
  return { lines, complaints };
}

/** Answers of a model that never fails: the slowest of a hundred against the usual one. All are judged; of those that were not
 * under way while the soak itself made the gateway collect its memory the same is told beside it. */
export function steadiness(all: readonly Span[], collections: readonly Span[], kills: number): Judgement {
  const met = (one: Span): boolean => collections.some(({ from, to }) => one.from <= to && one.to >= from);
  const untroubled = all.filter((one) => !met(one));
  const { words, ratio } = quickness(all);
  const line = `${all.length} answers through the gateway: ${words}; ${kills} gateways killed beside it`;
  const rule = `not under way while the soak made it collect its memory (${collections.length} times)`;
  const lines = [line, `${untroubled.length} of them ${rule}: ${quickness(untroubled).words}`];
  return { lines, complaints: all.length > 1000 && ratio > 3 ? [`${line}: more than 3 times`] : [] };
}

function quickness(answers: readonly Span[]): { words: string; ratio: number } {
  const ms = answers.map(({ from, to }) => to - from).toSorted((one, other) => one - other);
  const [usual, slow] = [median(ms), ms[Math.floor(ms.length * 0.99)] ?? Number.NaN];
  const ratio = slow / usual;
  const words = `half within ${usual.toFixed(0)} ms, 99 of 100 within ${slow.toFixed(0)} ms (${ratio.toFixed(1)} times)`;
  return { words, ratio };
}

/** Of the line through them, by sample, as a share of what they are on the whole. */
function slopeOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = (values.length - 1) / 2;
  let [above, below] = [0, 0];
  for (const [at, value] of values.entries()) {
    above += (at - middle) * (value - mean);
    below += (at - middle) ** 2;
  }
  return below === 0 || mean === 0 ? 0 : above / below / mean;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}
