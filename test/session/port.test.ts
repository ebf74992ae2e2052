// Sessions over a log that misbehaves as logs far away do: replies that are lost, leases that others take, collections
// between a put and its message. And homes that were made by the first version.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { fileAssets } from '../../src/asset/files.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { memoryLog, memorySessions, openJsonLines, openSessions, sessionsOver } from '../../src/session/index.ts';
import type { EntryLog } from '../../src/session/index.ts';
import { schemaSteps } from '../../src/session/log/migrations.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import { lateLog } from './late.ts';
import { image, png, user } from './samples.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-port-'));
const newHome = (): string => mkdtempSync(join(scratch, 'home-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const textsOf = (messages: readonly { content: readonly unknown[] }[]): unknown[] =>
  messages.map(({ content: [first] }) => (first as { text: string }).text);

test('an append whose reply was lost is told, and the next one is stored behind what was stored', async () => {
  const log = memoryLog();
  let lost = 0;
  const forgetful: EntryLog = {
    ...log,
    append: async (lease, rows) => {
      const stored = await log.append(lease, rows);
      if (lost-- > 0) throw new Error('no reply');
      return stored;
    },
  };
  await using store = sessionsOver({ log: forgetful, assets: memoryAssets() });
  const session = await store.create();
  await session.append({ type: 'message', message: user('one') });
  lost = 1;
  await expect(session.append({ type: 'message', message: user('two') })).rejects.toThrow('no reply');
  await session.append({ type: 'message', message: user('three') });
  expect(textsOf(await session.messages())).toEqual(['one', 'two', 'three']);
});

const decided = (digest: string): Ledger =>
  ({
    version: 1,
    current: 'm',
    entries: { m: { profile: digest, items: [{ digest, decisions: [] }] } },
  }) as unknown as Ledger;

test('what was decided for a model comes back as it was told last, whatever reply was lost and whatever was told twice', async () => {
  const log = memoryLog();
  let isLost = false;
  const append: EntryLog['append'] = async (lease, rows) => {
    const stored = await log.append(lease, rows);
    if (isLost) throw new Error('no reply');
    return stored;
  };
  await using store = sessionsOver({ log: { ...log, append }, assets: memoryAssets() });
  const session = await store.create();
  const stored = async (): Promise<unknown> => await (await store.read(session.id)).ledger('m');
  await session.append({ type: 'ledger', ledger: decided('a') });
  isLost = true;
  await expect(session.append({ type: 'ledger', ledger: decided('b') })).rejects.toThrow('no reply');
  isLost = false;
  await session.append({ type: 'ledger', ledger: decided('a') });
  expect(await stored()).toEqual(decided('a'));
  const keyed = [{ type: 'ledger', ledger: decided('c') }] as const;
  await session.appendAll(keyed, 1, 'step');
  await session.append({ type: 'ledger', ledger: decided('d') });
  await session.appendAll(keyed, 1, 'step'); // told twice, it is not the newest
  expect(await session.ledger('m')).toEqual(decided('d'));
  await session.append({ type: 'ledger', ledger: decided('c') });
  expect(await stored()).toEqual(decided('c'));
});

test('a session that could not be looked through for what was altered is looked through again', async () => {
  const log = memoryLog();
  let isAway = false;
  const read: EntryLog['read'] = async (...given) => {
    if (isAway) throw new Error('away');
    return await log.read(...given);
  };
  const session = await sessionsOver({ log: { ...log, read }, assets: memoryAssets() }).create();
  isAway = true;
  await expect(session.altered()).rejects.toThrow('away');
  isAway = false;
  expect(await session.altered()).toEqual([]);
});

test('a message is stored also when a medium of it is gone and cannot be put again', async () => {
  const log = memoryLog();
  const kept = memoryAssets();
  let isAway = false;
  const get: typeof kept.get = async (id) => {
    if (isAway) throw new Error('away');
    return await kept.get(id);
  };
  const session = await sessionsOver({ log, assets: { ...kept, get } }).create();
  const asset = await session.assets.put(png(1), { mediaType: 'image/png' });
  await log.claims.collect({ idleMs: -1, limit: 9, renditions: true, without: [session.id] }, async () => undefined);
  isAway = true;
  await session.append({ type: 'message', message: user('see', image(asset)) });
  expect(textsOf(await session.messages())).toEqual(['see']);
});

test('a writer whose session was taken over stores nothing more, and says so', async () => {
  const log = memoryLog();
  await using store = sessionsOver({ log, assets: memoryAssets() });
  const session = await store.create();
  await session.append({ type: 'message', message: user('mine') });
  await log.release({ session: session.id, epoch: 1, next: 0 }); // its holder is thought dead
  await using other = await store.open(session.id);
  await other.append({ type: 'message', message: user('theirs') });
  for (let round = 0; round < 2; round++)
    await expect(session.append({ type: 'message', message: user('late') })).rejects.toThrow('has another writer now');
  expect(textsOf(await session.messages())).toEqual(['mine', 'theirs']);
});

test('closing while appends are on their way stores all that was handed over before, and nothing after', async () => {
  for (const where of ['calls', 'answers'] as const)
    for (let seed = 1; seed <= 5; seed++) {
      const log = memoryLog();
      const session = await sessionsOver({ log: lateLog(log, where, seed), assets: memoryAssets() }).create();
      const before = [1, 2, 3].map((at) => session.append({ type: 'note', text: `n${at}` }));
      const closing = session.close();
      await expect(session.append({ type: 'note', text: 'late' })).rejects.toThrow('is closed');
      await Promise.all([...before, closing, session.close()]);
      expect((await log.read(session.id)).map(({ body }) => body)).toEqual(
        [1, 2, 3].map((at) => JSON.stringify({ text: `n${at}` })),
      );
      expect(await log.take(session.id, { host: 'h', process: 1 })).toMatchObject({ next: 3 });
    }
});

test('a store holds on to nothing of sessions that were closed', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await using store = memorySessions();
  const use = async (): Promise<WeakRef<object>> => {
    const session = await store.create();
    await session.append({ type: 'message', message: user('one') });
    await session.close();
    return new WeakRef(session.assets);
  };
  const used = [await use(), await use(), await use()];
  const isLeft = (): number => {
    collect();
    return used.filter((one) => one.deref() !== undefined).length;
  };
  await expect.poll(isLeft).toBe(0);
});

test('several entries are stored together or not at all', async () => {
  await using store = openSessions({ home: newHome() });
  const session = await store.create();
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const bad = { type: 'note' as const, text: 'bad', about: cyclic as never };
  await expect(session.appendAll([{ type: 'note', text: 'good' }, bad])).rejects.toThrow();
  expect(await session.entries()).toEqual([]);
  const ids = await session.appendAll([
    { type: 'message', message: user('a') },
    { type: 'title', title: 'T' },
  ]);
  expect((await session.entries()).map(({ id }) => id)).toEqual(ids);
  expect(await session.info()).toMatchObject({ title: 'T', messages: 1 });
});

test('a medium that was collected before its message named it is put again where its bytes are still there', async () => {
  let clock = 1000;
  const log = memoryLog({ now: () => clock });
  const assets = fileAssets(newHome());
  await using store = sessionsOver({ log, assets, now: () => clock, leaseMs: 10 });
  const session = await store.create();
  const asset = await session.assets.put(png(1), { mediaType: 'image/png' });
  clock += 1000;
  await log.claims.collect({ idleMs: 10, limit: 10, renditions: true, without: [] }, async () => undefined);
  expect(await log.claims.missing([asset.id])).toEqual(new Set([asset.id]));
  await session.append({ type: 'message', message: user('see', image(asset)) });
  expect(await log.claims.missing([asset.id])).toEqual(new Set());
});

test('whoever looks at a session is woken when another process appends', async () => {
  const home = newHome();
  await using writing = openSessions({ home });
  await using reading = openSessions({ home, readOnly: true });
  const session = await writing.create({ title: 't' });
  const stop = new AbortController();
  const watcher = (await reading.read(session.id)).watch(stop.signal)[Symbol.asyncIterator]();
  const woken = watcher.next();
  await session.append({ type: 'message', message: user('news') });
  expect((await woken).done).toBeFalsy();
  stop.abort();
});

test('a page of sessions, and the newest, are found without looking at all of them', async () => {
  const log = memoryLog();
  const asked: unknown[] = [];
  const counting: EntryLog = { ...log, list: (page) => (asked.push(page?.limit), log.list(page)) };
  await using store = sessionsOver({ log: counting, assets: memoryAssets() });
  for (let at = 0; at < 60; at++) await log.create(`empty${at}`, 5000 + at);
  const session = await store.create({ title: 'spoken' });
  const [found] = await store.list({ limit: 1 });
  expect([found?.id, await store.resolve('last')]).toEqual([session.id, session.id]);
  expect(asked).toEqual([50, 50]);
  expect(await store.list({ before: { id: session.id, updated: found?.updated ?? 0 } })).toEqual([]);
});

/** A home as the first version left it: its tables, made by its own step, with a fork, media and a ledger. */
function firstHome(): string {
  const home = newHome();
  const database = new DatabaseSync(join(home, 'sessions.db'));
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(schemaSteps[0] ?? '');
  const body = JSON.stringify({ message: user('an old walrus') });
  database.exec(`
    INSERT INTO session (id, created, updated, title, messages) VALUES ('0123456789ab', 1, 5, 'Old', 2);
    INSERT INTO session (id, created, updated, title, messages, parent, fork) VALUES ('abcdefghjkmn', 2, 4, 'Fork', 1, 1, 1);
    INSERT INTO asset VALUES ('${'a'.repeat(64)}', 12, 3);
    INSERT INTO reference VALUES (1, '${'a'.repeat(64)}', 2, 1);
    PRAGMA user_version = 1;`);
  const insert = database.prepare(
    "INSERT INTO entry (session, parent, time, version, type, body) VALUES (1, ?, 3, 1, 'message', ?)",
  );
  insert.run(null, body);
  insert.run(1, JSON.stringify({ message: user('and a penguin') }));
  database.close();
  return home;
}

test('a home of the first version opens, is looked at without being changed, and goes on', async () => {
  const home = firstHome();
  const before = readFileSync(join(home, 'sessions.db'));
  const looking = openSessions({ home, readOnly: true });
  expect((await looking.list()).map(({ title, media, mediaBytes }) => ({ title, media, mediaBytes }))).toEqual([
    { title: 'Old', media: 1, mediaBytes: 12 },
    { title: 'Fork', media: 0, mediaBytes: 0 },
  ]);
  expect(textsOf(await (await looking.read('abcdefghjkmn')).messages())).toEqual(['an old walrus']);
  await looking.close();
  expect(readFileSync(join(home, 'sessions.db')).equals(before)).toBe(true);
  await using store = openSessions({ home });
  const session = await store.open('0123456789ab');
  await session.append({ type: 'message', message: user('new') });
  expect(textsOf(await session.messages())).toEqual(['an old walrus', 'and a penguin', 'new']);
  expect(await store.search('walrus')).toHaveLength(1);
});

test('lines of the first version are read as they were meant', async () => {
  const home = newHome();
  const hash = 'b'.repeat(64);
  const row = {
    id: 1,
    type: 'message',
    version: 1,
    time: 3,
    body: JSON.stringify({ message: user(`see asset ${hash.slice(0, 8)}`) }),
  };
  const lines = [
    ['create', '0123456789ab', 1],
    ['lease', { id: `sha256:${hash}`, size: 7 }, 2, '0123456789ab'],
    ['append', '0123456789ab', row, { firstWords: 'see' }, [], [hash.slice(0, 8)]],
  ];
  writeFileSync(join(home, 'sessions.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await using store = openJsonLines({ home });
  expect(await store.list()).toMatchObject([{ title: 'see', messages: 1, media: 1, mediaBytes: 7 }]);
  const session = await store.open('0123456789ab');
  expect(await session.append({ type: 'note', text: 'on' })).toBe(2);
  const copy = newHome();
  cpSync(join(home, 'sessions.jsonl'), join(copy, 'sessions.jsonl'));
  await using again = openJsonLines({ home: copy });
  expect(await (await again.read('0123456789ab')).entries()).toHaveLength(2);
});
