// Sessions of a database: found by their beginning, listed by minutes, read through their forks, trimmed.
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { gone, taken } from '../../../src/session/log/port.ts';
import { schemaSteps } from '../../../src/session/log/migrations.ts';
import { queriesOf } from '../../../src/session/log/sqlite-queries.ts';
import type { Queries } from '../../../src/session/log/sqlite-queries.ts';
import {
  createSession,
  findSessions,
  infoAt,
  lastShared,
  listSessions,
  minuteOf,
  numberOf,
  readEntries,
  trimSession,
} from '../../../src/session/log/sqlite-sessions.ts';

function opened(steps = schemaSteps.length): Queries {
  const database = new DatabaseSync(':memory:');
  for (const step of schemaSteps.slice(0, steps)) database.exec(step);
  return queriesOf(database);
}

/** Adds entries of these types to a session; the number of the last. */
function add(queries: Queries, id: string, ...types: string[]): number {
  const sql = "INSERT INTO entry (session, time, version, type, body, checksum) VALUES (?, 1, 1, ?, '{}', 5)";
  return types.map((type) => queries.insert(sql, numberOf(queries, id), type)).at(-1) ?? 0;
}

const ids = (sessions: readonly { id: string }[]): string[] => sessions.map(({ id }) => id);
const create = (queries: Queries, id: string, time = 1, from?: { id: string; entry: number }): void =>
  createSession(queries, id, time, from);

test('is found by the beginning of its id, signs of patterns being only signs', () => {
  const queries = opened();
  for (const id of ['abc', 'ab', 'a_c', 'b%', 'abd', String.raw`q\x`]) create(queries, id);
  expect(ids(findSessions(queries, 'ab'))).toEqual(['ab', 'abc', 'abd']);
  expect(ids(findSessions(queries, 'abd'))).toEqual(['abd']);
  expect(ids(findSessions(queries, 'a_'))).toEqual(['a_c']);
  expect(ids(findSessions(queries, 'b%'))).toEqual(['b%']);
  expect(ids(findSessions(queries, String.raw`q\x`))).toEqual([String.raw`q\x`]);
  for (let at = 0; at < 12; at++) create(queries, `many${at}`);
  expect(findSessions(queries, 'many')).toHaveLength(10);
});

test('has one number, under which it is told about; none is told as such', () => {
  const queries = opened();
  create(queries, 'one', 120_000);
  expect(infoAt(queries, numberOf(queries, 'one'))).toMatchObject({ id: 'one', created: 120_000, updated: 120_000 });
  expect(infoAt(queries, 99)).toBeUndefined();
  expect(() => numberOf(queries, 'nobody')).toThrow(gone('nobody'));
  expect(() => create(queries, 'one', 2)).toThrow(taken('one'));
  expect(() => create(queries, 'two', 2, { id: 'nobody', entry: 1 })).toThrow(gone('nobody'));
  expect(queries.one('SELECT minute FROM session')).toEqual({ minute: 2 });
  expect([minuteOf(59_999), minuteOf(60_000)]).toEqual([0, 1]);
  expect(readEntries(queries, 'one', {})).toEqual([]);
});

