// What whoever makes a mistake reads.
//   npm run mistakes                writes docs/mistakes.md
//   npm run mistakes -- --check     changes nothing; fails when it is out of date
import { readFileSync, writeFileSync } from 'node:fs';
import { argumentsOf } from './arguments.ts';
import { mistakesPage } from './mistakes/page.ts';

const { check } = argumentsOf(import.meta.filename, { check: { type: 'boolean' } }).values;
const page = await mistakesPage();
if (check) {
  const before = new Set(readFileSync('docs/mistakes.md', 'utf8').split('\n'));
  const other = page.split('\n').filter((line) => !before.has(line));
  for (const line of other) console.log(line);
  process.exit(other.length === 0 ? 0 : 1);
}
writeFileSync('docs/mistakes.md', page);
process.exit(); // a mistake may have left something open
