// The log in SQLite: one file for all sessions of a home, one lock file per session that is being written to.
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { AssetId } from '../../content/block.ts';
import { hashIn, referenceKinds, referSql, sqliteClaims } from './sqlite-claims.ts';
import { explained, explainedLater, prepared, relaxed, sqlite, transaction } from './database.ts';
import { wordsOf } from '../entry.ts';
import type { EntryId } from '../entry.ts';
import { inTurns } from './in-turns.ts';
import type { EntryLog, SearchHit, Lease, NewRow, EntryRange, SessionInfo } from './port.ts';
import { changeOf, checkKeys, fenced, gone, isSameRow, outOfStep, taken, untilFree, writtenElsewhere } from './port.ts';
import type { EntryRow } from './migrations.ts';
import { excerptOf, searchWords } from './search.ts';
import { forgetRequests, sqliteRequests } from './sqlite-requests.ts';
import { forgetWords, indexWords, searchEntries } from './search-index.ts';
import { watching } from './watch.ts';

type Row = Record<string, SQLOutputValue>;

/** The row behind a `SessionInfo`; a condition may follow. */
const infoSql = `SELECT s.*, p.id AS parentId,
  (SELECT count(*) FROM reference r WHERE r.session = s.number AND r.kind = ${referenceKinds.message}) AS media,
  (SELECT sum(a.size) FROM reference r JOIN asset a ON a.hash = r.hash
    WHERE r.session = s.number AND r.kind = ${referenceKinds.message}) AS bytes
  FROM session s LEFT JOIN session p ON p.number = s.parent WHERE s.removed = 0`;

/** Where a session reads from: itself, and before it the sessions it was forked from, each up to an entry. */
type Segment = { session: number; upTo: EntryId };

const newest = Number.MAX_SAFE_INTEGER;

const minuteMs = 60_000;
const minuteOf = (time: number): number => Math.floor(time / minuteMs);

/** The locks that this program holds. */
const ours = new Set<string>();

export type SqliteOptions = { file: string; locks: string; now: () => number };