describe('a list', () => {
  const times = [5, 65_000, 70_000, 70_000, 130_000];
  const filled = (steps?: number): Queries => {
    const queries = opened(steps);
    for (const [at, time] of times.entries())
      if (steps === undefined) create(queries, `s${at}`, time);
      else queries.run('INSERT INTO session (id, created, updated) VALUES (?, ?, ?)', `s${at}`, time, time);
    return queries;
  };

  test.each([['of today', undefined], ['of a file that is only looked at', 2]])('%s goes page by page', (_what, steps) => {
    const queries = filled(steps);
    const all = ['s4', 's3', 's2', 's1', 's0'];
    expect(listSessions(queries, {})).toMatchObject({ sessions: all.map((id) => ({ id })) });
    expect(listSessions(queries, {})).not.toHaveProperty('next');
    expect(listSessions(queries, { limit: 5 })).not.toHaveProperty('next');
    expect(listSessions(queries, { limit: 2 }).next).toEqual({ id: 's3', updated: 70_000 });
    expect(ids(listSessions(queries, { limit: 2, before: { id: 's3', updated: 70_000 } }).sessions)).toEqual(['s2', 's1']);
    expect(ids(listSessions(queries, { before: { id: 's1', updated: 65_000 } }).sessions)).toEqual(['s0']);
    // One that is gone: those of the same time count as seen.
    expect(ids(listSessions(queries, { before: { id: 'gone', updated: 70_000 } }).sessions)).toEqual(['s1', 's0']);
    expect(listSessions(queries, { limit: 0 })).toEqual({ sessions: [] });
  }); // prettier-ignore

  test('leaves out what only forks still need', () => {
    const queries = filled();
    queries.run("UPDATE session SET removed = 1 WHERE id = 's4'");
    expect(ids(listSessions(queries, { limit: 1 }).sessions)).toEqual(['s3']);
    expect(findSessions(queries, 's4')).toEqual([]);
    expect(() => numberOf(queries, 's4')).toThrow(gone('s4'));
    expect(infoAt(queries, 5)).toBeUndefined();
  });
});

/** Three lines: each forked in the middle of the one before it. */
function forked(): Queries {
  const queries = opened();
  create(queries, 'trunk');
  add(queries, 'trunk', 'message', 'note', 'message', 'message'); // 1 to 4
  queries.run("UPDATE session SET title = 'T', model = 'm' WHERE id = 'trunk'");
  create(queries, 'branch', 180_000, { id: 'trunk', entry: 3 });
  add(queries, 'branch', 'message', 'title', 'message'); // 5 to 7
  create(queries, 'twig', 3, { id: 'branch', entry: 6 });
  add(queries, 'twig', 'message'); // 8
  create(queries, 'leaf', 4, { id: 'twig', entry: 2 }); // far back, in the trunk
  return queries;
}

describe('a fork', () => {
  test('is read through what it came from', () => {
    const queries = forked();
    const read = (id: string, options = {}): number[] => readEntries(queries, id, options).map((row) => row.id);
    expect(read('twig')).toEqual([1, 2, 3, 5, 6, 8]);
    expect(read('leaf')).toEqual([1, 2]);
    expect(read('twig', { limit: 4 })).toEqual([1, 2, 3, 5]);
    expect(read('twig', { newest: 4 })).toEqual([8, 6, 5, 3]);
    expect(read('twig', { newest: 3, before: 6 })).toEqual([5, 3, 2]);
    expect(read('twig', { after: 2, before: 8 })).toEqual([3, 5, 6]);
    expect(read('twig', { types: ['message', 'title'], after: 1 })).toEqual([3, 5, 6, 8]);
    expect(read('twig', { newest: 0 })).toEqual([]);
    expect(readEntries(queries, 'leaf', { limit: 1 })).toEqual([
      { id: 1, parent: null, time: 1, version: 1, type: 'message', body: '{}', checksum: 5 },
    ]);
  });

  test('has title, model and messages of what it shares, its own times, and where it came from', () => {
    const queries = forked();
    const [branch] = findSessions(queries, 'branch');
    expect(branch).toMatchObject({ title: 'T', model: 'm', messages: 2, created: 180_000, updated: 180_000 });
    expect(branch?.forkedFrom).toEqual({ id: 'trunk', entry: 3 });
    expect(queries.one("SELECT minute FROM session WHERE id = 'branch'")).toEqual({ minute: 3 });
    expect(findSessions(queries, 'twig')[0]).toMatchObject({ messages: 3 });
    expect(findSessions(queries, 'leaf')[0]).toMatchObject({ messages: 1 });
    expect([lastShared(queries, 1), lastShared(queries, 2), lastShared(queries, 4)]).toEqual([3, 6, undefined]);
  });

  test('takes over what was named up to its entry, and not what was only put', () => {
    const queries = opened();
    create(queries, 'trunk');
    for (const [hash, kind, entry] of [
      ['a', 2, 1],
      ['b', 2, 9],
      ['c', 1, 2],
      ['d', 0, 0],
    ] as const)
      // prettier-ignore
      queries.run('INSERT INTO reference VALUES (1, ?, ?, ?)', hash, kind, entry);
    create(queries, 'branch', 2, { id: 'trunk', entry: 2 });
    expect(queries.all('SELECT hash, kind, entry FROM reference WHERE session = 2')).toEqual([
      { hash: 'a', kind: 2, entry: 1 },
      { hash: 'c', kind: 1, entry: 2 },
    ]);
    queries.run("INSERT INTO asset (hash, size, time) VALUES ('a', 5, 1), ('c', 7, 1)");
    expect(infoAt(queries, 2)).toMatchObject({ media: 1, mediaBytes: 5 });
  });
});

