// What a process holds once everything that can go is gone.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setTimeout as sleep } from 'node:timers/promises';

/** While a process collects, it answers nobody: from when to when, in milliseconds since 1970. */
export type Span = { from: number; to: number };
export type Sampled = { sample: Sample; collected: Span };
export type Sample = { rssMb: number; heapMb: number; outsideMb: number; handles: number };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export async function sampled(): Promise<Sampled> {
  await sleep(50); // what was closed has time to go
  const from = Date.now();
  collect();
  const collected = { from, to: Date.now() };
  const { rss, heapUsed, external } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().length;
  const sample = { rssMb: rss / 1e6, heapMb: heapUsed / 1e6, outsideMb: external / 1e6, handles };
  return { sample, collected };
}