/** The log over an open database; whoever writes to a session holds the lock file of its name. */
export function sqliteLog(database: DatabaseSync, { file, locks, now }: SqliteOptions): EntryLog {
  const statement = (sql: string): StatementSync => prepared(database, sql);
  const all = (sql: string, ...values: SQLInputValue[]): Row[] => statement(sql).all(...values);
  const one = (sql: string, ...values: SQLInputValue[]): Row | undefined => statement(sql).get(...values);
  const run = (sql: string, ...values: SQLInputValue[]): number => Number(statement(sql).run(...values).changes);

  /** Whatever writes has its turn: while assets are collected, a transaction is open across several turns. */
  const inTurn = inTurns();
  const held = new Map<string, { epoch: number; unlock: () => void }>();
  const watchers = watching(() => Number(one('PRAGMA data_version')?.['data_version'] ?? 0));

  /** A file of an older version that is only looked at has no such column. */
  const minute = (): string =>
    one("SELECT 1 FROM pragma_table_info('session') WHERE name = 'minute'") ? 'minute' : `updated / ${minuteMs}`;

  const numbers = new Map<string, number>();
  const numberOf = (id: string): number => {
    const number = numbers.get(id) ?? one('SELECT number FROM session WHERE id = ? AND removed = 0', id)?.['number'];
    if (typeof number !== 'number') throw gone(id);
    numbers.set(id, number);
    return number;
  };

  /** From the oldest to the session itself. */
  const segments = (number: number): Segment[] => {
    const line: Segment[] = [];
    let upTo: EntryId = newest;
    for (let at: number | undefined = number; at !== undefined;) {
      line.unshift({ session: at, upTo });
      const row: Row | undefined = one('SELECT parent, fork FROM session WHERE number = ?', at);
      upTo = Math.min(upTo, Number(row?.['fork'] ?? 0));
      at = typeof row?.['parent'] === 'number' ? row['parent'] : undefined;
    }
    return line;
  };

  const messagesIn = ({ session, upTo }: Segment, last: EntryId): number => {
    const sql = "SELECT count(*) AS count FROM entry WHERE session = ? AND id <= ? AND type = 'message'";
    return Number(one(sql, session, Math.min(upTo, last))?.['count'] ?? 0);
  };

  /** Takes away what no session reads any more: all of it, or all after the last entry that a fork shares. */
  const trim = (number: number): void => {
    const shared = one('SELECT max(fork) AS last FROM session WHERE parent = ?', number)?.['last'];
    const from = typeof shared === 'number' ? shared : 0;
    forgetWords(database, number, from);
    run('DELETE FROM entry WHERE session = ? AND id > ?', number, from);
    run('UPDATE indexed SET last = min(last, (SELECT coalesce(max(id), 0) FROM entry))'); // numbers may be given again
    run('DELETE FROM reference WHERE session = ?', number); // forks have their own
    forgetRequests(database, String(one('SELECT id FROM session WHERE number = ?', number)?.['id']));
    if (typeof shared === 'number') {
      run('UPDATE session SET removed = 1, title = NULL WHERE number = ?', number);
      return;
    }
    const row = one('SELECT parent FROM session WHERE number = ?', number);
    run('DELETE FROM session WHERE number = ?', number);
    const parent = one('SELECT number FROM session WHERE number = ? AND removed = 1', row?.['parent'] ?? null);
    if (typeof parent?.['number'] === 'number') trim(parent['number']);
  };

  const readSegment = (
    { session, upTo }: Segment,
    { after = 0, before = newest, types, limit = newest, newest: latest }: EntryRange,
  ) => {
    const filter = types ? ` AND type IN (${types.map((type) => `'${type}'`).join(', ')})` : '';
    return all(
      `SELECT * FROM entry WHERE session = ? AND id > ? AND id <= ?${filter}
        ORDER BY id ${latest === undefined ? '' : 'DESC'} LIMIT ?`,
      session,
      after,
      Math.min(upTo, before - 1),
      latest ?? limit,
    ).map(entryRowOf);
  };

  const lock = (id: string): (() => void) => {
    mkdirSync(locks, { recursive: true, mode: 0o700 });
    const path = join(realpathSync(locks), `${id}.lock`);
    const handle = new (sqlite().DatabaseSync)(path, { timeout: 0 });
    try {
      handle.exec('BEGIN EXCLUSIVE'); // the system lets go of it when this process dies, however it dies
    } catch (error) {
      handle.close();
      if ((error as { errcode?: number }).errcode === 5) throw writtenElsewhere(id, ours.has(path) ? 'us' : 'others');
      throw error;
    }
    ours.add(path);
    return () => {
      ours.delete(path);
      handle.close();
    };
  };

  /** The number of the session, when the lease is the newest. */
  const numberUnder = (lease: Lease): { number: number; seq: number } => {
    const row = one('SELECT number, epoch, seq FROM session WHERE id = ? AND removed = 0', lease.session);
    if (!row) throw gone(lease.session);
    if (row['epoch'] !== lease.epoch || held.get(lease.session)?.epoch !== lease.epoch) throw fenced(lease);
    return { number: Number(row['number']), seq: Number(row['seq']) };
  };

  const keyed = (number: number, key: string | undefined): Row | undefined =>
    key === undefined ? undefined : one('SELECT * FROM entry WHERE session = ? AND key = ?', number, key);

  /** What was stored when the same rows were handed over before. */
  const storedBefore = (number: number, rows: readonly NewRow[]): EntryId[] | undefined => {
    const plain = rows.filter(({ key }) => key === undefined).length;
    const last = all('SELECT * FROM entry WHERE session = ? AND key IS NULL ORDER BY id DESC LIMIT ?', number, plain);
    const found = rows.map((row) => keyed(number, row.key) ?? last.pop()).map((row) => row && entryRowOf(row));
    const same = found.every((row, at) => rows[at]?.key !== undefined || (rows[at] && isSameRow(row, rows[at])));
    return same ? found.flatMap((row) => row?.id ?? []) : undefined;
  };

  const insert = (number: number, row: NewRow): EntryId => {
    const parent = one('SELECT max(id) AS id FROM entry WHERE session = ?', number)?.['id'];
    const from = parent ?? one('SELECT fork FROM session WHERE number = ? AND fork > 0', number)?.['fork'] ?? null;
    const { time, version, type, body, key = null } = row;
    const sql = `INSERT INTO entry (session, parent, time, version, type, body, key, checksum)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
    return Number(statement(sql).run(number, from, time, version, type, body, key, crc32(body)).lastInsertRowid);
  };

  /** Those of its assets that were collected before this. */
  const refer = (number: number, entry: EntryId, { refers = [], time }: NewRow): AssetId[] =>
    refers.flatMap(({ id, size, by }) => {
      run(referSql, number, hashIn(id), referenceKinds[by], entry);
      if (by !== 'message') return [];
      const sql = 'INSERT INTO asset (hash, size, time, stored) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING';
      return run(sql, hashIn(id), size, time) === 1 ? [id] : [];
    });

  /** Moves the session on by so many rows, if the lease is the newest and nobody was there before. */
  const advance = (number: number, lease: Lease, rows: readonly NewRow[], fresh: readonly NewRow[]): boolean => {
    const { title = null, firstWords = null, model = null, usage, messages, updated } = changeOf(fresh);
    const cost = usage?.cost ?? null;
    const moved =
      run(
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
      ) === 1;
    // Apart, because SQLite moves an index whenever its column is named, whether the value is another one or not.
    if (moved && fresh.length > 0)
      run('UPDATE session SET minute = ?1 WHERE number = ?2 AND minute <> ?1', minuteOf(updated), number);
    return moved;
  };

  const append: EntryLog['append'] = async (lease, rows) => {
    if (held.get(lease.session)?.epoch !== lease.epoch) throw fenced(lease);
    const number = numberOf(lease.session);
    checkKeys(rows);
    const appended = transaction(database, () => {
      const known = rows.map((row) => keyed(number, row.key));
      const fresh = rows.filter((_, at) => !known[at]);
      if (!advance(number, lease, rows, fresh)) {
        const { seq } = numberUnder(lease);
        const before = seq === lease.next + rows.length ? storedBefore(number, rows) : undefined;
        if (!before) throw outOfStep(lease, seq);
        return { ids: before, gone: [] };
      }
      const lost: AssetId[] = [];
      const ids = rows.map((row, at) => {
        const id = known[at] ? Number(known[at]['id']) : insert(number, row);
        if (!known[at]) lost.push(...refer(number, id, row));
        return id;
      });
      indexWords(database, Math.max(0, ...ids));
      return { ids, gone: lost };
    });
    watchers.wake();
    return appended;
  };

  const create = (id: string, time: number, from: { id: string; entry: EntryId } | undefined): void => {
    if (all('SELECT 1 FROM session WHERE id = ?', id).length > 0) throw taken(id);
    if (!from)
      return void run(
        'INSERT INTO session (id, created, updated, minute) VALUES (?, ?, ?, ?)',
        id,
        time,
        time,
        minuteOf(time),
      );
    const parent = numberOf(from.id);
    run(
      `INSERT INTO session (id, parent, fork, created, updated, minute, title, model, messages)
        SELECT ?, number, ?, ?, ?, ?, title, model, ? FROM session WHERE number = ?`,
      id,
      from.entry,
      time,
      time,
      minuteOf(time),
      segments(parent).reduce((sum, segment) => sum + messagesIn(segment, from.entry), 0),
      parent,
    );
    run(
      `INSERT INTO reference SELECT ?, hash, kind, entry FROM reference
        WHERE session = ? AND kind > ${referenceKinds.held} AND entry <= ?`,
      numberOf(id),
      parent,
      from.entry,
    );
  };

  const read = (id: string, options: EntryRange): EntryRow[] => {
    const line = segments(numberOf(id));
    const isBack = options.newest !== undefined;
    const most = options.newest ?? options.limit ?? newest;
    const rows: EntryRow[] = [];
    for (const segment of isBack ? line.toReversed() : line) {
      if (rows.length >= most) break;
      const left = most - rows.length;
      rows.push(...readSegment(segment, { ...options, ...(isBack ? { newest: left } : { limit: left }) }));
    }
    return rows;
  };

  const requests = sqliteRequests(database, file, watchers.wake);
  const log: Omit<EntryLog, 'watch' | 'claims' | 'requests'> = {
    create: (id, time, from) => inTurn(() => transaction(database, () => create(id, time, from))),
    find: async (id) => {
      const like = `${id.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      const rows = all(`${infoSql} AND s.id LIKE ? ESCAPE '\\' ORDER BY s.id LIMIT 10`, like).map(infoOf);
      return rows.filter((row) => row.id === id).concat(rows.filter((row) => row.id !== id));
    },
    list: async ({ limit = newest - 1, before } = {}) => {
      const after = before
        ? `AND ${minute()} <= ? / ${minuteMs} AND (updated, number) < (?, coalesce((SELECT number FROM session WHERE id = ?), 0))`
        : '';
      const sql = `${infoSql} AND s.number IN (SELECT number FROM session WHERE removed = 0 ${after}
        ORDER BY ${minute()} DESC, updated DESC, number DESC LIMIT ?) ORDER BY s.updated DESC, s.number DESC`;
      const rows = all(sql, ...(before ? [before.updated, before.updated, before.id] : []), limit + 1).map(infoOf);
      const sessions = rows.slice(0, limit);
      const last = sessions.at(-1);
      return { sessions, ...(rows.length > limit && last && { next: { id: last.id, updated: last.updated } }) };
    },
    take: (id, holder, { waitMs = 0 } = {}) =>
      untilFree(waitMs, () =>
        inTurn(() => {
          const number = numberOf(id);
          const unlock = lock(id);
          try {
            const sql = 'UPDATE session SET epoch = epoch + 1, holder = ? WHERE number = ? RETURNING epoch, seq';
            const row = relaxed(database, () => one(sql, `${holder.host} ${holder.process}`, number));
            if (!row) throw gone(id);
            const [epoch, next] = [Number(row['epoch']), Number(row['seq'])];
            held.set(id, { epoch, unlock });
            return { session: id, epoch, next };
          } catch (error) {
            unlock();
            throw error;
          }
        }),
      ),
    renew: async (lease) => ({ ...lease, next: numberUnder(lease).seq }),
    release: async ({ session, epoch }) => {
      const ownLock = held.get(session);
      if (ownLock?.epoch !== epoch) return;
      held.delete(session);
      ownLock.unlock();
    },
    remove: (lease) =>
      inTurn(() => {
        const { session: id } = lease;
        const { number } = numberUnder(lease);
        database.exec('PRAGMA secure_delete = ON'); // what is removed does not stay readable in free pages
        transaction(database, () => trim(number));
        numbers.delete(id);
        held.get(id)?.unlock();
        held.delete(id);
        rmSync(join(locks, `${id}.lock`), { force: true });
      }),
    append: (lease, rows) => inTurn(() => append(lease, rows)),
    read: async (id, options = {}) => read(id, options),
    search: async (text, { limit, before = newest }) =>
      searchEntries(database, text, limit, before).flatMap(({ session, entry }): SearchHit[] => {
        const info = one(`${infoSql} AND s.number = ?`, session);
        const excerpt = excerptOf(wordsOf(entry), searchWords(text));
        return info ? [{ session: infoOf(info), entry: entry.id, excerpt }] : [];
      }),
    once: (key) => inTurn(() => run('INSERT INTO once VALUES (?, ?) ON CONFLICT DO NOTHING', key, now()) === 1),
    close: () =>
      inTurn(() => {
        watchers.close();
        for (const { unlock } of held.values()) unlock();
        held.clear();
        requests.close();
        if (database.isOpen) database.close();
      }),
  };
  const wrapped = <Methods extends object>(methods: Methods): Methods =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]: [string, (...given: unknown[]) => Promise<unknown>]) => [
        name,
        (...given: unknown[]) => explainedLater(file, () => method(...given)),
      ]),
    ) as Methods;
  return {
    ...wrapped(log),
    watch: (id, signal) => {
      explained(file, () => numberOf(id));
      return watchers.watch(signal);
    },
    claims: wrapped(sqliteClaims(database, { inTurn, numberOf, now })),
    requests: { ...wrapped(requests.table), watch: watchers.watch },
  };
}

function entryRowOf(row: Row): EntryRow {
  const { id, parent, time, version, type, body, checksum } = row as unknown as EntryRow;
  return { id, parent, time, version, type, body, ...(checksum !== undefined && { checksum }) };
}

function infoOf(row: Row): SessionInfo {
  const text = (key: string): string | undefined => (typeof row[key] === 'string' ? row[key] : undefined);
  const number = (key: string): number => Number(row[key] ?? 0);
  const [title, model, parentId] = [text('title'), text('model'), text('parentId')];
  return {
    id: text('id') ?? '',
    ...(title !== undefined && { title }),
    ...(model !== undefined && { model }),
    created: number('created'),
    updated: number('updated'),
    messages: number('messages'),
    media: number('media'),
    mediaBytes: number('bytes'),
    inputTokens: number('input'),
    outputTokens: number('output'),
    ...(typeof row['cost'] === 'number' && { cost: row['cost'] }),
    ...(parentId !== undefined && { forkedFrom: { id: parentId, entry: number('fork') } }),
  };
}
