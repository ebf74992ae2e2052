// A child that tries to open many files at the same moments as its siblings, and tells which it owns.
import { join } from 'node:path';
import { jsonLinesLog } from '../../src/session/log/json-lines.ts';

const [folder = '', begin = '0', rounds = '0'] = process.argv.slice(2);
const owned: number[] = [];
for (let round = 0; round < Number(rounds); round++) {
  while (Date.now() < Number(begin) + round * 15); // all at once
  try {
    jsonLinesLog(join(folder, `${round}.jsonl`), { readOnly: false, now: Date.now });
    owned.push(round);
  } catch {
    // somebody else has it
  }
}
process.stdout.write(`${JSON.stringify(owned)}\n`);
process.stdin.resume().on('end', () => process.exit()); // nothing is given back before all have told
