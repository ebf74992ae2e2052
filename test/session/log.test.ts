// Every log keeps the contract that implementers run; what each promises beyond it follows.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { entryLogContract } from '../../src/session/contract.ts';
import type { MadeLog } from '../../src/session/contract.ts';
import { openDatabase } from '../../src/session/log/database.ts';
import { jsonLinesLog } from '../../src/session/log/json-lines.ts';
import { memoryLog } from '../../src/session/log/memory.ts';
import type { EntryLog } from '../../src/session/log/port.ts';
import { sqliteLog } from '../../src/session/log/sqlite.ts';
import { lateLog } from './late.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-logs-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function made(open: (home: string, now: () => number) => EntryLog, lasts = true): () => MadeLog {
  return () => {
    let clock = 1000;
    const home = mkdtempSync(join(scratch, 'home-'));
    const log = open(home, () => clock);
    return { log, tick: (ms) => (clock += ms), ...(lasts && { reopen: () => open(home, () => clock) }) };
  };
}

const inSqlite = (home: string, now: () => number): EntryLog => {
  const file = join(home, 'sessions.db');
  return sqliteLog(openDatabase(file), { file, locks: join(home, 'locks'), now });
};

const logs: [string, () => MadeLog][] = [
  ['memory', made((_home, now) => memoryLog({ now }), false)],
  ['JSON lines', made((home, now) => jsonLinesLog(join(home, 'sessions.jsonl'), { readOnly: false, now }))],
  ['SQLite', made(inSqlite)],
  ['memory that answers late', made((_home, now) => lateLog(memoryLog({ now }), 'answers'), false)],
  ['SQLite that answers late', made((home, now) => lateLog(inSqlite(home, now), 'answers'))],
];

describe.each(logs)('a log in %s', (_name, make) => {
  entryLogContract(test, make);
});

test('a log in SQLite waits for the disk whenever it answers an append, and never otherwise', async () => {
  const home = mkdtempSync(join(scratch, 'home-'));
  const file = join(home, 'sessions.db');
  const database = openDatabase(file);
  const told: unknown[] = [];
  const exec = database.exec.bind(database);
  database.exec = (sql) => {
    if (sql.startsWith('PRAGMA synchronous')) told.push(sql);
    exec(sql);
  };
  const isFull = (): boolean => database.prepare('PRAGMA synchronous').get()?.['synchronous'] === 2;
  const log = sqliteLog(database, { file, locks: join(home, 'locks'), now: () => 1 });
  expect(isFull()).toBe(true);
  await log.create('one', 1);
  const lease = await log.take('one', { host: 'here', process: 1 });
  await log.claims.lease([{ id: `sha256:${'a'.repeat(64)}`, size: 1 }], 'one');
  expect(isFull()).toBe(true);
  const before = told.length;
  await log.append(lease, [{ type: 'note', version: 1, time: 1, body: '{"text":"a"}' }]);
  expect([told.length - before, isFull()]).toEqual([0, true]);
  await log.close();
});
