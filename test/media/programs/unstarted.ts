// Reads a picture while no process can be started: all files that this program may open are open, then its environment is
// longer than the system takes. Once that is over the picture is read.
import { closeSync, openSync } from 'node:fs';
import { read } from '../../../src/media/index.ts';
import { plain } from '../make.ts';
import { children, gone, report } from './program.ts';

const picture = await plain(9, 9).png().toBuffer();
const told = async (): Promise<string> => {
  const result = await read(picture, { name: 'dot.png' });
  return result.ok ? 'read' : `${result.refusal.code}: ${result.refusal.what}`;
};
const first = await told();
const pids = children();
for (const pid of pids) process.kill(pid, 'SIGKILL');
await gone(pids);

const files: number[] = [];
try {
  for (;;) files.push(openSync('/dev/null', 'r'));
} catch {
  // There are no more.
}
const without = await told();
for (const file of files) closeSync(file);

const { LANG } = process.env;
process.env['LANG'] = 'x'.repeat(2_000_000);
const endless = await told();
process.env['LANG'] = LANG ?? 'C';
report([first, without, endless, await told()]);
