// Rows at the end of a session: once each, in order, under the newest lease.
import { crc32 } from 'node:zlib';
import type { AssetId } from '../../content/block.ts';
import { hashIn } from '../../content/block.ts';
import type { EntryId } from '../entry.ts';
import type { EntryLog, Lease, NewRow } from './port.ts';
import { changeOf, isSameRow, outOfStep } from './port.ts';
import { indexSome } from './search-index.ts';
import { referenceKinds, referSql } from './sqlite-claims.ts';
import { entryRowOf } from './sqlite-queries.ts';
import type { Queries, SqlRow } from './sqlite-queries.ts';
import { minuteMs, minuteOf } from './sqlite-sessions.ts';

/** Stores what is new among the rows of the session with this number, which the index of the list has under this minute;
 * `seqNow` is asked when the lease is not where the session is. */
export function appendRows(
  queries: Queries,
  { number, minute }: { number: number; minute: number },
  lease: Lease,
  rows: readonly NewRow[],
  seqNow: () => number,
): Awaited<ReturnType<EntryLog['append']>> & { minute: number } {
  const known = rows.map((row) => keyed(queries, number, row.key));
  const fresh = rows.filter((_, at) => !known[at]);
  if (!advance(queries, number, lease, rows, fresh)) {
    const seq = seqNow();
    const before = seq === lease.next + rows.length ? storedBefore(queries, number, rows) : undefined;
    if (!before) throw outOfStep(lease, seq);
    return { ids: before, gone: [], minute };
  }
  // Apart, because SQLite moves an index whenever its column is named, whether the value is another one or not.
  const minuteNow = minuteOf(fresh.at(-1)?.time ?? minute * minuteMs);
  if (minuteNow !== minute) queries.run('UPDATE session SET minute = ? WHERE number = ?', minuteNow, number);
  const lost: AssetId[] = [];
  const ids = rows.map((row, at) => {
    const id = known[at] ? Number(known[at]['id']) : insert(queries, number, row);
    if (!known[at]) lost.push(...refer(queries, number, id, row));
    return id;
  });
  indexSome(queries.database, Math.max(0, ...ids), fresh.length);
  return { ids, gone: lost, minute: minuteNow };
}

function keyed(queries: Queries, number: number, key: string | undefined): SqlRow | undefined {
  return key === undefined ? undefined : queries.one('SELECT * FROM entry WHERE session = ? AND key = ?', number, key);
}

/** What was stored when the same rows were handed over before. */
function storedBefore(queries: Queries, number: number, rows: readonly NewRow[]): EntryId[] | undefined {
  const plain = rows.filter(({ key }) => key === undefined).length;
  const last = queries.all(
    'SELECT * FROM entry WHERE session = ? AND key IS NULL ORDER BY id DESC LIMIT ?',
    number,
    plain,
  );
  const found = rows.map((row) => keyed(queries, number, row.key) ?? last.pop()).map((row) => row && entryRowOf(row));
  const same = found.every((row, at) => rows[at]?.key !== undefined || (rows[at] && isSameRow(row, rows[at])));
  return same ? found.flatMap((row) => row?.id ?? []) : undefined;
}

/** Its parent is the entry before it, or the one that the session was forked at. */
const insertSql = `INSERT INTO entry (session, parent, time, version, type, body, key, checksum) VALUES (?,
  coalesce((SELECT max(id) FROM entry WHERE session = ?), (SELECT fork FROM session WHERE number = ? AND fork > 0)),
  ?, ?, ?, ?, ?, ?)`;

function insert(queries: Queries, number: number, { time, version, type, body, key }: NewRow): EntryId {
  return queries.insert(insertSql, number, number, number, time, version, type, body, key ?? null, crc32(body));
}

/** Those of its assets that were collected before this. */
function refer(queries: Queries, number: number, entry: EntryId, { refers = [], time }: NewRow): AssetId[] {
  return refers.flatMap(({ id, size, by }) => {
    queries.run(referSql, number, hashIn(id), referenceKinds[by], entry);
    if (by !== 'message') return [];
    const sql = 'INSERT INTO asset (hash, size, time, stored) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING';
    return queries.run(sql, hashIn(id), size, time) === 1 ? [id] : [];
  });
}

/** Moves the session on by so many rows, if the lease is the newest and nobody was there before. */
function advance(
  queries: Queries,
  number: number,
  lease: Lease,
  rows: readonly NewRow[],
  fresh: readonly NewRow[],
): boolean {
  const { title = null, firstWords = null, model = null, usage, messages, updated } = changeOf(fresh);
  const cost = usage?.cost ?? null;
  return (
    queries.run(
      `UPDATE session SET seq = seq + ?, updated = coalesce(?, updated), title = coalesce(?, title, ?),
        model = coalesce(?, model), messages = messages + ?, input = input + ?, output = output + ?,
        cost = CASE WHEN ? IS NULL THEN cost ELSE coalesce(cost, 0) + ? END
        WHERE number = ? AND epoch = ? AND seq = ?`,
      rows.length,
      fresh.length > 0 ? updated : null,
      title,
      firstWords,
      model,
      messages,
      usage?.inputTokens ?? 0,
      usage?.outputTokens ?? 0,
      cost,
      cost,
      number,
      lease.epoch,
      lease.next,
    ) === 1
  );
}
