// What a process holds once everything that can go is gone.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setTimeout as sleep } from 'node:timers/promises';

export type Sample = { rssMb: number; heapMb: number; handles: number };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export async function sampled(): Promise<Sample> {
  await sleep(50); // what was closed has time to go
  collect();
  const { rss, heapUsed } = process.memoryUsage();
  return { rssMb: rss / 1e6, heapMb: heapUsed / 1e6, handles: process.getActiveResourcesInfo().length };
}
