// Every picture, PDF and Office file of the corpus through the door: prints what became of them by folder and verdict, and ends
// with 1 when a reading disagrees with the manifest and no exception explains why.
import { readFileSync } from 'node:fs';
import { corpus, disagreements, entries } from '../test/media/corpus.ts';

type Exception = { file: string; disagreement: string; reason: string };
type Row = { files: number; agreed: number; excepted: number; disagreed: number; slowestMs: number };

const exceptions: Exception[] = JSON.parse(
  readFileSync(new URL('../test/media/exceptions.json', import.meta.url), 'utf8'),
);
const rows = new Map<string, Row>();
const complaints: string[] = [];
const used = new Set<Exception>();

for (const entry of entries('png', 'image', 'pdf', 'office')) {
  const key = `${entry.file.split('/')[0]} ${entry.expect.verdict}`;
  const row = rows.get(key) ?? { files: 0, agreed: 0, excepted: 0, disagreed: 0, slowestMs: 0 };
  rows.set(key, row);
  const start = performance.now();
  const found = await disagreements(entry);
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

if (corpus !== undefined) {
  console.table(Object.fromEntries(rows));
  console.log(complaints.length === 0 ? 'No disagreement without a reason.' : complaints.join('\n'));
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
