// Assets in the database itself, for teams that have PostgreSQL and no S3: all bytes there, or none.
import { assetId, hashOf } from '../../asset/hash.ts';
import type { AssetKeeper, AssetPlace, StoredFile } from '../../asset/store.ts';
import { assetGone, chunkBytes, otherBytes, wholeOf } from '../../content/asset-store.ts';
import type { AssetId } from '../../content/block.ts';
import { SightlineError } from '../../content/refusal.ts';
import type { Postgres } from './postgres-pool.ts';

const [maxBytes, pageRows] = [16 * 1024 * 1024, 1000];

const places: Record<AssetPlace, string> = { stored: 'NOT damaged', damaged: 'damaged' };

const hashes = (ids: readonly AssetId[]): string[] => ids.flatMap((id) => hashOf(id) ?? []);

/** The store over a database; each asset takes at most 16 MiB. */
export function postgresAssets({ ask }: Postgres): AssetKeeper {
  const part = async (id: AssetId, from: number, length: number): Promise<Uint8Array | undefined> => {
    const hash = hashOf(id);
    if (hash === undefined) return undefined;
    const sql = `SELECT substring(bytes FROM $2::integer FOR $3::integer) AS bytes FROM sightline.content
      WHERE hash = decode($1, 'hex') AND NOT damaged`;
    const bytes = (await ask(sql, [hash, Math.min(from, maxBytes) + 1, length]))[0]?.['bytes'];
    return bytes instanceof Uint8Array ? bytes : undefined;
  };

  return {
    async put(source, { id: wanted, ...about }) {
      const bytes = await wholeOf(source);
      const id = assetId(bytes);
      if (wanted !== undefined && wanted !== id) throw otherBytes(wanted);
      if (bytes.length > maxBytes) throw tooLarge(bytes.length);
      await ask(
        `INSERT INTO sightline.content (hash, bytes) VALUES (decode($1, 'hex'), $2) ON CONFLICT (hash) DO UPDATE
          SET bytes = excluded.bytes, damaged = false WHERE content.damaged OR length(content.bytes) <> length(excluded.bytes)`,
        [hashOf(id), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)],
      );
      return { id, size: bytes.length, ...about };
    },
    async get(id, range) {
      const from = range?.from ?? 0;
      const bytes = await part(id, from, Math.max(0, Math.min(range?.to ?? maxBytes, maxBytes) - from));
      if (!bytes || range || assetId(bytes) === id) return bytes;
      return undefined;
    },
    async *stream(id, options = {}) {
      for (let at = options.from ?? 0; ; at += chunkBytes) {
        options.signal?.throwIfAborted();
        const chunk = await part(id, at, chunkBytes);
        if (!chunk) throw assetGone(id);
        options.signal?.throwIfAborted();
        if (chunk.length > 0) yield chunk;
        if (chunk.length < chunkBytes) return;
      }
    },
    async missing(ids) {
      if (ids.length === 0) return new Set();
      const rows = await ask(
        `SELECT encode(hash, 'hex') AS hash FROM sightline.content
          WHERE NOT damaged AND hash IN (SELECT decode(h, 'hex') FROM unnest($1::text[]) h)`,
        [hashes(ids)],
      );
      const there = new Set(rows.map(({ hash }) => `sha256:${String(hash)}`));
      return new Set(ids.filter((id) => !there.has(id)));
    },
    async delete(ids, place = 'stored') {
      const sql = `DELETE FROM sightline.content WHERE ${places[place]} AND hash IN
        (SELECT decode(h, 'hex') FROM unnest($1::text[]) h)`;
      await ask(sql, [hashes(ids)]);
    },
    async verify(id) {
      const sql =
        "SELECT sha256(bytes) = hash AS whole FROM sightline.content WHERE hash = decode($1, 'hex') AND NOT damaged";
      const [row] = await ask(sql, [hashOf(id) ?? '']);
      return row ? (row['whole'] === true ? 'whole' : 'damaged') : 'missing';
    },
    async setAside(id) {
      const sql = `UPDATE sightline.content SET damaged = true, time = now() WHERE hash = decode($1, 'hex')`;
      await ask(sql, [hashOf(id) ?? '']);
    },
    list: (place = 'stored') => listed(ask, place),
  };
}

async function* listed(ask: Postgres['ask'], place: AssetPlace): AsyncGenerator<StoredFile> {
  const sql = `SELECT encode(hash, 'hex') AS hash, length(bytes) AS size, extract(epoch FROM time) * 1000 AS time
    FROM sightline.content WHERE ${places[place]} AND hash > decode($1, 'hex') ORDER BY hash LIMIT ${pageRows}`;
  for (let after = ''; ;) {
    const rows = await ask(sql, [after]);
    for (const { hash, size, time } of rows)
      yield { id: `sha256:${String(hash)}`, size: Number(size), modified: Number(time) };
    if (rows.length < pageRows) return;
    after = String(rows.at(-1)?.['hash']);
  }
}

function tooLarge(size: number): SightlineError {
  const what = `An asset of ${Math.round(size / 1e6)} MB does not fit into the database (at most 16 MiB each)`;
  return new SightlineError('storage', `${what}. Keep assets in S3: assets = "s3://bucket/prefix".`);
}
