// The index of words: entries join it many at a time, because one at a time would cost more than storing them. A search
// looks through those that have not joined yet one by one.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { cutText } from '../../content/text.ts';
import { prepared } from './database.ts';
import { wordsOf } from '../entry.ts';
import type { Entry, EntryId } from '../entry.ts';
import { readEntry } from './migrations.ts';
import type { EntryRow } from './migrations.ts';
import { isUnspaced, matches, matchQuery, searchWords, typedWords } from './search.ts';

/** So many entries wait until they are indexed together. */
const waiting = 64;

/** Words of an entry beyond this many characters are stored, but no search finds them. */
export const maxSearched = 200_000;

const spoken = "type IN ('message', 'title', 'note', 'summary')";
/** What only forks of a removed session still read is found nowhere. */
const isListed = 'session NOT IN (SELECT number FROM session WHERE removed = 1)';

type Row = Record<string, SQLOutputValue>;

function lastIndexed(database: DatabaseSync): number {
  return Number(prepared(database, 'SELECT last FROM indexed').get()?.['last'] ?? 0);
}

/** After some were added: each mark is passed by one append alone, so the others need not look. Called inside a transaction. */
export function indexSome(database: DatabaseSync, newest: number, added: number): void {
  if (newest % waiting < added) indexWords(database, newest, waiting);
}

/** Takes in what waits, when it is enough. Called inside a transaction. */
export function indexWords(database: DatabaseSync, newest: number, enough: number): void {
  const last = lastIndexed(database);
  if (newest - last < enough) return;
  const insert = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
  for (const row of database.prepare(`SELECT * FROM entry WHERE id > ? AND ${spoken} ORDER BY id`).iterate(last)) {
    const entry = readEntry(row as unknown as EntryRow);
    const words = indexedText(cutText(wordsOf(entry), maxSearched));
    if (words !== '') insert.run(entry.id, words);
  }
  database.prepare('UPDATE indexed SET last = ?').run(newest);
}

/** As words are compared: the index itself knows accents of Latin letters alone, and parts words of other scripts at their
 * vowel signs. */
function indexedText(text: string): string {
  return /[^\0-\u{7F}]/u.test(text) ? searchWords(text).join(' ') : text;
}

/** Forgets the words of a session's entries after one of them. Called before the entries go. */
export function forgetWords(database: DatabaseSync, session: number, after: number): void {
  const sql = `DELETE FROM words WHERE rowid IN (SELECT id FROM entry WHERE session = ? AND id > ? AND id <= ? AND ${spoken})`;
  database.prepare(sql).run(session, after, lastIndexed(database));
}

/** The same for some entries by their numbers. */
export function forgetEntries(database: DatabaseSync, ids: readonly EntryId[]): void {
  const last = lastIndexed(database);
  const forget = prepared(
    database,
    `DELETE FROM words WHERE rowid IN (SELECT id FROM entry WHERE id = ? AND ${spoken})`,
  );
  for (const id of ids) if (id <= last) forget.run(id);
}

type Spoken = { session: number; entry: Entry };

/** Entries with these words, the newest first. */
export function searchEntries(database: DatabaseSync, text: string, limit: number, before: EntryId): Spoken[] {
  const words = searchWords(text);
  if (words.length === 0) return [];
  const all = (sql: string, ...values: (string | number)[]): Row[] => database.prepare(sql).all(...values);
  if (isUnspaced(text)) {
    const like = JSON.stringify(text.trim())
      .slice(1, -1)
      .replaceAll(/[\\%_]/g, String.raw`\$&`);
    const sql = `SELECT * FROM entry WHERE ${spoken} AND ${isListed} AND id < ? AND body LIKE ? ESCAPE '\\' ORDER BY id DESC LIMIT ?`;
    return all(sql, before, `%${like}%`, limit).map(spokenIn);
  }
  const last = lastIndexed(database);
  const late = all(
    `SELECT * FROM entry WHERE id > ? AND id < ? AND ${spoken} AND ${isListed} ORDER BY id DESC`,
    last,
    before,
  ).map(spokenIn);
  const found = late.filter(({ entry }) => matches(wordsOf(entry), text));
  const sql = `SELECT e.* FROM words w JOIN entry e ON e.id = w.rowid WHERE w.text MATCH ? AND w.rowid < ? AND e.${isListed} ORDER BY w.rowid DESC LIMIT ?`;
  // What joined under an older version stands there as it was written.
  const queries = new Set([matchQuery(words), matchQuery(typedWords(text))]);
  const query = Array.from(queries, (one) => `(${one})`).join(' OR ');
  return [...found, ...all(sql, query, before, limit).map(spokenIn)].slice(0, limit);
}

function spokenIn(row: Row): Spoken {
  return { session: Number(row['session']), entry: readEntry(row as unknown as EntryRow) };
}
