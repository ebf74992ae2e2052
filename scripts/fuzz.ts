// Damages the files of the corpora by a seed and reads them: nothing may crash, hang, throw or be left behind.
//   npm run fuzz                                    2,000 of them
//   npm run fuzz -- --mutants 20000 --seed 7 --json     more, others, and figures alone
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { memoryAssets } from '../src/content/memory-assets.ts';
import { read } from '../src/media/index.ts';
import { corpus, corpusPath, entries } from '../test/media/corpus.ts';
import { damaged } from '../test/media/document.ts';
import { argumentsOf } from './arguments.ts';
import { watch } from './watch.ts';

const { values } = argumentsOf(import.meta.filename, {
  mutants: { type: 'string', default: '2000' },
  seed: { type: 'string', default: '1' },
  json: { type: 'boolean' },
});
const mutants = Number(values.mutants);
const firstSeed = Number(values.seed);
const watched = watch(40_000, 900 * 1024 * 1024);
const outcomes: Record<string, number> = {};
// Large files only make the damage rarer.
const files = entries('png', 'image', 'pdf', 'office').filter(({ bytes }) => bytes > 0 && bytes < 300_000);

if (corpus !== undefined) {
  let next = 0;
  const start = performance.now();
  // Two at a time: as many as there are decoders.
  await Promise.all(
    [0, 1].map(async () => {
      while (next < mutants) {
        const seed = firstSeed + next++;
        await readMutant(seed);
        if (!values.json && seed % 1000 === 0) console.error(`${seed - firstSeed} of ${mutants}`);
      }
    }),
  );
  await watched.end();
  const { complaints } = watched;
  const slowest = watched.slowest();
  const seconds = Math.round((performance.now() - start) / 1000);
  const peakMegabytes = Math.round(watched.peakBytes() / 1e6);
  if (values.json)
    console.log(JSON.stringify({ mutants, seconds, outcomes, slowest, peakMegabytes, complaints }, null, 2));
  else {
    console.table(outcomes);
    console.log(
      `${mutants} mutants of ${files.length} files in ${seconds} s; slowest ${slowest.name} (${slowest.ms} ms).`,
    );
    console.log(complaints.length === 0 ? 'No crash, no hang, nothing left behind.' : complaints.join('\n'));
  }
  process.exitCode = complaints.length === 0 ? 0 : 1;
}

async function readMutant(seed: number): Promise<void> {
  const { file } = files[(seed * 7919) % files.length] ?? { file: '' };
  const bytes = damaged(readFileSync(corpusPath(file)), seed);
  const name = `${file}, seed ${seed}`;
  const result = await watched
    .timed(name, () => read(bytes, { name: basename(file), assets: memoryAssets() }))
    .catch((error: unknown) => {
      watched.complaints.push(`${name}: threw ${String(error)}`);
      return undefined;
    });
  if (result === undefined) return;
  const outcome = result.ok ? 'read' : result.refusal.code;
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  if (!result.ok && (result.refusal.what === '' || result.refusal.next === '')) {
    watched.complaints.push(`${name}: a refusal that does not say what to do`);
  }
}
