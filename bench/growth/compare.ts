// What a turn costs as a conversation grows: planning looks at the whole transcript each time.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileAssets } from '../../src/index.ts';
import type { Asset } from '../../src/index.ts';
import { interleave, show, spread } from '../harness.ts';
import type { Job } from '../harness.ts';
import type { Comparison } from '../run.ts';
import type { LoopInput, Mark } from './loop.ts';

const marks = [10, 40, 100, 400];
const models = ['anthropic/claude-sonnet-4-5', 'openai-chat/gpt-4.1'];

export const compareGrowth: Comparison = async (repetitions) => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'));
  try {
    const assets = await makePictures(folder, Math.max(...marks));
    const jobs = models.map((model): Job => {
      const input: LoopInput = { model, folder, assets, marks };
      return { name: model, module: new URL('loop.ts', import.meta.url), input };
    });
    const results = await interleave<Mark[]>(jobs, repetitions);
    const columns = [
      'turn',
      'prepare(), ms',
      'CPU, ms',
      'encode and length, ms',
      'heap kept, MB',
      'ledger as JSON, kB',
    ];
    return {
      title: 'A screenshot loop: the cost of a turn',
      about: [
        'Every turn adds a sentence, a call and its result with a text of 300 characters and one picture, and calls `prepare()` ' +
          'with the ledger of the turn before. The pictures are small files in a store on disk; their bytes are not read here, so ' +
          'their size does not matter. A figure is the median of the five turns up to the one named. “Heap kept” is what the ' +
          'conversation, the ledger and the prepared request hold after a collection, over the first turn; it can come out below ' +
          'zero while Node throws compiled code away.',
      ],
      tables: [...results].map(([model, runs]) => ({
        caption: model,
        columns,
        rows: marks.map((turn) => {
          const found = runs.flatMap((run) => run.find((mark) => mark.turn === turn) ?? []);
          const of = (field: keyof Mark, digits: number): string =>
            show(spread(found.map((mark) => mark[field])), digits);
          return [
            String(turn),
            of('prepareMs', 1),
            of('cpuMs', 1),
            of('encodeMs', 1),
            of('heapMb', 1),
            of('ledgerKb', 0),
          ];
        }),
      })),
      notes: [
        ...[...results].map(([model, runs]) => `${model}: turn 400 costs ${growthOf(runs)} times the CPU of turn 40.`),
        'No other library is measured here: this is for seeing how Sightline itself grows. What the plan saves in money is in ' +
          '[The window](window.md), whose tables are written by a simulator (`npm run simulate`).',
      ],
      raw: Object.fromEntries(results),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
};

function growthOf(runs: readonly Mark[][]): string {
  const ratios = runs.map((run) => {
    const [early, late] = [40, 400].map((turn) => run.find((mark) => mark.turn === turn));
    return (late?.cpuMs ?? Number.NaN) / (early?.cpuMs ?? Number.NaN);
  });
  return show(spread(ratios), 2);
}

async function makePictures(folder: string, count: number): Promise<Asset[]> {
  const store = fileAssets(folder);
  const assets: Asset[] = [];
  for (let index = 0; index < count; index++) {
    const bytes = createHash('shake256', { outputLength: 2048 }).update(String(index)).digest();
    assets.push(await store.put(bytes, { mediaType: 'image/png' }));
  }
  return assets;
}
