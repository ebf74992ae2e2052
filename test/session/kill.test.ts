// Writers are killed at random moments. Whatever they were told to be stored is there, whole, and nothing is left over.
// SIGHTLINE_KILLS=1000 runs the long version.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { fileAssets } from '../../src/asset/files.ts';
import { openSessions } from '../../src/session/store.ts';
import { effort } from '../effort.ts';

const { kills } = effort;
const together = 2; // writers at once, each in a session of its own
const home = mkdtempSync(join(tmpdir(), 'sightline kill é-'));
afterAll(() => rmSync(home, { recursive: true }));
const writer = fileURLToPath(new URL('writer.ts', import.meta.url));

type Acknowledged = { entry: number; asset: `sha256:${string}`; count: number };

/** Lets a child write until it has answered a few times, then kills it a random moment later. */
function killedWriter(id: string, seed: number): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, [writer, home, id, String(seed)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, errors] = ['', ''];
  let timer: NodeJS.Timeout | undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    timer ??= setTimeout(() => child.kill('SIGKILL'), Math.random() * 80);
  });
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (_code, signal) => {
      if (signal !== 'SIGKILL') return reject(new Error(`The writer ended by itself: ${errors}`));
      const lines = out.split('\n').slice(0, -1); // the last line may be torn
      resolve(
        lines.map((line) => {
          const [entry, asset, count] = line.split(' ');
          return { entry: Number(entry), asset: asset as `sha256:${string}`, count: Number(count) };
        }),
      );
    });
  });
}

test(`${kills} writers killed lose nothing that was acknowledged`, { timeout: 300_000 + kills * 10_000 }, async () => {
  const first = openSessions({ home });
  const sessions = await Promise.all(Array.from({ length: together }, () => first.create({ title: 'killed' })));
  await first.close();
  const ids = sessions.map(({ id }) => id);
  const told = new Map<string, Acknowledged[]>(ids.map((id) => [id, []]));
  for (let round = 0; round < kills / together; round++) {
    await Promise.all(
      ids.map(async (id, at) => told.get(id)?.push(...(await killedWriter(id, round * 100_000 + at * 1_000_000_000)))),
    );
    const store = openSessions({ home });
    await expect.poll(() => readdirSync(join(home, 'assets', 'writing'))).toEqual([]); // swept at the next start
    await store.close();
  }
  const database = new DatabaseSync(join(home, 'sessions.db'), { readOnly: true });
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  database.close();
  await using store = openSessions({ home, leaseMs: 0 });
  await store.gc();
  const files = fileAssets(join(home, 'assets'));
  for (const [id, acknowledged] of told) {
    expect(acknowledged.length).toBeGreaterThanOrEqual(kills / together);
    const session = await store.open(id); // no lock is left either
    const entries = new Map((await session.entries()).map((entry) => [entry.id, entry]));
    for (const { entry, asset, count } of acknowledged) {
      const message = entries.get(entry);
      expect(message).toMatchObject({ message: { content: [{ text: `number ${count}` }, { asset: { id: asset } }] } });
      expect(await files.verify(asset)).toBe('whole');
    }
    expect(await session.losses()).toEqual([]);
  }
});
