// A folder below the roots that is exchanged for a link while files in it are read: nothing from outside comes in.
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { openIntake } from '../../src/media/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-swap-'));
const root = join(folder, 'inside');
for (const [path, words] of [
  [join(root, 'way'), 'inside'],
  [join(folder, 'outside'), 'secret'],
] as const) {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'words.txt'), words);
}
symlinkSync(join(folder, 'outside'), join(folder, 'link'));

/** Exchanges `inside/way` for the link and back, until it is told to stop. */
const swapper = `
const { renameSync } = require('node:fs');
const { workerData: { folder, state } } = require('node:worker_threads');
const flags = new Int32Array(state);
const [way, link, aside] = ['/inside/way', '/link', '/aside'].map((name) => folder + name);
while (Atomics.load(flags, 0) === 0) {
  renameSync(way, aside);
  renameSync(link, way);
  Atomics.add(flags, 1, 1);
  renameSync(way, link);
  renameSync(aside, way);
}`;

// Only here does the system say where an open file lies.
test.runIf(process.platform === 'linux')('what a link led to for a moment is not read', async () => {
  const state = new SharedArrayBuffer(8);
  const flags = new Int32Array(state);
  const worker = new Worker(swapper, { eval: true, workerData: { folder, state } });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  const intake = openIntake({ roots: [root] });
  const seen = new Map<string, number>();
  await expect.poll(() => Atomics.load(flags, 1)).toBeGreaterThan(0);
  for (let count = 0; count < 4000; count++) {
    const read = await intake.open({ path: join(root, 'way/words.txt') }, 'tool');
    const what = read.ok ? new TextDecoder().decode(read.value.bytes) : read.refusal.code;
    seen.set(what, (seen.get(what) ?? 0) + 1);
  }
  Atomics.store(flags, 0, 1);
  await ended;
  expect(seen.get('secret') ?? 0).toBe(0);
  expect(seen.get('inside') ?? 0).toBeGreaterThan(0);
});