const left = (queries: Queries, sql: string): unknown[] => queries.all(sql).map((row) => Object.values(row)[0]);

describe('what no session reads any more goes', () => {
  test('all of it where there is no fork', () => {
    const queries = forked();
    const [hash, other] = ['a'.repeat(64), 'b'.repeat(64)];
    queries.run('INSERT INTO reference VALUES (4, ?, 2, 1), (3, ?, 2, 1)', hash, other);
    for (const one of [hash, other])
      queries.run("INSERT INTO description (key, text, at, asset) VALUES (?, 'seen', 1, ?)", one, one);
    for (const key of ['leaf x', 'leaf', 'leafy x', 'twig x']) queries.run('INSERT INTO once VALUES (?, 1)', key);
    for (const id of ['leaf', 'twig'])
      queries.run("INSERT INTO request (id, conversation, lane, depth, time, row, body, bytes) VALUES (?, ?, 'l', 0, 1, '{}', '{}', 4)", id, id); // prettier-ignore
    add(queries, 'leaf', 'note');
    trimSession(queries, 4);
    expect(left(queries, 'SELECT id FROM session ORDER BY number')).toEqual(['trunk', 'branch', 'twig']);
    expect(left(queries, 'SELECT id FROM entry ORDER BY id')).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(left(queries, 'SELECT key FROM once ORDER BY key')).toEqual(['leaf', 'leafy x', 'twig x']);
    expect(left(queries, 'SELECT id FROM request')).toEqual(['twig']);
    expect(left(queries, 'SELECT session FROM reference')).toEqual([3]);
    expect(left(queries, 'SELECT key FROM description')).toEqual([other]);
  });

  test('all after what a fork shares, its name being kept for those', () => {
    const queries = forked();
    queries.database.exec("INSERT INTO words (rowid, text) VALUES (1, 'shared'), (4, 'secret'); UPDATE indexed SET last = 8");
    trimSession(queries, 1);
    expect(left(queries, 'SELECT id FROM entry WHERE session = 1')).toEqual([1, 2, 3]);
    expect(left(queries, 'SELECT rowid FROM words')).toEqual([1]);
    expect(queries.one('SELECT removed, title FROM session WHERE number = 1')).toEqual({ removed: 1, title: null });
    expect(readEntries(queries, 'branch', {}).map(({ id }) => id)).toEqual([1, 2, 3, 5, 6, 7]);
  }); // prettier-ignore

  test('and what was kept for a fork goes with the last of them', () => {
    const queries = forked();
    trimSession(queries, 1);
    trimSession(queries, 2);
    expect(left(queries, 'SELECT id FROM entry ORDER BY id')).toEqual([1, 2, 3, 5, 6, 8]);
    trimSession(queries, 4);
    queries.database.exec('UPDATE indexed SET last = 8');
    trimSession(queries, 3);
    expect([left(queries, 'SELECT id FROM session'), left(queries, 'SELECT id FROM entry')]).toEqual([[], []]);
    expect(left(queries, 'SELECT last FROM indexed')).toEqual([0]);
  });

  test('but not what is still a session of its own', () => {
    const queries = forked();
    trimSession(queries, 4);
    trimSession(queries, 3);
    expect(left(queries, 'SELECT id FROM session ORDER BY number')).toEqual(['trunk', 'branch']);
    expect(left(queries, 'SELECT id FROM entry ORDER BY id')).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});
