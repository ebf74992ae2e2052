// The log in SQLite beyond the contract: its lock files, several of them over one file, what is left of what was removed.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import type { StoredRequest } from '../../../src/record/table.ts';
import { openDatabase } from '../../../src/session/log/database.ts';
import { fenced, gone } from '../../../src/session/log/port.ts';
import type { EntryLog, NewRow } from '../../../src/session/log/port.ts';
import { sqliteLog } from '../../../src/session/log/sqlite.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-sqlite-'));
const newHome = (): string => mkdtempSync(join(scratch, 'home-'));
afterAll(() => rmSync(scratch, { recursive: true }));

type Opened = { log: EntryLog; database: DatabaseSync; file: string; locks: string };

function opened(home = newHome()): Opened {
  const [file, locks] = [join(home, 'sessions.db'), join(home, 'locks')];
  const database = openDatabase(file);
  return { log: sqliteLog(database, { file, locks, now: () => 7 }), database, file, locks };
}

const holder = { host: 'here', process: 12 };
const note = (text: string, time = 1): NewRow => ({ type: 'note', version: 1, time, body: JSON.stringify({ text }) });
const locked = (locks: string): string[] =>
  existsSync(locks) ? readdirSync(locks).filter((name) => name.endsWith('.lock')) : [];

test('who holds a session stands in the file; its lock goes when the session does', async () => {
  const { log, database, locks } = opened();
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  expect(database.prepare('SELECT holder, epoch FROM session').get()).toEqual({ holder: 'here 12', epoch: 1 });
  expect(locked(locks)).toEqual(['one.lock']);
  await log.append(lease, [note('a')]);
  await log.remove(lease);
  expect(locked(locks)).toEqual([]);
  await log.create('one', 1);
  expect(await log.take('one', holder)).toEqual({ session: 'one', epoch: 1, next: 0 });
  await log.close();
});

test('a session that another process removed and made anew is found by its id again, with its own media', async () => {
  const home = newHome();
  const [first, second] = [opened(home), opened(home)];
  await first.log.create('one', 1);
  await first.log.release(await first.log.take('one', holder));
  await second.log.remove(await second.log.take('one', holder));
  await second.log.create('one', 2);
  const asset = { id: `sha256:${'a'.repeat(64)}`, size: 1 } as const;
  await second.log.claims.lease([asset], 'one');
  expect(await first.log.claims.reachable('one')).toEqual(new Set([asset.id]));
  const lease = await first.log.take('one', holder);
  await first.log.append(lease, [note('mine')]);
  expect((await second.log.read('one')).map(({ body }) => body)).toEqual(['{"text":"mine"}']);
  await Promise.all([first.log.close(), second.log.close()]);
});

test('who waits for a session that another process removes is told, and writes to none of which forks are left', async () => {
  const home = newHome();
  const [first, second] = [opened(home), opened(home)];
  await first.log.create('trunk', 1);
  const lease = await first.log.take('trunk', holder);
  const { ids } = await first.log.append(lease, [note('a')]);
  await first.log.create('branch', 2, { id: 'trunk', entry: ids[0] ?? 0 });
  const told = expect(second.log.take('trunk', holder, { waitMs: 60_000 })).rejects.toThrow(gone('trunk').message);
  await first.log.remove(lease);
  await told;
  await Promise.all([first.log.close(), second.log.close()]);
});

test('closing lets go of every session; releasing of one, by its own lease', async () => {
  const home = newHome();
  const [first, second] = [opened(home), opened(home)];
  for (const id of ['one', 'two']) await first.log.create(id, 1);
  const [one] = [await first.log.take('one', holder), await first.log.take('two', holder)];
  const [other] = [opened(home)];
  await expect(second.log.take('one', holder)).rejects.toThrow('is already open in this program');
  await first.log.release({ ...one, epoch: one.epoch + 1 });
  await expect(second.log.take('one', holder)).rejects.toThrow('is already open in this program');
  await first.log.release(one);
  await first.log.release(one);
  const lease = await second.log.take('one', holder);
  expect(lease).toEqual({ session: 'one', epoch: 2, next: 0 });
  await expect(first.log.renew(one)).rejects.toThrow(fenced(one).message);
  await first.log.close();
  await first.log.close();
  expect(await other.log.take('two', holder)).toMatchObject({ epoch: 2 });
  for (const { log } of [second, other]) await log.close();
});

test('a session that somebody else removed is gone for whoever knew its number', async () => {
  const home = newHome();
  const [first, second] = [opened(home), opened(home)];
  await first.log.create('one', 1);
  await first.log.release(await first.log.take('one', holder)); // its number is known there
  await second.log.remove(await second.log.take('one', holder));
  await expect(first.log.take('one', holder)).rejects.toThrow(gone('one').message);
  await second.log.create('one', 1); // under another number
  const lease = await second.log.take('one', holder);
  await second.log.append(lease, [note('new')]);
  await second.log.release(lease);
  expect(await first.log.read('one')).toHaveLength(1);
  await expect(first.log.renew({ session: 'nobody', epoch: 1, next: 0 })).rejects.toThrow(gone('nobody').message);
  for (const { log } of [first, second]) await log.close();
});

test('a lease of another program stores nothing and removes nothing', async () => {
  const home = newHome();
  const [first, second] = [opened(home), opened(home)];
  await first.log.create('one', 1);
  const lease = await first.log.take('one', holder);
  await expect(second.log.append(lease, [note('a')])).rejects.toThrow(fenced(lease).message);
  await expect(second.log.renew(lease)).rejects.toThrow(fenced(lease).message);
  await expect(second.log.remove(lease)).rejects.toThrow(fenced(lease).message);
  second.database.exec('UPDATE session SET epoch = 9');
  await expect(first.log.renew(lease)).rejects.toThrow(fenced(lease).message);
  await expect(first.log.append(lease, [note('a')])).rejects.toThrow(fenced(lease).message);
  for (const { log } of [first, second]) await log.close();
});

