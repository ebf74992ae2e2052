// The index of words: many entries join it at once, and a search finds the others all the same.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { schemaSteps } from '../../../src/session/log/migrations.ts';
import {
  forgetEntries,
  forgetWords,
  indexSome,
  indexWords,
  maxSearched,
  searchEntries,
} from '../../../src/session/log/search-index.ts';

/** A database with these notes in session 1, numbered from 1. */
function noted(...texts: string[]): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const step of schemaSteps) database.exec(step);
  add(database, 1, 'note', ...texts.map((text) => JSON.stringify({ text })));
  return database;
}

function add(database: DatabaseSync, session: number, type: string, ...bodies: string[]): void {
  const sql = 'INSERT INTO entry (session, time, version, type, body) VALUES (?, 1, 1, ?, ?)';
  for (const body of bodies) database.prepare(sql).run(session, type, body);
}

const found = (database: DatabaseSync, text: string, limit = 9, before = 1e9): number[] =>
  searchEntries(database, text, limit, before).map(({ entry }) => entry.id);

const indexed = (database: DatabaseSync): unknown[] =>
  database
    .prepare('SELECT rowid FROM words ORDER BY rowid')
    .all()
    .map(({ rowid }) => rowid);

const last = (database: DatabaseSync): unknown => database.prepare('SELECT last FROM indexed').get()?.['last'];

test('so many wait until they join together', () => {
  const database = noted('one', 'two', 'three');
  indexWords(database, 3, 4);
  expect([indexed(database), last(database)]).toEqual([[], 0]);
  indexWords(database, 3, 3);
  expect([indexed(database), last(database)]).toEqual([[1, 2, 3], 3]);
  add(database, 1, 'note', '{"text":"four"}', '{"text":""}', '{"text":"six"}');
  indexWords(database, 6, 1);
  expect([indexed(database), last(database)]).toEqual([[1, 2, 3, 4, 6], 6]);
});

test('an append looks at the index when it passes a mark, and only then', () => {
  const many = noted(...Array.from({ length: 130 }, (_, at) => `word ${at}`));
  indexSome(many, 63, 3);
  indexSome(many, 65, 1); // the one before passed the mark
  indexSome(many, 66, 2);
  expect(last(many)).toBe(0);
  indexSome(many, 64, 1);
  expect(last(many)).toBe(64);
  indexSome(many, 130, 3);
  expect(last(many)).toBe(130);
});

test('what people said joins; what was decided, counted or summed up does not', () => {
  const database = noted('walrus');
  const said = JSON.stringify({ message: { role: 'user', content: [{ type: 'text', text: 'walrus' }] } });
  add(database, 1, 'message', said);
  add(database, 1, 'title', '{"title":"walrus"}');
  add(database, 1, 'summary', '{"text":"walrus","covers":1}');
  add(database, 1, 'model', '{"model":"walrus"}');
  expect(found(database, 'walrus')).toEqual([3, 2, 1]);
  indexWords(database, 5, 1);
  expect(indexed(database)).toEqual([1, 2, 3]);
  expect(found(database, 'walrus')).toEqual([3, 2, 1]);
});

test('the newest first, whether they have joined or not, with the session of each', () => {
  const database = noted('a heron', 'a stork', 'two herons');
  add(database, 7, 'note', '{"text":"three herons"}', '{"text":"four storks"}', '{"text":"five herons"}');
  indexWords(database, 3, 1);
  database.exec('DELETE FROM words WHERE rowid > 3');
  expect(found(database, 'heron')).toEqual([6, 4, 3, 1]);
  expect(searchEntries(database, 'heron', 9, 1e9).map(({ session }) => session)).toEqual([7, 7, 1, 1]);
  expect(found(database, 'heron', 3)).toEqual([6, 4, 3]);
  expect(found(database, 'heron', 1)).toEqual([6]);
  expect(found(database, 'heron', 9, 6)).toEqual([4, 3, 1]);
  expect(found(database, 'heron', 9, 3)).toEqual([1]);
  expect(found(database, 'five her')).toEqual([6]);
  expect(found(database, 'a her')).toEqual([1]);
  for (const nothing of ['', ' - ', '%']) expect(found(database, nothing)).toEqual([]);
});

test('scripts without spaces are looked for as they stand, signs and all', () => {
  const database = noted('今日の天気', '天気"100%"\\です', '天気 100 です', '明日');
  add(database, 1, 'model', '{"model":"天気"}');
  expect(found(database, ' 天気 ')).toEqual([3, 2, 1]);
  expect(found(database, '天気', 2)).toEqual([3, 2]);
  expect(found(database, '天気', 9, 3)).toEqual([2, 1]);
  expect(found(database, '天気"100%"\\')).toEqual([2]);
  expect(found(database, '天%日')).toEqual([]);
  expect(found(database, '天_')).toEqual([]);
});

test('of a very long entry the first words are found', () => {
  const database = noted(`${'x'.repeat(maxSearched - 8)} heron egret`);
  indexWords(database, 1, 1);
  expect([found(database, 'heron'), found(database, 'egret')]).toEqual([[1], []]);
});

test('words of a session after an entry are forgotten, or of single entries', () => {
  const database = noted('heron', 'heron', 'heron');
  add(database, 2, 'note', '{"text":"heron"}');
  add(database, 1, 'note', '{"text":"heron"}');
  indexWords(database, 4, 1);
  database.exec('DELETE FROM words WHERE rowid > 4');
  forgetWords(database, 1, 1);
  expect(indexed(database)).toEqual([1, 4]);
  forgetEntries(database, [4, 5]);
  expect(indexed(database)).toEqual([1]);
  forgetEntries(database, [1]);
  expect(indexed(database)).toEqual([]);
});

test('what joined as it was written is found as it was typed', () => {
  const database = noted('Это мой дом', '이 문서를 보세요', 'यह हिन्दी है');
  const insert = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
  for (const [at, text] of ['Это мой дом', '이 문서를 보세요', 'यह हिन्दी है'].entries()) insert.run(at + 1, text);
  database.exec('UPDATE indexed SET last = 3');
  expect(['Мой', '문서', 'हिन्दी'].map((text) => found(database, text))).toEqual([[1], [2], [3]]);
});
