// A child that tries to open many files at the same moments as its siblings, and tells which it owns.
import { join } from 'node:path';
import { jsonLinesLog } from '../../src/session/log/json-lines.ts';

const [folder = '', rounds = '0'] = process.argv.slice(2);
const owned: number[] = [];
process.stdout.write('ready\n');
const begin = Number(await new Promise((resolve) => process.stdin.once('data', resolve)));
for (let round = 0; round < Number(rounds); round++) {
  const at = begin + round * 15;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.max(0, at - 3 - Date.now())); // and leaves the processor
  while (Date.now() < at); // all at once
  try {
    jsonLinesLog(join(folder, `${round}.jsonl`), { readOnly: false, now: Date.now });
    owned.push(round);
  } catch {
    // somebody else has it
  }
}
process.stdout.write(`${JSON.stringify(owned)}\n`);
process.stdin.resume().on('end', () => process.exit()); // nothing is given back before all have told