test('whoever watches is woken by what another connection writes', async () => {
  const home = newHome();
  const [first, second] = [opened(home), opened(home)];
  await first.log.create('one', 1);
  const lease = await first.log.take('one', holder);
  const watcher = second.log.watch('one', AbortSignal.timeout(60_000))[Symbol.asyncIterator]();
  const woken = watcher.next();
  await new Promise((resolve) => setImmediate(resolve));
  await first.log.append(lease, [note('a')]);
  expect((await woken).done).toBe(false);
  expect(() => second.log.watch('nobody', AbortSignal.timeout(1))).toThrow(gone('nobody').message);
  for (const { log } of [first, second]) await log.close();
});

test('words of a removed session are in none of its files', async () => {
  const { log, file } = opened();
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  await log.append(lease, [note(`lonely penguin ${'x'.repeat(20_000)}`)]);
  await log.remove(lease);
  await log.close();
  expect(readFileSync(file).includes('lonely penguin')).toBe(false);
});

test('where the disk has no room, a session goes in parts; another trouble is told', async () => {
  const { log, database, file } = opened();
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  await log.append(lease, [note('a'), note('b')]);
  const exec = database.exec.bind(database);
  let trouble: object | undefined = Object.assign(new Error('full'), { errcode: 13 });
  const checkpoints: string[] = [];
  database.exec = (sql) => {
    if (sql.startsWith('PRAGMA wal_checkpoint')) checkpoints.push(sql);
    exec(sql);
  };
  const prepare = database.prepare.bind(database);
  database.prepare = (sql) => {
    const error = trouble;
    if (!error || !sql.startsWith('DELETE FROM words')) return prepare(sql);
    trouble = undefined;
    throw error;
  };
  await log.remove(lease);
  expect([checkpoints.length, (await log.list()).sessions]).toEqual([1, []]);
  await log.create('two', 1);
  const second = await log.take('two', holder);
  trouble = Object.assign(new Error('torn'), { errcode: 11 });
  await expect(log.remove(second)).rejects.toThrow(`${file} is damaged`);
  expect([checkpoints.length, (await log.list()).sessions.length]).toEqual([1, 1]);
  await log.append(second, [note('it goes on')]);
  await log.close();
});

test('what goes wrong names the file, in whatever is asked', async () => {
  const { log, database, file } = opened();
  database.close();
  const words = `${file} was closed. Open the sessions again before you use them.`;
  const key = `sha256:${'a'.repeat(64)}` as const;
  const asked = [
    () => log.list(),
    () => log.claims.bytes(),
    () => log.requests?.list('talk'),
    () => log.uploads?.rows(),
    () => log.descriptions?.find('k'),
    () => log.descriptions?.claim('k'),
    () => log.descriptions?.keep('k', 't'),
    () => log.descriptions?.free('k'),
    () => log.claims.missing([key]),
  ];
  for (const ask of asked) await expect(ask()).rejects.toThrow(words);
  expect(() => log.watch('one', AbortSignal.timeout(1))).toThrow(words);
  await log.close();
});

test('a session whose lock cannot be taken keeps its epoch', async () => {
  const { log, database, locks } = opened();
  await log.create('one', 1);
  mkdirSync(join(locks, 'one.lock'), { recursive: true });
  await expect(log.take('one', holder)).rejects.toThrow('cannot be opened');
  expect(database.prepare('SELECT epoch, holder FROM session').get()).toEqual({ epoch: 0, holder: null });
  await log.close();
});

test('records are closed with the log, and wake whoever watches them', async () => {
  const { log, file } = opened();
  const watcher = log.requests?.watch(AbortSignal.timeout(60_000))[Symbol.asyncIterator]();
  const woken = watcher?.next();
  await new Promise((resolve) => setImmediate(resolve));
  const request = { id: 'a', conversation: 'c', lane: 'l', time: 1, depth: 0, body: {}, receipts: [], assets: [] };
  await log.requests?.begin(request as unknown as StoredRequest);
  expect((await woken)?.done).toBe(false);
  await log.close();
  expect(existsSync(`${file}-wal`)).toBe(false); // nobody has it open any more
});

test('a search tells where words were found, from the newest or before an entry', async () => {
  const { log } = opened();
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  const { ids } = await log.append(lease, [note('a heron'), note('two herons'), note('a stork')]);
  const hits = await log.search('heron', { limit: 9 });
  expect(hits.map(({ entry, excerpt, session }) => [entry, excerpt, session.id])).toEqual([
    [ids[1], 'two herons', 'one'],
    [ids[0], 'a heron', 'one'],
  ]);
  expect(await log.search('heron', { limit: 9, before: ids[1] ?? 0 })).toHaveLength(1);
  await log.close();
});

test('the list follows an append to another minute', async () => {
  const { log } = opened();
  for (const id of ['one', 'two']) await log.create(id, 1);
  const lease = await log.take('one', holder);
  await log.append(lease, [note('late', 500_000)]);
  await log.append({ ...lease, next: 1 }, [note('early', 2)]);
  await log.append({ ...lease, next: 2 }, [note('late again', 500_000)]);
  expect((await log.list({ limit: 1 })).sessions).toMatchObject([{ id: 'one', updated: 500_000 }]);
  await log.close();
});
