// The sessions of a database: how they are made, found, listed, read and taken away.
import type { EntryId } from '../entry.ts';
import type { EntryRow } from './migrations.ts';
import { gone, sessionsPerPage, taken } from './port.ts';
import { sessionInfoOf } from './session-row.ts';
import type { EntryLog, EntryRange, SessionInfo } from './port.ts';
import { forgetWords } from './search-index.ts';
import { referenceKinds } from './sqlite-claims.ts';
import { entryRowOf } from './sqlite-queries.ts';
import type { Queries, SqlRow } from './sqlite-queries.ts';
import { forgetDescriptions } from './sqlite-descriptions.ts';
import { forgetRequests } from './sqlite-requests.ts';

/** The row behind a `SessionInfo`; a condition may follow. */
const infoSql = `SELECT s.*, p.id AS parentId,
  (SELECT count(*) FROM reference r WHERE r.session = s.number AND r.kind = ${referenceKinds.message}) AS media,
  (SELECT sum(a.size) FROM reference r JOIN asset a ON a.hash = r.hash
    WHERE r.session = s.number AND r.kind = ${referenceKinds.message}) AS bytes
  FROM session s LEFT JOIN session p ON p.number = s.parent WHERE s.removed = 0`;

/** Where a session reads from: itself, and before it the sessions it was forked from, each up to an entry. */
type Segment = { session: number; upTo: EntryId };

const newest = Number.MAX_SAFE_INTEGER;

/** How finely the index of the list tells sessions apart. */
export const minuteMs = 60_000;

/** The minute that a time lies in: the index of the list changes once a minute. */
export function minuteOf(time: number): number {
  return Math.floor(time / minuteMs);
}

/** A file of an older version that is only looked at has no such column. */
function minuteColumn(queries: Queries): string {
  const has = queries.one("SELECT 1 FROM pragma_table_info('session') WHERE name = 'minute'");
  return has ? 'minute' : `updated / ${minuteMs}`;
}

/** The number of a session in the tables; throws when there is none of this name. */
export function numberOf(queries: Queries, id: string): number {
  const number = queries.one('SELECT number FROM session WHERE id = ? AND removed = 0', id)?.['number'];
  if (typeof number !== 'number') throw gone(id);
  return number;
}

/** What is known about the session of this number. */
export function infoAt(queries: Queries, number: number): SessionInfo | undefined {
  const row = queries.one(`${infoSql} AND s.number = ?`, number);
  return row && sessionInfoOf(row);
}

