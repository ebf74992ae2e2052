// Who needs which asset, by the tables.
import type { DatabaseSync } from 'node:sqlite';
import type { AssetId } from '../../content/block.ts';
import { hashIn } from '../../content/block.ts';
import { prepared, relaxed, transaction } from './database.ts';
import type { InTurn } from './in-turns.ts';
import type { Claims } from './port.ts';
import { forgetDescriptions } from './sqlite-descriptions.ts';

/** Put by a session and named nowhere yet; named by a ledger; named by a message. The numbers are stored. */
export const referenceKinds = { held: 0, ledger: 1, message: 2 } as const;

/** One who needs an asset; told twice, it is one. */
export const referSql = 'INSERT INTO reference VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';

type Parts = { inTurn: InTurn; numberOf: (id: string) => number; now: () => number };

const idsOf = (rows: readonly Record<string, unknown>[]): AssetId[] =>
  rows.flatMap(({ hash }): AssetId[] => (typeof hash === 'string' ? [`sha256:${hash}`] : []));

const hashes = (ids: readonly AssetId[]): string => JSON.stringify(ids.map(hashIn));

/** Sessions that do not count. */
const counts = 'r.session NOT IN (SELECT s.number FROM session s JOIN json_each(?) given ON given.value = s.id)';

/** A request that names it counts as much as a rendition. */
const recorded = ` AND NOT EXISTS (SELECT 1 FROM request_asset n JOIN request q ON q.number = n.number
  WHERE n.hash = a.hash AND q.conversation NOT IN (SELECT value FROM json_each(?)))`;

/** Put for no session, and used from then on. */
const lendSql = 'INSERT INTO lent VALUES (?, ?) ON CONFLICT DO UPDATE SET time = excluded.time';
const notLent = 'NOT EXISTS (SELECT 1 FROM lent l WHERE l.hash = a.hash AND l.time > ?)';

const isGiven = 'AND a.hash IN (SELECT value FROM json_each(?))';

export function sqliteClaims(database: DatabaseSync, { inTurn, numberOf, now }: Parts): Claims {
  const forget = (ids: readonly AssetId[]): void => {
    for (const table of ['asset', 'reference', 'lent'])
      prepared(database, `DELETE FROM ${table} WHERE hash IN (SELECT value FROM json_each(?))`).run(hashes(ids));
    forgetDescriptions(database, ids.map(hashIn));
  };
  return {
    lease: (assets, session) =>
      inTurn(() => {
        const number = session === undefined ? undefined : numberOf(session);
        const put = `INSERT INTO asset (hash, size, time, stored) VALUES (?, ?, ?, 0)
          ON CONFLICT DO UPDATE SET time = excluded.time`;
        // Others must see it; a power cut may forget it.
        relaxed(database, () =>
          transaction(database, () => {
            for (const { id, size } of assets) {
              prepared(database, put).run(hashIn(id), size, now());
              if (number === undefined) prepared(database, lendSql).run(hashIn(id), now());
              else prepared(database, referSql).run(number, hashIn(id), referenceKinds.held, 0);
            }
          }),
        );
      }),
    stored: (ids) =>
      inTurn(() => {
        const sql = 'UPDATE asset SET stored = 1 WHERE stored = 0 AND hash IN (SELECT value FROM json_each(?))';
        relaxed(database, () => prepared(database, sql).run(hashes(ids)));
      }),
    missing: async (ids) => {
      const sql = 'SELECT hash FROM asset WHERE stored = 1 AND hash IN (SELECT value FROM json_each(?))';
      const there = new Set(idsOf(prepared(database, sql).all(hashes(ids))));
      return new Set(ids.filter((id) => !there.has(id)));
    },
    reachable: async (session) =>
      new Set(
        idsOf(prepared(database, 'SELECT DISTINCT hash FROM reference WHERE session = ?').all(numberOf(session))),
      ),
    named: async (ids, without) => {
      const sql = `SELECT DISTINCT hash FROM reference r WHERE kind = ${referenceKinds.message} AND ${counts}
        AND hash IN (SELECT value FROM json_each(?))`;
      return new Set(idsOf(prepared(database, sql).all(JSON.stringify(without), hashes(ids))));
    },
    needed: async (ids) => {
      const sql = 'SELECT DISTINCT hash FROM reference WHERE hash IN (SELECT value FROM json_each(?))';
      return new Set(idsOf(prepared(database, sql).all(hashes(ids))));
    },
    bytes: async () =>
      Number(
        prepared(database, 'SELECT coalesce(sum(size), 0) AS bytes FROM asset WHERE stored = 1').get()?.['bytes'] ?? 0,
      ),
    collect: ({ idleMs, limit, renditions, without, among }, remove) =>
      inTurn(async () => {
        const sql = `SELECT hash, size FROM asset a WHERE ${renditions ? 'time <= ?' : notLent} AND NOT EXISTS (
            SELECT 1 FROM reference r WHERE r.hash = a.hash AND r.kind >= ? AND ${counts})${renditions ? '' : recorded}
            ${among ? isGiven : ''} ORDER BY time, hash LIMIT ?`;
        const weakest = renditions ? referenceKinds.message : referenceKinds.held;
        prepared(database, 'BEGIN IMMEDIATE').run(); // nobody anywhere leases or names what goes now
        try {
          const out = JSON.stringify(without);
          const more = [...(renditions ? [] : [out]), ...(among ? [hashes(among)] : [])];
          const rows = prepared(database, sql).all(now() - idleMs, weakest, out, ...more, limit);
          const ids = idsOf(rows);
          if (ids.length > 0) await remove(ids);
          forget(ids);
          prepared(database, 'COMMIT').run();
          return { removed: ids.length, bytes: rows.reduce((sum, { size }) => sum + Number(size), 0) };
        } catch (error) {
          if (database.isTransaction) database.exec('ROLLBACK');
          throw error;
        }
      }),
  };
}
