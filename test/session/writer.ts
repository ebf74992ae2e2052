// A child that appends for ever and tells each acknowledgement, until it is killed. It also collects now and then.
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { openJsonLines, openSessions } from 'sightline/session';
import { image, png, user } from './samples.ts';

const [home = '', id = '', seed = '0', kind] = process.argv.slice(2);
const store = (kind === 'lines' ? openJsonLines : openSessions)({ home, leaseMs: 0 });
const session = await store.open(id);
flushCompileCache(); // the next one starts in a third of the time, and no killed one could do this at its end
for (let count = Number(seed); ; count++) {
  // Every third picture is one that others put as well.
  const asset = await session.assets.put(png(count % 3 === 0 ? 1 : count), { mediaType: 'image/png' });
  const entry = await session.append({ type: 'message', message: user(`number ${count}`, image(asset)) });
  writeSync(1, `${entry} ${asset.id} ${count}\n`); // only what was answered is told
  if (count % 6 === 5) await store.gc();
}
