// A long session goes in parts, the newest first, each of which gives its room back.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../../src/session/log/database.ts';
import { removeInParts } from '../../../src/session/log/remove-in-parts.ts';
import { indexWords } from '../../../src/session/log/search-index.ts';
import { queriesOf } from '../../../src/session/log/sqlite-queries.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-parts-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const kilobyte = 1024;

const bodyOf = (size: number): string => JSON.stringify({ text: 'w'.repeat(size - 11) });

/** Two sessions with entries of such sizes; one has records of requests besides. */
function filled(sizes: readonly number[], records: readonly number[] = []): DatabaseSync {
  const database = openDatabase(join(mkdtempSync(join(scratch, 'home-')), 'sessions.db'));
  database.exec("INSERT INTO session (id, created, updated) VALUES ('long', 1, 1), ('other', 1, 1)");
  const entry = database.prepare(
    "INSERT INTO entry (session, time, version, type, body) VALUES (?, 1, 1, 'note', ?) RETURNING id",
  );
  for (const size of sizes) entry.get(1, bodyOf(size));
  entry.get(2, bodyOf(100));
  const request = database.prepare(
    "INSERT INTO request (id, conversation, lane, depth, time, row, body, bytes) VALUES (?, ?, 'l', 0, 1, '{}', '{}', ?)",
  );
  for (const [at, bytes] of records.entries()) request.run(`r${at}`, 'long', bytes);
  request.run('kept', 'other', 10);
  indexWords(database, sizes.length + 1, 1);
  return database;
}

/** How much is left of both after each part. */
function removed(database: DatabaseSync): { requests: number[]; entries: number[] } {
  const count = (table: string): number =>
    Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']);
  const left = { requests: [count('request')], entries: [count('entry')] };
  const exec = database.exec.bind(database);
  database.exec = (sql) => {
    exec(sql);
    if (sql !== 'PRAGMA wal_checkpoint(TRUNCATE)') return;
    if (count('request') !== left.requests.at(-1)) left.requests.push(count('request'));
    else left.entries.push(count('entry'));
  };
  removeInParts(queriesOf(database), 1);
  return left;
}

test('small ones go a hundred at a time, and nothing of another session', () => {
  const database = filled(Array.from({ length: 230 }, () => 50), Array.from({ length: 130 }, () => 50)); // prettier-ignore
  expect(removed(database)).toEqual({ requests: [131, 31, 1], entries: [231, 131, 31, 1] });
  expect(database.prepare('SELECT id FROM request').all()).toEqual([{ id: 'kept' }]);
  expect(database.prepare('SELECT session FROM entry').all()).toEqual([{ session: 2 }]);
  expect(database.prepare('SELECT rowid FROM words').all()).toEqual([{ rowid: 231 }]);
  database.close();
});

test('a part holds 64 kB, and one at least however large it is', () => {
  const sizes = [1, 20, 44, 100, 64, 1].map((size) => size * kilobyte);
  const database = filled(sizes, sizes);
  expect(removed(database)).toEqual({ requests: [7, 6, 5, 4, 2, 1], entries: [7, 6, 5, 4, 2, 1] });
  database.close();
});

test('what a fork shares stays, words and all', () => {
  const database = filled([50, 50, 50, 50]);
  database.exec("INSERT INTO session (id, parent, fork, created, updated) VALUES ('branch', 1, 2, 1, 1)");
  removed(database);
  expect(database.prepare('SELECT id FROM entry ORDER BY id').all()).toEqual([{ id: 1 }, { id: 2 }, { id: 5 }]);
  expect(database.prepare('SELECT rowid FROM words ORDER BY rowid').all()).toEqual([
    { rowid: 1 },
    { rowid: 2 },
    { rowid: 5 },
  ]);
  database.close();
});

test('when it fails in the middle, the newest are gone and the others whole', () => {
  const database = filled(Array.from({ length: 150 }, () => 50)); // prettier-ignore
  database.exec(
    "CREATE TRIGGER stop BEFORE DELETE ON entry WHEN old.id = 20 BEGIN SELECT raise(ABORT, 'no room'); END",
  );
  expect(() => removeInParts(queriesOf(database), 1)).toThrow('no room');
  expect(database.prepare('SELECT count(*) AS count, max(id) AS last FROM entry WHERE session = 1').get()).toEqual({
    count: 50,
    last: 50,
  });
  database.close();
});
