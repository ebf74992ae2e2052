// Questions to a database: rows, one row, how many were changed, which was added.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { entryRowOf, queriesOf } from '../../../src/session/log/sqlite-queries.ts';

test('each way of asking gives what it says', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE door (id INTEGER PRIMARY KEY, colour TEXT)');
  const queries = queriesOf(database);
  expect(queries.database).toBe(database);
  expect(queries.insert('INSERT INTO door VALUES (?, ?)', 7, 'red')).toBe(7);
  expect(queries.insert('INSERT INTO door (colour) VALUES (?)', 'blue')).toBe(8);
  expect(queries.all('SELECT id FROM door ORDER BY id')).toEqual([{ id: 7 }, { id: 8 }]);
  expect(queries.one('SELECT colour FROM door WHERE id = ?', 8)).toEqual({ colour: 'blue' });
  expect(queries.one('SELECT colour FROM door WHERE id = ?', 9)).toBeUndefined();
  expect(queries.run('UPDATE door SET colour = ?', 'green')).toBe(2);
  expect(queries.run('DELETE FROM door WHERE id = ?', 9)).toBe(0);
  database.close();
});

test('an entry has its own columns alone, and a checksum where one was made', () => {
  const entry = { id: 1, parent: null, time: 2, version: 1, type: 'message', body: '{}' };
  expect(entryRowOf({ ...entry, checksum: 'abc', session: 5 })).toEqual({ ...entry, checksum: 'abc' });
  expect(entryRowOf({ ...entry, session: 5 })).toStrictEqual(entry);
});
