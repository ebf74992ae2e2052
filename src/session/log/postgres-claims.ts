// Who needs which asset, by the tables in PostgreSQL and by its clock.
import type { AssetId } from '../../content/block.ts';
import { hashIn } from '../../content/block.ts';
import type { Claims } from './port.ts';
import { gone } from './port.ts';
import type { PgRow, Postgres } from './postgres-pool.ts';

const idsIn = (rows: readonly PgRow[]): AssetId[] => rows.map(({ hash }): AssetId => `sha256:${String(hash)}`);

const isHash = (hash: string): boolean => /^[0-9a-f]{64}$/.test(hash);

/** What is no hash names no asset. */
const hashesOf = (ids: readonly AssetId[]): string[] => ids.map(hashIn).filter(isHash);

const given = "(SELECT decode(h, 'hex') FROM unnest($1::text[]) h)";

/** Sessions that do not count. */
const counts = 'r.session NOT IN (SELECT s.number FROM sightline.session s WHERE s.id = ANY($2::text[]))';

type Parts = { closing: <T>(work: () => Promise<T>) => Promise<T> };

export function postgresClaims(database: Postgres, { closing }: Parts): Claims {
  const { ask } = database;
  return {
    lease: (assets, session) =>
      closing(async () => {
        const sizes = new Map(assets.map(({ id, size }) => [hashIn(id), size])); // in one order, so that nobody waits in a ring
        const hashes = [...sizes.keys()].filter(isHash).toSorted();
        const rows = await ask(
          `WITH put AS (
            INSERT INTO sightline.asset (hash, size, time)
              SELECT decode(h, 'hex'), size, clock_timestamp() FROM unnest($1::text[], $2::bigint[]) AS g (h, size)
              ON CONFLICT (hash) DO UPDATE SET time = excluded.time RETURNING hash),
          named AS (
            INSERT INTO sightline.reference SELECT s.number, put.hash, 0, 0 FROM put, sightline.session s
              WHERE s.id = $3 AND NOT s.removed ON CONFLICT DO NOTHING),
          lent AS (
            INSERT INTO sightline.lent SELECT hash, clock_timestamp() FROM put WHERE $3::text IS NULL
              ON CONFLICT (hash) DO UPDATE SET time = excluded.time)
          SELECT $3::text IS NULL OR EXISTS (SELECT 1 FROM sightline.session WHERE id = $3 AND NOT removed) AS there`,
          [hashes, hashes.map((hash) => sizes.get(hash) ?? 0), session ?? null],
        );
        if (session !== undefined && rows[0]?.['there'] !== true) throw gone(session);
      }),
    stored: (ids) =>
      closing(async () => {
        await ask(`UPDATE sightline.asset SET stored = true WHERE NOT stored AND hash IN ${given}`, [hashesOf(ids)]);
      }),
    missing: async (ids) => {
      if (ids.length === 0) return new Set();
      const sql = `SELECT encode(hash, 'hex') AS hash FROM sightline.asset WHERE stored AND hash IN ${given}`;
      const there = new Set(idsIn(await ask(sql, [hashesOf(ids)])));
      return new Set(ids.filter((id) => !there.has(id)));
    },
    reachable: async (session) => {
      const rows = await ask(
        `SELECT DISTINCT encode(r.hash, 'hex') AS hash FROM sightline.session s
          LEFT JOIN sightline.reference r ON r.session = s.number WHERE s.id = $1 AND NOT s.removed`,
        [session],
      );
      if (rows.length === 0) throw gone(session);
      return new Set(idsIn(rows.filter(({ hash }) => hash !== null)));
    },
    named: async (ids, without) => {
      const sql = `SELECT DISTINCT encode(r.hash, 'hex') AS hash FROM sightline.reference r
        WHERE r.kind = 2 AND r.hash IN ${given} AND ${counts}`;
      return new Set(idsIn(await ask(sql, [hashesOf(ids), without])));
    },
    needed: async (ids) => {
      const sql = `SELECT DISTINCT encode(hash, 'hex') AS hash FROM sightline.reference WHERE hash IN ${given}`;
      return new Set(idsIn(await ask(sql, [hashesOf(ids)])));
    },
    bytes: async () => {
      const [row] = await ask('SELECT coalesce(sum(size), 0)::bigint AS bytes FROM sightline.asset WHERE stored');
      return Number(row?.['bytes'] ?? 0);
    },
    collect: (what, remove) => closing(() => collectIn(database, what, remove)),
  };
}

/** So many milliseconds ago, as this parameter says. */
function since(place: number): string {
  return `clock_timestamp() - $${place} * interval '1 millisecond'`;
}

/** Somebody put it since then, for no session. */
function lent(place: number): string {
  return `EXISTS (SELECT 1 FROM sightline.lent l WHERE l.hash = a.hash AND l.time > ${since(place)})`;
}

async function collectIn(
  database: Postgres,
  { idleMs, limit, renditions, without, among }: Parameters<Claims['collect']>[0],
  remove: Parameters<Claims['collect']>[1],
): ReturnType<Claims['collect']> {
  const weakest = renditions ? 2 : 0;
  const needed = `EXISTS (SELECT 1 FROM sightline.reference r WHERE r.hash = a.hash AND r.kind >= $1 AND ${counts})`;
  // A request that names it counts as much as a rendition.
  const recorded = `EXISTS (SELECT 1 FROM sightline.request_asset n JOIN sightline.request q ON q.number = n.number
    WHERE n.hash = a.hash AND q.conversation <> ALL($2::text[]))`;
  const idle = (place: number): string =>
    `NOT ${needed} AND ${renditions ? `a.time <= ${since(place)}` : `NOT ${recorded} AND NOT ${lent(place)}`}`;
  return await database.transaction(async (ask) => {
    const held = await ask(
      `SELECT encode(a.hash, 'hex') AS hash FROM sightline.asset a
        WHERE ${idle(3)}
          AND ($5::text[] IS NULL OR a.hash IN (SELECT decode(h, 'hex') FROM unnest($5::text[]) h))
        ORDER BY a.time, a.hash LIMIT $4 FOR UPDATE SKIP LOCKED`,
      [weakest, without, idleMs, limit, among ? hashesOf(among) : null],
    );
    // Whoever named one of them before it was held has committed by now.
    const rows = await ask(
      `SELECT encode(a.hash, 'hex') AS hash, a.size FROM sightline.asset a
        WHERE a.hash IN (SELECT decode(h, 'hex') FROM unnest($3::text[]) h) AND ${idle(4)} ORDER BY a.time, a.hash`,
      [weakest, without, held.map(({ hash }) => hash), idleMs],
    );
    const ids = idsIn(rows);
    if (ids.length > 0) await remove(ids);
    const hashes = [hashesOf(ids)];
    await ask(`DELETE FROM sightline.reference WHERE hash IN ${given}`, hashes);
    await ask(`DELETE FROM sightline.asset WHERE hash IN ${given}`, hashes);
    return { removed: ids.length, bytes: rows.reduce((sum, { size }) => sum + Number(size), 0) };
  });
}
