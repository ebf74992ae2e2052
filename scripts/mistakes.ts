// Writes docs/mistakes.md: what whoever makes a mistake reads. `--check` changes nothing and fails when it is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { mistakesPage } from './mistakes/page.ts';

const page = await mistakesPage();
if (process.argv.includes('--check')) {
  const before = new Set(readFileSync('docs/mistakes.md', 'utf8').split('\n'));
  const other = page.split('\n').filter((line) => !before.has(line));
  for (const line of other) console.log(line);
  process.exit(other.length === 0 ? 0 : 1);
}
writeFileSync('docs/mistakes.md', page);
process.exit(); // a mistake may have left something open
