// Reads a picture, and another when the process for it has just died; then hands over bytes of which the system takes some.
import { fstatSync, readdirSync, readlinkSync } from 'node:fs';
import { newShared } from '../../../src/media/child/shared.ts';
import { read } from '../../../src/media/index.ts';
import { noise } from '../make.ts';
import { children, report } from './program.ts';

const [one, other] = [await noise(150, 150).png().toBuffer(), await noise(160, 150).png().toBuffer()];
const isRead = [(await read(one)).ok];
const sizes = readdirSync('/proc/self/fd')
  .filter((file) => linkOf(file).startsWith('/dev/shm/'))
  .map((file) => fstatSync(Number(file)).size);
for (const pid of children()) process.kill(pid, 'SIGKILL');
isRead.push((await read(other)).ok);

const shared = newShared();
const put = shared.put([20_000, 600_000, 30_000].map((length) => new Uint8Array(length)));
report({
  isRead,
  shared: sizes.map((size) => size === one.length),
  stayed: (put as unknown[]).map((bytes) => bytes instanceof Uint8Array),
  size: fstatSync(shared.file ?? Number.NaN).size,
});

function linkOf(file: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    return ''; // the one that lists them is closed by now
  }
}
