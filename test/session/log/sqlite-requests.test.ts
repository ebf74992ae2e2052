// Records of requests in SQLite, beyond the contract: another writer is waited for, an older file has none, what came of them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import type { StoredRequest } from '../../../src/record/table.ts';
import { openDatabase } from '../../../src/session/log/database.ts';
import { schemaSteps } from '../../../src/session/log/migrations.ts';
import { forgetWhere, sqliteRequests } from '../../../src/session/log/sqlite-requests.ts';
import type { SqliteRequests } from '../../../src/session/log/sqlite-requests.ts';
import { openFiles } from '../open-files.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-records-'));
afterAll(() => rmSync(scratch, { recursive: true }));
afterEach(() => void vi.useRealTimers());

const request = (id: string, more: object = {}): StoredRequest =>
  ({ id, conversation: 'talk', lane: 'main', time: 1, depth: 0, body: {}, receipts: [], assets: [], ...more }) as unknown as StoredRequest; // prettier-ignore

type Opened = SqliteRequests & { database: DatabaseSync; file: string; woken: () => number };

function opened(): Opened {
  const file = join(mkdtempSync(join(scratch, 'home-')), 'sessions.db');
  const database = openDatabase(file);
  let woken = 0;
  return { ...sqliteRequests(database, file, () => woken++), database, file, woken: () => woken };
}

const rows = (database: DatabaseSync, sql: string): unknown[] =>
  database
    .prepare(sql)
    .all()
    .map((row) => Object.values(row)[0]);

test('another writer is waited for without holding up anybody, and not for ever', async () => {
  vi.useFakeTimers();
  const { table, database, woken, close } = opened();
  database.exec('BEGIN IMMEDIATE');
  let outcome = 'waiting';
  const begun = table.begin(request('a')).then(() => (outcome = 'begun'));
  await vi.advanceTimersByTimeAsync(7000);
  expect([outcome, woken()]).toEqual(['waiting', 0]);
  database.exec('COMMIT');
  await vi.advanceTimersByTimeAsync(200);
  await begun;
  expect([outcome, woken()]).toEqual(['begun', 1]);
  database.exec('BEGIN IMMEDIATE');
  const late = table.begin(request('b')).catch((error: unknown) => String(error));
  await vi.advanceTimersByTimeAsync(8300);
  expect(await late).toMatch(/locked/);
  database.exec('COMMIT');
  expect(rows(database, 'SELECT id FROM request')).toEqual(['a']);
  close();
  database.close();
});

test('what is no matter of waiting is told at once', async () => {
  const { table, database, close, woken } = opened();
  await table.begin(request('a'));
  await expect(table.begin(request('b', { depth: 'deep' as never }))).rejects.toThrow(/cannot store TEXT/);
  expect(woken()).toBe(1);
  close();
  close();
  await table.begin(request('b')); // it opens the file again
  expect(rows(database, 'SELECT id FROM request')).toEqual(['a', 'b']);
  close();
  database.close();
});

/** Whether this process has the file open, or what SQLite keeps beside it. */
function isOpen(file: string): boolean {
  return openFiles().some((one) => one.startsWith(file));
}

test.runIf(process.platform === 'linux')('when it is closed nothing is open any more', async () => {
  const { table, database, file, close } = opened();
  await table.begin(request('a'));
  expect(isOpen(file)).toBe(true);
  close();
  database.close();
  expect(isOpen(file)).toBe(false);
});

test('a request that begins again changes nothing, not even which pictures it names', async () => {
  const { table, database, close } = opened();
  const [red, green] = ['a', 'b'].map((letter) => letter.repeat(64));
  await table.begin(request('one', { assets: [`sha256:${red}`] }));
  await table.begin(request('one', { assets: [`sha256:${green}`], time: 9 }));
  expect(rows(database, 'SELECT hash FROM request_asset')).toEqual([red]);
  expect(rows(database, 'SELECT time FROM request')).toEqual([1]);
  close();
  database.close();
});

test('its own connection waits for no disk, and what goes is overwritten', async () => {
  const { table, database, file, close } = opened();
  await table.begin(request('a', { url: 'secret-penguin '.repeat(400) }));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  expect(readFileSync(file).includes('secret-penguin')).toBe(true);
  await table.forget('talk');
  expect(readFileSync(file).includes('secret-penguin')).toBe(false);
  expect(readFileSync(`${file}-wal`).includes('secret-penguin')).toBe(false);
  close();
  database.close();
});

test('a file of an older version has none, until it has', async () => {
  const database = new DatabaseSync(':memory:');
  for (const step of schemaSteps.slice(0, 3)) database.exec(step);
  const { table } = sqliteRequests(database, ':memory:', () => undefined);
  expect([await table.list('talk'), await table.conversations(), await table.sizes()]).toEqual([[], [], []]);
  expect([await table.chain('a'), await table.last('talk', 'main')]).toEqual([[], undefined]);
  for (const step of schemaSteps.slice(3)) database.exec(step);
  database.exec("INSERT INTO request (id, conversation, lane, depth, time, row, body, bytes) VALUES ('a', 'talk', 'l', 0, 1, '{\"id\":\"a\"}', '{}', 4)"); // prettier-ignore
  expect(await table.list('talk')).toMatchObject([{ id: 'a' }]);
});

test('what came of requests goes with them', async () => {
  const { table, database, close } = opened();
  const [red, blue, green] = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
  await table.begin(request('one', { assets: [`sha256:${red}`], body: { head: { at: `sha256:${red}` } } }));
  await table.begin(request('two', { assets: [`sha256:${green}`], body: { head: { at: `sha256:${green}` } } }));
  for (const [id, hash] of [
    ['one', red],
    ['two', green],
    ['nobody', blue],
  ] as const) {
    // prettier-ignore
    for (const name of ['said', 'ledger'])
      database.exec(`INSERT INTO gateway_${name} (digest, text, at, request) VALUES ('${id}', 't', 1, '${id}')`);
    database.exec(`INSERT INTO description (key, text, at, asset) VALUES ('${id}', 't', 1, '${hash}')`);
  }
  forgetWhere(database, 'id = ?', 'one');
  for (const name of ['gateway_said', 'gateway_ledger'])
    expect(rows(database, `SELECT digest FROM ${name} ORDER BY digest`)).toEqual(['nobody', 'two']);
  expect(rows(database, 'SELECT key FROM description ORDER BY key')).toEqual(['nobody', 'two']);
  expect(rows(database, 'SELECT hash FROM request_asset')).toEqual([green]);
  expect(rows(database, 'SELECT id FROM request')).toEqual(['two']);
  close();
  database.close();
});

test('the room that a record takes is that of its texts, also when it is written anew', async () => {
  const { table, database, close } = opened();
  await table.begin(request('a'));
  const bytes = (): unknown[] => rows(database, 'SELECT bytes = length(row) + length(body) FROM request');
  expect(bytes()).toEqual([1]);
  await table.rewrite([request('a', { body: { head: { more: 'words' } }, depth: 2, before: 'x' })], []);
  expect(bytes()).toEqual([1]);
  expect(rows(database, "SELECT before || depth FROM request WHERE body LIKE '%words%'")).toEqual(['x2']);
  await table.rewrite([request('nobody', { assets: [`sha256:${'a'.repeat(64)}`] })], []);
  expect(rows(database, 'SELECT hash FROM request_asset')).toEqual([]);
  close();
  database.close();
});
