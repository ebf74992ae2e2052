// Prints how far the tree is from one decision per place, counted from the source.
//   npm run house                      the table
//   npm run house -- weak-maps         the places behind one row
//   npm run house -- --tighten         takes what is no longer needed out of test/house-exceptions.json
import { argumentsOf } from './arguments.ts';
import { compare, readExceptions, tightened, writeExceptions } from './house/exceptions.ts';
import { measures } from './house/measures.ts';
import type { Counts } from './house/measures.ts';
import { sourceFiles } from './house/tree.ts';

const { values: flags, positionals } = argumentsOf(
  import.meta.filename,
  { tighten: { type: 'boolean' } },
  { words: true },
);

const files = sourceFiles();
const exceptions = readExceptions();
const rows = measures.map((measure) => ({ ...measure, found: measure.count(files) }));

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

if (flags.tighten) {
  const left = rows.map(({ name, found }) => [name, tightened(found, exceptions[name] ?? {})] as const);
  writeExceptions(Object.fromEntries(left));
}

const chosen = rows.filter(({ name }) => positionals.includes(name));
for (const { what, found } of chosen) {
  console.log(`${what}:`);
  for (const [place, count] of Object.entries(found)) console.log(`  ${place}${count > 1 ? ` (${count})` : ''}`);
}

if (chosen.length === 0) {
  console.log('| measure | row | now | goal |\n| --- | --- | --- | --- |');
  for (const { name, what, goal, found } of rows) console.log(`| ${what} | \`${name}\` | ${sum(found)} | ${goal} |`);
  for (const { name, found } of rows)
    for (const place of compare(found, exceptions[name] ?? {}).more) console.log(`more than listed, ${name}: ${place}`);
}
