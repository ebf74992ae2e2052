// A child that writes to a session which a rival wants too, until it is killed, and tells what became of each entry. Its clock may
// be wrong by a day. It uses the package as it is built: that starts in a third of the time.
import { randomBytes, randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { openSessions } from 'sightline/session';

const [url = '', id = '', skew = '0'] = process.argv.slice(2);
const store = openSessions({ url, now: () => Date.now() + Number(skew) });
const tell = (line: string): number => writeSync(1, `${line}\n`);

/** Another word for what a writer may hear when things go wrong as they do in this test. */
function trouble(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  if (/has another writer now/.test(words)) return 'fenced';
  if (/The disk of .* is full/.test(words)) return 'full';
  if (/open in another process/.test(words)) return 'waits';
  if (/cannot be reached|Nobody answers/.test(words)) return 'away';
  return `strange ${words}`;
}

/** A tenure: a few entries under one lease, each told when it is acknowledged. */
async function write(): Promise<void> {
  const tenure = randomUUID();
  await using session = await store.open(id, { waitMs: 60_000 });
  flushCompileCache();
  for (let count = 0; count < 25; count++) {
    const bytes = count % 3 === 0 ? Buffer.from('a picture of all') : randomBytes(500);
    const asset = await session.assets.put(bytes, { mediaType: 'image/png' });
    const text = `${tenure} ${count}`;
    const message = {
      role: 'user' as const,
      content: [
        { type: 'text' as const, text },
        { type: 'image' as const, asset, width: 8, height: 8 },
      ],
    };
    const [entry] = await session.appendAll([
      { type: 'message', message },
      { type: 'note', text },
    ]);
    tell(`stored ${entry} ${tenure} ${count} ${asset.id}`);
  }
}

for (;;) await write().catch((error: unknown) => tell(trouble(error)));
