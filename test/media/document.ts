// What the tests of document readers share: running one, and damaging bytes by a seed.
import type { DocumentReader, Extract, ReaderOptions } from '../../src/media/document/reader.ts';
import { withLimits } from '../../src/media/limits.ts';
import { cpuMs } from '../cpu.ts';

export type Wish = Partial<Omit<ReaderOptions, 'limits'>> & { limits?: Parameters<typeof withLimits>[0] };

/** The whole value, or a thrown refusal. */
export async function extracted(reader: DocumentReader, input: Uint8Array | string, wish: Wish = {}): Promise<Extract> {
  const bytes = typeof input === 'string' ? Buffer.from(input) : input;
  const options = { name: 'file', pictures: false, ...wish, limits: withLimits(wish.limits) };
  const result = await reader(bytes, options);
  if (!result.ok) throw new Error(`refused: ${result.refusal.code}, ${result.refusal.what}, ${result.refusal.next}`);
  return result.value;
}

/** The Markdown, or the code of the refusal. */
export async function shown(reader: DocumentReader, input: Uint8Array | string, wish: Wish = {}): Promise<string> {
  try {
    return (await extracted(reader, input, wish)).markdown;
  } catch (error) {
    const code = error instanceof Error ? /^refused: ([\w-]+)/.exec(error.message) : null;
    if (code === null) throw error;
    return code[0];
  }
}

/** Some bytes changed, cut out or doubled; the same ones for the same seed. */
export function damaged(bytes: Uint8Array, seed: number): Buffer {
  let state = seed * 2_654_435_761 + 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  let copy = Buffer.from(bytes);
  for (let change = 0; change <= seed % 12; change += 1) {
    const at = random(copy.length);
    const kind = random(6);
    if (kind === 0) copy = Buffer.concat([copy.subarray(0, at), copy.subarray(at + random(64))]);
    else if (kind === 1) copy = Buffer.concat([copy.subarray(0, at), copy.subarray(Math.max(0, at - random(200)))]);
    else if (kind === 2) copy.fill(0xff, at, Math.min(copy.length, at + 4));
    else if (kind === 3) copy.fill(0, at, Math.min(copy.length, at + random(16)));
    else if (copy.length > 0) copy[at] = random(256);
  }
  return seed % 7 === 0 ? copy.subarray(0, random(copy.length)) : copy;
}

/** Reads many damaged copies: each is read or refused, in little time. Gives how many were read. */
export async function survives(
  reader: DocumentReader,
  bytes: Uint8Array,
  mutants: number,
  name: string,
): Promise<number> {
  let read = 0;
  for (let seed = 1; seed <= mutants; seed += 1) {
    const copy = damaged(bytes, seed);
    const took = await cpuMs(async () => {
      const result = await reader(copy, { name, pictures: true, limits: withLimits() });
      if (result.ok) read += 1;
      else if (result.refusal.next === '') throw new Error(`${name}, seed ${seed}: a refusal without advice`);
    });
    if (took > 10_000) throw new Error(`${name}, seed ${seed}: ${Math.round(took)} ms of work`);
  }
  return read;
}
