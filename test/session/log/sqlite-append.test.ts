// Rows at the end of a session in SQLite: what the tables hold afterwards, and what a repeated append is told.
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import type { NewRow } from '../../../src/session/log/port.ts';
import { outOfStep } from '../../../src/session/log/port.ts';
import { schemaSteps } from '../../../src/session/log/migrations.ts';
import { appendRows } from '../../../src/session/log/sqlite-append.ts';
import { queriesOf } from '../../../src/session/log/sqlite-queries.ts';

const note = (text: string, more: Partial<NewRow> = {}): NewRow => ({
  type: 'note',
  version: 1,
  time: 1000,
  body: JSON.stringify({ text }),
  ...more,
});

type Opened = {
  database: DatabaseSync;
  append: (next: number, rows: readonly NewRow[], minute?: number) => ReturnType<typeof appendRows>;
  session: () => Record<string, unknown> | undefined;
};

function opened(): Opened {
  const database = new DatabaseSync(':memory:');
  for (const step of schemaSteps) database.exec(step);
  database.exec("INSERT INTO session (id, created, updated, epoch) VALUES ('s', 1, 1, 3), ('t', 1, 1, 1)");
  const queries = queriesOf(database);
  const seqNow = (): number => Number(queries.one('SELECT seq FROM session WHERE number = 1')?.['seq']);
  return {
    database,
    append: (next, rows, minute = 0) =>
      appendRows(queries, { number: 1, minute }, { session: 's', epoch: 3, next }, rows, seqNow),
    session: () => queries.one('SELECT * FROM session WHERE number = 1'),
  };
}

const entries = (database: DatabaseSync): unknown[] =>
  database.prepare('SELECT id, parent, body, key, checksum FROM entry ORDER BY id').all();

test('each row has the one before it as its parent, its key and the sum of its words', () => {
  const { database, append } = opened();
  expect(append(0, [note('a'), note('b', { key: 'k' })])).toEqual({ ids: [1, 2], gone: [], minute: 0 });
  const [a, b] = ['{"text":"a"}', '{"text":"b"}'];
  expect(entries(database)).toEqual([
    { id: 1, parent: null, body: a, key: null, checksum: crc32(a) },
    { id: 2, parent: 1, body: b, key: 'k', checksum: crc32(b) },
  ]);
});

test('the first row of a fork comes after the entry it was forked at', () => {
  const { database, append } = opened();
  database.exec('UPDATE session SET parent = 2, fork = 7 WHERE number = 1');
  append(0, [note('a')]);
  expect(entries(database)).toMatchObject([{ parent: 7 }]);
});

test('the list moves when the minute does, and only then', () => {
  const { append, session, database } = opened();
  const told: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = (sql) => {
    told.push(sql);
    return prepare(sql);
  };
  expect(append(0, [note('a', { time: 59_999 })]).minute).toBe(0);
  expect(told.filter((sql) => sql.includes('SET minute'))).toEqual([]);
  expect(append(1, [note('a', { time: 3 }), note('b', { time: 125_000 })]).minute).toBe(2);
  expect(session()).toMatchObject({ minute: 2, updated: 125_000, seq: 3 });
  expect(append(3, [], 2)).toEqual({ ids: [], gone: [], minute: 2 });
  expect(session()).toMatchObject({ minute: 2, updated: 125_000, seq: 3 });
});

test('what rows change is added to the session, each key once', () => {
  const { append, session } = opened();
  const usage = { inputTokens: 3, outputTokens: 2 };
  append(0, [note('a', { type: 'message', change: { firstWords: 'first', usage, model: 'm/a' } })]);
  expect(session()).toMatchObject({ title: 'first', model: 'm/a', messages: 1, input: 3, output: 2, cost: null });
  append(1, [note('b', { key: 'k', time: 5000, change: { usage: { ...usage, cost: 0.5 }, firstWords: 'later' } })]);
  append(2, [note('c', { key: 'k', time: 9000, change: { usage: { ...usage, cost: 0.5 } } })]);
  expect(session()).toMatchObject({ title: 'first', input: 6, output: 4, cost: 0.5, seq: 3, updated: 5000 });
  append(3, [note('d', { change: { title: 'Named', usage: { ...usage, cost: 0.25 } } }), note('e')]);
  expect(session()).toMatchObject({ title: 'Named', model: 'm/a', cost: 0.75, input: 9, messages: 1, seq: 5 });
});

test('repeated, it is told what was stored; another in its place is refused', () => {
  const { append, database } = opened();
  const rows = [note('a'), note('k', { key: 'k' }), note('b')];
  const { ids } = append(0, rows);
  expect(append(0, rows, 7)).toEqual({ ids, gone: [], minute: 7 });
  expect(append(0, [note('a'), note('other words', { key: 'k' }), note('b')])).toMatchObject({ ids });
  const before = entries(database);
  for (const others of [[note('b'), note('k', { key: 'k' }), note('a')], [note('a')], [...rows, note('c')]])
    expect(() => append(0, others)).toThrow(outOfStep({ session: 's', epoch: 3, next: 0 }, 3));
  expect(() => append(5, [note('a')])).toThrow(outOfStep({ session: 's', epoch: 3, next: 5 }, 3));
  expect(entries(database)).toEqual(before);
});

const assetId = (letter: string): `sha256:${string}` => `sha256:${letter.repeat(64)}`;

test('what a message names is referred to, and told when nobody has it', () => {
  const { append, database } = opened();
  database.exec(`INSERT INTO asset (hash, size, time, stored) VALUES ('${'a'.repeat(64)}', 5, 1, 1)`);
  const refers = [
    { id: assetId('a'), size: 5, by: 'message' },
    { id: assetId('b'), size: 6, by: 'message' },
    { id: assetId('c'), size: 7, by: 'ledger' },
  ] as const;
  expect(append(0, [note('see', { key: 'k', refers })]).gone).toEqual([assetId('b')]);
  expect(append(1, [note('again', { key: 'k', refers: [{ id: assetId('d'), size: 1, by: 'message' }] })]).gone).toEqual(
    [],
  );
  const kinds = database.prepare('SELECT substr(hash, 1, 1) AS hash, kind, entry FROM reference ORDER BY hash').all();
  expect(kinds).toEqual([
    { hash: 'a', kind: 2, entry: 1 },
    { hash: 'b', kind: 2, entry: 1 },
    { hash: 'c', kind: 1, entry: 1 },
  ]);
  const assets = database.prepare('SELECT substr(hash, 1, 1) AS hash, size, time, stored FROM asset ORDER BY hash');
  expect(assets.all()).toEqual([
    { hash: 'a', size: 5, time: 1, stored: 1 },
    { hash: 'b', size: 6, time: 1000, stored: 0 },
  ]);
});

test('words join the index when a mark is passed', () => {
  const { append, database } = opened();
  const last = (): unknown => database.prepare('SELECT last FROM indexed').get()?.['last'];
  append(
    0,
    Array.from({ length: 63 }, (_, at) => note(`n${at}`)),
  );
  expect(last()).toBe(0);
  append(63, [note('last')]);
  expect(last()).toBe(64);
});
