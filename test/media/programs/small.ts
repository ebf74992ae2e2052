// Reads three small pictures at once; then one that does not come to its end, and another behind it. Time stands still but for
// what is said here.
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { read } from '../../../src/media/index.ts';
import { plain } from '../make.ts';
import { children, report } from './program.ts';

const pictures = await Promise.all([9, 10, 11, 12, 13].map((edge) => plain(edge, 9).png().toBuffer()));
const [one, two, three, stuck, next] = pictures as [Buffer, Buffer, Buffer, Buffer, Buffer];
mock.timers.enable({ apis: ['setTimeout', 'Date'] });
const first = await Promise.all([one, two, three].map((bytes) => read(bytes)));
const [only = 0, ...others] = children();
process.kill(only, 'SIGSTOP');
let held = true;
const late = read(stuck).finally(() => (held = false));
const behind = read(next);
for (let ticks = 0; ticks < 150 && children().length < 2; ticks += 1) {
  await turn();
  mock.timers.tick(100);
}
const { ok } = await behind;
const wasHeld = held;
process.kill(only, 'SIGCONT');
report({ first: first.map((done) => done.ok), more: others.length, behind: ok, held: wasHeld, late: (await late).ok });
