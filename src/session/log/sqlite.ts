// The log in SQLite: one file for all sessions of a home, one lock file per session that is being written to.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { explained, explainedLater, isFull, relaxed, transaction } from './database.ts';
import { removeInParts } from './remove-in-parts.ts';
import { wordsOf } from '../entry.ts';
import { inTurns } from './in-turns.ts';
import type { EntryLog, Lease, SearchHit } from './port.ts';
import { checkKeys, fenced, gone, untilFree } from './port.ts';
import { excerptOf, searchWords } from './search.ts';
import { searchEntries } from './search-index.ts';
import { appendRows } from './sqlite-append.ts';
import { sqliteClaims } from './sqlite-claims.ts';
import { sqliteDescriptions } from './sqlite-descriptions.ts';
import { lockSession } from './sqlite-lock.ts';
import { queriesOf } from './sqlite-queries.ts';
import { sqliteRequests } from './sqlite-requests.ts';
import {
  createSession,
  findSessions,
  infoAt,
  listSessions,
  numberOf,
  readEntries,
  trimSession,
} from './sqlite-sessions.ts';
import { sqliteUploads } from './sqlite-uploads.ts';
import { watching } from './watch.ts';

const newest = Number.MAX_SAFE_INTEGER;

/** A session that is written to here, and the minute under which the index of the list has it. */
type Held = { epoch: number; number: number; minute: number; unlock: () => void };

export type SqliteOptions = { file: string; locks: string; now: () => number };

/** The log over an open database; whoever writes to a session holds the lock file of its name. */
export function sqliteLog(database: DatabaseSync, { file, locks, now }: SqliteOptions): EntryLog {
  const queries = queriesOf(database);
  /** Whatever writes has its turn: while assets are collected, a transaction is open across several turns. */
  const inTurn = inTurns();
  const held = new Map<string, Held>();
  const watchers = watching(() => Number(queries.one('PRAGMA data_version')?.['data_version'] ?? 0));

  /** The number of the session, when the lease is the newest. */
  const numberUnder = (lease: Lease): { number: number; seq: number } => {
    const row = queries.one('SELECT number, epoch, seq FROM session WHERE id = ? AND removed = 0', lease.session);
    if (!row) throw gone(lease.session);
    if (row['epoch'] !== lease.epoch || held.get(lease.session)?.epoch !== lease.epoch) throw fenced(lease);
    return { number: Number(row['number']), seq: Number(row['seq']) };
  };

  const requests = sqliteRequests(database, file, watchers.wake);
  const described = sqliteDescriptions(database, now);
  const log: Omit<EntryLog, 'watch' | 'claims' | 'requests' | 'descriptions' | 'uploads'> = {
    create: (id, time, from) => inTurn(() => transaction(database, () => createSession(queries, id, time, from))),
    find: async (id) => findSessions(queries, id),
    list: async (page = {}) => listSessions(queries, page),
    take: (id, holder, { waitMs = 0 } = {}) =>
      untilFree(waitMs, () =>
        inTurn(() => {
          numberOf(queries, id); // no lock for one that is not there
          const unlock = lockSession(locks, id);
          try {
            const sql =
              'UPDATE session SET epoch = epoch + 1, holder = ? WHERE id = ? AND removed = 0 RETURNING number, epoch, seq, minute';
            const row = relaxed(database, () => queries.one(sql, `${holder.host} ${holder.process}`, id));
            if (!row) throw gone(id);
            const [number, epoch, minute] = [Number(row['number']), Number(row['epoch']), Number(row['minute'])];
            held.set(id, { epoch, number, minute, unlock });
            return { session: id, epoch, next: Number(row['seq']) };
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
        try {
          transaction(database, () => trimSession(queries, number));
        } catch (error) {
          if (!isFull(error)) throw error;
          removeInParts(queries, number);
          transaction(database, () => trimSession(queries, number));
        }
        held.get(id)?.unlock();
        held.delete(id);
        rmSync(join(locks, `${id}.lock`), { force: true });
        watchers.wake();
      }),
    append: (lease, rows) =>
      inTurn(() => {
        const own = held.get(lease.session);
        if (own?.epoch !== lease.epoch) throw fenced(lease);
        checkKeys(rows);
        const seqNow = (): number => numberUnder(lease).seq;
        const { minute, ...appended } = transaction(database, () => appendRows(queries, own, lease, rows, seqNow));
        own.minute = minute;
        watchers.wake();
        return appended;
      }),
    read: async (id, options = {}) => readEntries(queries, id, options),
    search: async (text, { limit, before = newest }) =>
      searchEntries(database, text, limit, before).flatMap(({ session, entry }): SearchHit[] => {
        const info = infoAt(queries, session);
        const excerpt = excerptOf(wordsOf(entry), searchWords(text));
        return info ? [{ session: info, entry: entry.id, excerpt }] : [];
      }),
    once: (key) => inTurn(() => queries.run('INSERT INTO once VALUES (?, ?) ON CONFLICT DO NOTHING', key, now()) === 1),
    close: () =>
      inTurn(() => {
        watchers.close();
        for (const { unlock } of held.values()) unlock();
        held.clear();
        requests.close();
        if (database.isOpen) database.close();
      }),
  };
  const wrapped = <Methods extends object>(methods: Methods): Methods => explainedMethods(file, methods);
  return {
    ...wrapped(log),
    watch: (id, signal) => {
      explained(file, () => numberOf(queries, id));
      return watchers.watch(signal);
    },
    claims: wrapped(sqliteClaims(database, { inTurn, numberOf: (id) => numberOf(queries, id), now })),
    requests: { ...wrapped(requests.table), watch: watchers.watch },
    uploads: wrapped(sqliteUploads(database, inTurn)),
    descriptions: wrapped({
      find: described.find,
      claim: (key) => inTurn(() => described.claim(key)),
      keep: (key, text) => inTurn(() => described.keep(key, text)),
      free: (key) => inTurn(() => described.free(key)),
    }),
  };
}

/** The same methods; what goes wrong in them is told with the name of the file. */
function explainedMethods<Methods extends object>(file: string, methods: Methods): Methods {
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]: [string, (...given: unknown[]) => Promise<unknown>]) => [
      name,
      (...given: unknown[]) => explainedLater(file, () => method(...given)),
    ]),
  ) as Methods;
}
