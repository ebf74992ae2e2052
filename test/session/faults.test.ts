// What can go wrong with a home: a clear sentence each time, and nothing that was acknowledged is lost where it is still
// on the disk.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { cpSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { examineDatabase, openSessions, repairDatabase } from '../../src/session/index.ts';
import { noSmallDisk, openSmallDisk } from '../small-disk.ts';
import { assistant, image, png, user } from './samples.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline faults ü-'));
const newHome = (): string => mkdtempSync(join(scratch, 'home-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** A home with one session of so many messages; the ids of the acknowledged entries. */
async function filled(home: string, count: number): Promise<{ id: string; acknowledged: number[] }> {
  await using store = openSessions({ home });
  const session = await store.create({ title: 'Filled' });
  const asset = await session.assets.put(png(1), { mediaType: 'image/png' });
  const acknowledged: number[] = [];
  for (let at = 0; at < count; at++) {
    const message = at % 2 === 0 ? user(`question ${at} ${'x'.repeat(400)}`, image(asset)) : assistant(`answer ${at}`);
    acknowledged.push(await session.append({ type: 'message', message }));
  }
  return { id: session.id, acknowledged };
}

function overwrite(file: string, position: number, bytes: Buffer): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
}

describe('a damaged database', () => {
  test.each([
    ['its header', 0, 64],
    ['all of its header', 0, 100],
  ])('%s overwritten: it says so, and repair saves everything', async (_what, position, length) => {
    const home = newHome();
    const { id, acknowledged } = await filled(home, 40);
    overwrite(join(home, 'sessions.db'), position, Buffer.alloc(length, 0x5a));
    expect(() => openSessions({ home })).toThrow(/sessions\.db is damaged\. Run "sightline sessions doctor --repair"/);
    expect(examineDatabase(home)).toMatchObject([{ kind: 'database', what: expect.stringContaining('is damaged') }]);
    const { kept, entries } = repairDatabase(home);
    expect(entries).toBe(41);
    expect(statSync(kept).size).toBeGreaterThan(0);
    expect(examineDatabase(home)).toEqual([]);
    await using store = openSessions({ home, leaseMs: 0 });
    const session = await store.open(id);
    expect((await session.entries()).map((entry) => entry.id).slice(1)).toEqual(acknowledged);
    expect(await store.search('question 38')).toHaveLength(1);
    await store.gc();
    expect(await session.losses()).toEqual([]);
  });

  test('a page in its middle overwritten: repair saves the rest', async () => {
    const home = newHome();
    const { id, acknowledged } = await filled(home, 200);
    const file = join(home, 'sessions.db');
    const text = readFileSync(file).indexOf('question 100 ');
    overwrite(file, Math.floor(text / 4096) * 4096, Buffer.alloc(4096, 0xff));
    expect(examineDatabase(home).length).toBeGreaterThan(0);
    repairDatabase(home);
    await using store = openSessions({ home });
    const found = (await (await store.read(id)).entries()).map((entry) => entry.id);
    expect(found.length).toBeGreaterThan(150);
    expect(acknowledged).toEqual(expect.arrayContaining(found.slice(1)));
    expect(examineDatabase(home)).toEqual([]);
  });

  test.each([0.3, 0.6, 0.999])(
    'a log cut to %f of what was written: what is before the cut is there, in order',
    async (part) => {
      const home = newHome();
      const store = openSessions({ home });
      const session = await store.create({ title: 'Filled' });
      const empty = statSync(join(home, 'sessions.db-wal')).size; // tables take room, too
      const acknowledged: number[] = [];
      for (let at = 0; at < 60; at++)
        acknowledged.push(await session.append({ type: 'message', message: user(`n ${at}`) }));
      const copy = newHome(); // as after a power cut: the log was not yet taken into the database
      for (const end of ['', '-wal']) cpSync(join(home, `sessions.db${end}`), join(copy, `sessions.db${end}`));
      await store.close();
      const log = join(copy, 'sessions.db-wal');
      truncateSync(log, Math.floor(empty + (statSync(log).size - empty) * part));
      await using after = openSessions({ home: copy });
      const found = (await (await after.open(session.id)).entries()).slice(1).map((entry) => entry.id);
      expect(found).toEqual(acknowledged.slice(0, found.length));
      expect(found.length).toBeGreaterThan(60 * part * 0.5);
      expect(examineDatabase(copy)).toEqual([]);
    },
  );
});

test('a database of a newer version is left alone', () => {
  const home = newHome();
  const database = new DatabaseSync(join(home, 'sessions.db'));
  database.exec('PRAGMA user_version = 99');
  database.close();
  for (const readOnly of [true, false])
    expect(() => openSessions({ home, readOnly })).toThrow(/newer version of sightline\. Update sightline/);
});

test('a home that is a file, or lies in one, is told', () => {
  const file = join(newHome(), 'file');
  writeFileSync(file, '');
  for (const home of [file, join(file, 'below')]) expect(() => openSessions({ home })).toThrow('is not a folder');
});

test('entries of other versions and broken ones are kept, and left out of the conversation', async () => {
  const home = newHome();
  const { id } = await filled(home, 3);
  const rows: [version: number, type: string, body: string][] = [
    [9, 'message', '{"message":{"role":"user","content":[]}}'],
    [1, 'hologram', '{"light":1}'],
    [1, 'message', '{"message":{"role":"user"}}'],
    [1, 'message', '{"message":{"role":"user","content":[{"type":"image"}]}}'],
    [1, 'message', '{not json'],
    [1, 'message', 'null'],
  ];
  const database = new DatabaseSync(join(home, 'sessions.db'));
  for (const [version, type, body] of rows) {
    const sql = 'INSERT INTO entry (session, parent, time, version, type, body) VALUES (1, NULL, 0, ?, ?, ?)';
    database.prepare(sql).run(version, type, body);
  }
  database.close();
  await using store = openSessions({ home });
  const session = await store.open(id);
  await session.append({ type: 'message', message: user('after') });
  expect((await session.messages()).length).toBe(4);
  const unknown = (await session.entries()).filter((entry) => entry.type === 'unknown');
  expect(unknown.map(({ was }) => was)).toEqual(rows.map(([, type]) => type));
  expect(unknown[1]).toMatchObject({ body: { light: 1 } });
});

test('a second process is kept out while the first writes, and let in when that one was killed', async () => {
  const home = newHome();
  const { id } = await filled(home, 1);
  const writer = fileURLToPath(new URL('writer.ts', import.meta.url));
  const child = spawn(process.execPath, [writer, home, id], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  await using store = openSessions({ home });
  await expect(store.open(id)).rejects.toThrow(`Session ${id} is open in another process`);
  expect((await (await store.read(id)).messages()).length).toBeGreaterThan(1);
  const other = await store.create({ title: 'beside it' });
  await other.append({ type: 'message', message: user('both can write') });
  child.kill('SIGKILL');
  await once(child, 'close');
  await (await store.open(id)).append({ type: 'message', message: user('mine now') });
});

test('a full disk: a clear sentence, nothing acknowledged is lost, and it goes on when there is room', async (context) => {
  using disk = openSmallDisk(2);
  if (disk === undefined) return context.skip(noSmallDisk);
  const home = disk.folder;
  await using store = openSessions({ home });
  const session = await store.create({ title: 'Full' });
  const acknowledged: number[] = [];
  const fill = async (): Promise<void> => {
    for (;;) acknowledged.push(await session.append({ type: 'message', message: user('y'.repeat(20_000)) }));
  };
  await expect(fill()).rejects.toThrow(/is full \(\d+ kB are free\)\. Make room for at least 1 MB and try again/);
  await expect(session.assets.put(Buffer.alloc(3_000_000, 1), { mediaType: 'image/png' })).rejects.toThrow(
    /is full|ENOSPC/,
  );
  expect((await session.entries()).slice(1).map(({ id }) => id)).toEqual(acknowledged);
  disk.remount('size=4m');
  acknowledged.push(await session.append({ type: 'message', message: user('room again') }));
  expect((await session.entries()).slice(1).map(({ id }) => id)).toEqual(acknowledged);
  expect(examineDatabase(home)).toEqual([]);
});

test('a home that cannot be written: looking works, writing is told', async (context) => {
  const isRoot = process.getuid?.() === 0;
  using disk = isRoot ? openSmallDisk(4) : undefined;
  if (isRoot && disk === undefined) return context.skip(noSmallDisk);
  const home = disk?.folder ?? newHome();
  const { id } = await filled(home, 3);
  try {
    if (disk) disk.remount('ro');
    else for (const path of [join(home, 'sessions.db'), home]) chmodSync(path, 0o500);
    expect(() => openSessions({ home })).toThrow(/cannot be (written|opened)/);
    await using store = openSessions({ home, readOnly: true });
    expect(await (await store.read(id)).messages()).toHaveLength(3);
    expect(await store.search('question')).toHaveLength(2);
    await expect(store.create()).rejects.toThrow('cannot be written');
  } finally {
    if (!disk) chmodSync(home, 0o700);
  }
});