/** Sessions whose id begins like this, one that is exactly it first. */
export function findSessions(queries: Queries, id: string): SessionInfo[] {
  const like = `${id.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const rows = queries.all(`${infoSql} AND s.id LIKE ? ESCAPE '\\' ORDER BY s.id LIMIT 10`, like).map(sessionInfoOf);
  return rows.filter((row) => row.id === id).concat(rows.filter((row) => row.id !== id));
}

type Listing = NonNullable<Parameters<EntryLog['list']>[0]>;

/** A page of the list, the newest first. */
export function listSessions(
  queries: Queries,
  { limit = sessionsPerPage, before }: Listing,
): Awaited<ReturnType<EntryLog['list']>> {
  const minute = minuteColumn(queries);
  const after = before
    ? `AND ${minute} <= ? / ${minuteMs} AND (updated, number) < (?, coalesce((SELECT number FROM session WHERE id = ?), 0))`
    : '';
  const sql = `${infoSql} AND s.number IN (SELECT number FROM session WHERE removed = 0 ${after}
    ORDER BY ${minute} DESC, updated DESC, number DESC LIMIT ?) ORDER BY s.updated DESC, s.number DESC`;
  const given = before ? [before.updated, before.updated, before.id] : [];
  const rows = queries.all(sql, ...given, limit + 1).map(sessionInfoOf);
  const sessions = rows.slice(0, limit);
  const last = sessions.at(-1);
  return { sessions, ...(rows.length > limit && last && { next: { id: last.id, updated: last.updated } }) };
}

/** From the oldest to the session itself. */
function segments(queries: Queries, number: number): Segment[] {
  const line: Segment[] = [];
  let upTo: EntryId = newest;
  for (let at: number | undefined = number; at !== undefined;) {
    line.unshift({ session: at, upTo });
    const row: SqlRow | undefined = queries.one('SELECT parent, fork FROM session WHERE number = ?', at);
    upTo = Math.min(upTo, Number(row?.['fork'] ?? 0));
    at = typeof row?.['parent'] === 'number' ? row['parent'] : undefined;
  }
  return line;
}

function messagesIn(queries: Queries, { session, upTo }: Segment, last: EntryId): number {
  const sql = "SELECT count(*) AS count FROM entry WHERE session = ? AND id <= ? AND type = 'message'";
  return Number(queries.one(sql, session, Math.min(upTo, last))?.['count'] ?? 0);
}

/** The last entry of a session that a fork of it reads. */
export function lastShared({ one }: Queries, number: number): EntryId | undefined {
  const last = one('SELECT max(fork) AS last FROM session WHERE parent = ?', number)?.['last'];
  return typeof last === 'number' ? last : undefined;
}

/** Takes away what no session reads any more: all of it, or all after the last entry that a fork shares. */
export function trimSession(queries: Queries, number: number): void {
  const shared = lastShared(queries, number);
  const from = shared ?? 0;
  forgetWords(queries.database, number, from);
  queries.run('DELETE FROM entry WHERE session = ? AND id > ?', number, from);
  queries.run('UPDATE indexed SET last = min(last, (SELECT coalesce(max(id), 0) FROM entry))'); // numbers may be given again
  const named = queries.all('SELECT hash FROM reference WHERE session = ?', number).map(({ hash }) => String(hash));
  queries.run('DELETE FROM reference WHERE session = ?', number); // forks have their own
  forgetDescriptions(queries.database, named);
  const id = String(queries.one('SELECT id FROM session WHERE number = ?', number)?.['id']);
  forgetRequests(queries.database, id);
  queries.run('DELETE FROM once WHERE key >= ? AND key < ?', `${id} `, `${id}!`); // the sign that follows a space
  if (shared !== undefined) {
    queries.run('UPDATE session SET removed = 1, title = NULL WHERE number = ?', number);
    return;
  }
  const row = queries.one('SELECT parent FROM session WHERE number = ?', number);
  queries.run('DELETE FROM session WHERE number = ?', number);
  const parent = queries.one('SELECT number FROM session WHERE number = ? AND removed = 1', row?.['parent'] ?? null);
  if (typeof parent?.['number'] === 'number') trimSession(queries, parent['number']);
}

function readSegment(
  queries: Queries,
  { session, upTo }: Segment,
  { after = 0, before = newest, types, limit = newest, newest: latest }: EntryRange,
): EntryRow[] {
  const filter = types ? ` AND type IN (${types.map((type) => `'${type}'`).join(', ')})` : '';
  return queries
    .all(
      `SELECT * FROM entry WHERE session = ? AND id > ? AND id <= ?${filter}
      ORDER BY id ${latest === undefined ? '' : 'DESC'} LIMIT ?`,
      session,
      after,
      Math.min(upTo, before - 1),
      latest ?? limit,
    )
    .map(entryRowOf);
}

/** Adds a session, or one that goes on from an entry of another. */
export function createSession(
  queries: Queries,
  id: string,
  time: number,
  from: { id: string; entry: EntryId } | undefined,
): void {
  const before = queries.one('SELECT number, removed FROM session WHERE id = ?', id);
  if (before && before['removed'] === 0) throw taken(id);
  // What its forks still read is known by its number alone.
  if (before) queries.run("UPDATE session SET id = id || ' ' || number WHERE number = ?", before['number'] ?? null);
  if (!from)
    return void queries.run(
      'INSERT INTO session (id, created, updated, minute) VALUES (?, ?, ?, ?)',
      id,
      time,
      time,
      minuteOf(time),
    );
  const parent = numberOf(queries, from.id);
  queries.run(
    `INSERT INTO session (id, parent, fork, created, updated, minute, title, model, messages)
      SELECT ?, number, ?, ?, ?, ?, title, model, ? FROM session WHERE number = ?`,
    id,
    from.entry,
    time,
    time,
    minuteOf(time),
    segments(queries, parent).reduce((sum, segment) => sum + messagesIn(queries, segment, from.entry), 0),
    parent,
  );
  queries.run(
    `INSERT INTO reference SELECT ?, hash, kind, entry FROM reference
      WHERE session = ? AND kind > ${referenceKinds.held} AND entry <= ?`,
    numberOf(queries, id),
    parent,
    from.entry,
  );
}

/** The entries of a session, with those of the sessions it was forked from. */
export function readEntries(queries: Queries, id: string, options: EntryRange): EntryRow[] {
  const line = segments(queries, numberOf(queries, id));
  const isBack = options.newest !== undefined;
  const most = options.newest ?? options.limit ?? newest;
  const rows: EntryRow[] = [];
  for (const segment of isBack ? line.toReversed() : line) {
    if (rows.length >= most) break;
    const left = most - rows.length;
    rows.push(...readSegment(queries, segment, { ...options, ...(isBack ? { newest: left } : { limit: left }) }));
  }
  return rows;
}
