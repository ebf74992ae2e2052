// The log in SQLite: one file for all sessions of a home, one lock file per session that is being written to.
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { AssetId } from '../../content/block.ts';
import { sqliteClaims } from './sqlite-claims.ts';
import { explained, prepared, sqlite, transaction } from './database.ts';
import { wordsOf } from '../entry.ts';
import type { EntryId } from '../entry.ts';
import type { EntryLog, Found, ReadOptions } from './port.ts';
import type { EntryRow } from './migrations.ts';
import { gone, hashIn, infoOf, infoSql, referenceKinds, written } from './rows.ts';
import type { Row } from './rows.ts';
import { excerptOf, searchWords } from './search.ts';
import { forgetWords, indexWords, searchEntries } from './search-index.ts';

/** Where a session reads from: itself, and before it the sessions it was forked from, each up to an entry. */
type Segment = { session: number; upTo: EntryId };

const newest = Number.MAX_SAFE_INTEGER;

/** The locks that this program holds. */
const ours = new Set<string>();

export function sqliteLog(database: DatabaseSync, { file, locks }: { file: string; locks: string }): EntryLog {
  const statement = (sql: string): StatementSync => prepared(database, sql);
  const all = (sql: string, ...values: SQLInputValue[]): Row[] => statement(sql).all(...values);
  const one = (sql: string, ...values: SQLInputValue[]): Row | undefined => statement(sql).get(...values);
  const run = (sql: string, ...values: SQLInputValue[]): void => void statement(sql).run(...values);

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

  const refer = 'INSERT INTO reference VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';

  /** Takes away what no session reads any more: all of it, or all after the last entry that a fork shares. */
  const trim = (number: number): void => {
    const shared = one('SELECT max(fork) AS last FROM session WHERE parent = ?', number)?.['last'];
    const from = typeof shared === 'number' ? shared : 0;
    forgetWords(database, number, from);
    run('DELETE FROM entry WHERE session = ? AND id > ?', number, from);
    run('UPDATE indexed SET last = min(last, (SELECT coalesce(max(id), 0) FROM entry))'); // numbers may be given again
    run('DELETE FROM reference WHERE session = ?', number); // forks have their own
    if (typeof shared === 'number') return run('UPDATE session SET removed = 1, title = NULL WHERE number = ?', number);
    const row = one('SELECT parent FROM session WHERE number = ?', number);
    run('DELETE FROM session WHERE number = ?', number);
    const parent = one('SELECT number FROM session WHERE number = ? AND removed = 1', row?.['parent'] ?? null);
    if (typeof parent?.['number'] === 'number') trim(parent['number']);
  };

  const readSegment = (
    { session, upTo }: Segment,
    { after = 0, before = newest, types, newest: limit }: ReadOptions,
  ) => {
    const filter = types ? ` AND type IN (${types.map((type) => `'${type}'`).join(', ')})` : '';
    const order = limit === undefined ? 'ORDER BY id' : 'ORDER BY id DESC LIMIT ?';
    return all(
      `SELECT id, parent, time, version, type, body FROM entry WHERE session = ? AND id > ? AND id <= ?${filter} ${order}`,
      session,
      after,
      Math.min(upTo, before - 1),
      ...(limit === undefined ? [] : [limit]),
    ) as EntryRow[];
  };

  const log: EntryLog = {
    create(id, time, from) {
      transaction(database, () => {
        if (!from) return run('INSERT INTO session (id, created, updated) VALUES (?, ?, ?)', id, time, time);
        const parent = numberOf(from.id);
        run(
          `INSERT INTO session (id, parent, fork, created, updated, title, model, messages)
            SELECT ?, number, ?, ?, ?, title, model, ? FROM session WHERE number = ?`,
          id,
          from.entry,
          time,
          time,
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
      });
    },
    find(id) {
      const like = `${id.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      const rows = all(`${infoSql} AND s.id LIKE ? ESCAPE '\\' ORDER BY s.id LIMIT 10`, like).map(infoOf);
      return rows.filter((row) => row.id === id).concat(rows.filter((row) => row.id !== id));
    },
    list: () => all(`${infoSql} ORDER BY s.updated DESC, s.number DESC`).map(infoOf),
    append(id, row, change, referred, shortIds) {
      const number = numberOf(id);
      return transaction(database, () => {
        const parent = one('SELECT max(id) AS id FROM entry WHERE session = ?', number)?.['id'];
        const from = parent ?? one('SELECT fork FROM session WHERE number = ? AND fork > 0', number)?.['fork'] ?? null;
        const inserted = statement(
          'INSERT INTO entry (session, parent, time, version, type, body) VALUES (?, ?, ?, ?, ?, ?)',
        ).run(number, from, row.time, row.version, row.type, row.body);
        const entry = Number(inserted.lastInsertRowid);
        indexWords(database, entry);
        const { usage, cost } = { usage: change.usage, cost: change.usage?.cost ?? null };
        run(
          `UPDATE session SET updated = ?, title = coalesce(?, title, ?), model = coalesce(?, model),
            messages = messages + ?, input = input + ?, output = output + ?,
            cost = CASE WHEN ? IS NULL THEN cost ELSE coalesce(cost, 0) + ? END WHERE number = ?`,
          row.time,
          change.title ?? null,
          change.firstWords ?? null,
          change.model ?? null,
          row.type === 'message' ? 1 : 0,
          usage?.inputTokens ?? 0,
          usage?.outputTokens ?? 0,
          cost,
          cost,
          number,
        );
        for (const { id: asset, size, by } of referred) {
          run(refer, number, hashIn(asset), referenceKinds[by], entry);
          if (by === 'message')
            run('INSERT INTO asset VALUES (?, ?, ?) ON CONFLICT DO NOTHING', hashIn(asset), size, row.time);
        }
        for (const short of shortIds) {
          run(
            `INSERT OR IGNORE INTO reference SELECT session, hash, ${referenceKinds.message}, ? FROM reference
              WHERE session = ? AND kind = 0 AND hash BETWEEN ? AND ?`,
            entry,
            number,
            short,
            `${short}g`,
          );
        }
        return entry;
      });
    },
    read(id, options = {}) {
      const line = segments(numberOf(id));
      if (options.newest === undefined) return line.flatMap((segment) => readSegment(segment, options));
      const rows: EntryRow[] = [];
      for (const segment of line.toReversed()) {
        if (rows.length >= options.newest) break;
        rows.push(...readSegment(segment, { ...options, newest: options.newest - rows.length }));
      }
      return rows;
    },
    remove(id) {
      const number = numberOf(id);
      database.exec('PRAGMA secure_delete = ON'); // what is removed does not stay readable in free pages
      transaction(database, () => trim(number));
      numbers.delete(id);
      rmSync(join(locks, `${id}.lock`), { force: true });
    },
    search: (text, limit) =>
      searchEntries(database, text, limit).flatMap(({ session, entry }): Found[] => {
        const info = one(`${infoSql} AND s.number = ?`, session);
        const excerpt = excerptOf(wordsOf(entry), searchWords(text));
        return info ? [{ session: infoOf(info), entry: entry.id, excerpt }] : [];
      }),
    assets: (id) =>
      all('SELECT DISTINCT hash FROM reference WHERE session = ?', numberOf(id)).flatMap(({ hash }): AssetId[] =>
        typeof hash === 'string' ? [`sha256:${hash}`] : [],
      ),
    lease(asset, time, session) {
      const number = session === undefined ? undefined : numberOf(session);
      database.exec('PRAGMA synchronous = NORMAL'); // others must see it; a power cut may forget it
      try {
        transaction(database, () => {
          const put = 'INSERT INTO asset VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET time = excluded.time';
          run(put, hashIn(asset.id), asset.size, time);
          if (number !== undefined) run(refer, number, hashIn(asset.id), referenceKinds.held, 0);
        });
      } finally {
        database.exec('PRAGMA synchronous = FULL');
      }
    },
    assetBytes: () => Number(one('SELECT coalesce(sum(size), 0) AS bytes FROM asset')?.['bytes'] ?? 0),
    claims: (without) => sqliteClaims(database, file, without),
    lock(id) {
      mkdirSync(locks, { recursive: true, mode: 0o700 });
      const path = join(realpathSync(locks), `${id}.lock`);
      const lock = new (sqlite().DatabaseSync)(path, { timeout: 0 });
      try {
        lock.exec('BEGIN EXCLUSIVE'); // the system lets go of it when this process dies, however it dies
      } catch (error) {
        lock.close();
        if ((error as { errcode?: number }).errcode === 5) throw written(id, ours.has(path) ? 'us' : 'others');
        throw error;
      }
      ours.add(path);
      return () => {
        ours.delete(path);
        lock.close();
      };
    },
    close: () => (database.isOpen ? database.close() : undefined),
  };
  return explainedLog(log, file);
}

/** Every method of it with its troubles in words. */
function explainedLog(log: EntryLog, file: string): EntryLog {
  const wrapped = Object.entries(log).map(([name, method]) => [
    name,
    (...values: unknown[]): unknown => explained(file, () => Reflect.apply(method, log, values)),
  ]);
  return Object.fromEntries(wrapped) as EntryLog;
}
