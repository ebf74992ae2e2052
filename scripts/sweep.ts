// Reads every file of the corpora, or of the folders given, and tells what became of them. With the corpora each reading
// is compared with what independent programs found; without, a file only has to end as blocks or as a refusal, in time.
// Ends with 1 when something is wrong that no exception explains.
//   npm run sweep                 the corpora, which lie in ../shared or where SIGHTLINE_SHARED points
//   npm run sweep -- DIR          every file below a folder
//   npm run sweep -- --json       figures alone
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { read } from '../src/media/index.ts';
import { corpus, disagreements, entries } from '../test/media/corpus.ts';
import { argumentsOf } from './arguments.ts';
import { watch } from './watch.ts';

type Exception = { file: string; disagreement: string; reason: string };
type Row = { files: number; agreed: number; excepted: number; disagreed: number; slowestMs: number };

const { values: flags, positionals: folders } = argumentsOf(
  import.meta.filename,
  { json: { type: 'boolean' } },
  { words: true },
);
// A file has 10 seconds; two of the corpus are read twice, once with their password. Decoders may take 512 MB each.
const watched = watch(20_000, 768 * 1024 * 1024);
const { complaints } = watched;
const rows: Record<string, Row> = {};

if (folders.length > 0) for (const folder of folders) await readAll(folder);
else if (corpus !== undefined) {
  await compareAll();
  await throughGateway();
}
await watched.end();

const files = Object.values(rows).reduce((sum, row) => sum + row.files, 0);
const slowest = watched.slowest();
const peakMegabytes = Math.round(watched.peakBytes() / 1e6);
if (flags.json) {
  console.log(JSON.stringify({ files, rows, slowest, peakMegabytes, complaints }, null, 2));
} else if (files > 0) {
  console.table(rows);
  console.log(`${files} files; slowest ${slowest.name} (${slowest.ms} ms); largest process ${peakMegabytes} MB.`);
  console.log(complaints.length === 0 ? 'No disagreement without a reason.' : complaints.join('\n'));
}
process.exitCode = complaints.length === 0 ? 0 : 1;

/** Requests that were recorded, beside the files. */
async function throughGateway(): Promise<void> {
  const { sweepGateway } = await import('./sweep-gateway.ts');
  const { relayed, same, converted, refused, complaints: found } = await sweepGateway();
  console.error(
    `${relayed} requests relayed, ${same} of them byte for byte; ${converted} converted, ${refused} refused.`,
  );
  complaints.push(...found);
}

function rowOf(key: string): Row {
  return (rows[key] ??= { files: 0, agreed: 0, excepted: 0, disagreed: 0, slowestMs: 0 });
}

async function compareAll(): Promise<void> {
  const exceptions: Exception[] = JSON.parse(
    readFileSync(new URL('../test/media/exceptions.json', import.meta.url), 'utf8'),
  );
  const used = new Set<Exception>();
  for (const entry of entries('png', 'image', 'pdf', 'office')) {
    const row = rowOf(`${entry.file.split('/')[0]} ${entry.expect.verdict}`);
    const start = performance.now();
    const found = await watched.timed(entry.file, () => disagreements(entry));
    row.files += 1;
    row.slowestMs = Math.max(row.slowestMs, Math.round(performance.now() - start));
    const unexplained = found.filter((one) => {
      const known = exceptions.find(({ file, disagreement }) => file === entry.file && one.includes(disagreement));
      if (known !== undefined) used.add(known);
      return known === undefined;
    });
    if (found.length === 0) row.agreed += 1;
    else if (unexplained.length === 0) row.excepted += 1;
    else row.disagreed += 1;
    complaints.push(...unexplained.map((one) => `${entry.file}: ${one}`));
  }
  for (const one of exceptions) if (!used.has(one)) complaints.push(`${one.file}: its exception is no longer needed`);
}

/** Files nobody has judged: each is read or refused, and a refusal says what to do. */
async function readAll(folder: string): Promise<void> {
  for (const found of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!found.isFile()) continue;
    const path = join(found.parentPath, found.name);
    const start = performance.now();
    const reading = await watched
      .timed(path, () => read(path))
      .catch((error: unknown) => {
        complaints.push(`${path}: threw ${String(error)}`);
        return undefined;
      });
    if (reading === undefined) continue;
    const row = rowOf(reading.ok ? `read: ${reading.value.data.type}` : `refused: ${reading.refusal.code}`);
    row.files += 1;
    row.agreed += 1;
    row.slowestMs = Math.max(row.slowestMs, Math.round(performance.now() - start));
    if (!reading.ok && reading.refusal.next === '') complaints.push(`${path}: a refusal without advice`);
  }
}
