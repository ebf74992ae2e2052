// Assets in a bucket that many machines share, each under its hash, behind files of this machine: bytes are read from there, and
// were compared with their name before. What the bucket holds damaged is nobody's: it counts as gone.
import { join } from 'node:path';
import { assetGone } from '../content/asset-store.ts';
import { assetCache } from '../asset/cache.ts';
import { hashOf } from '../asset/hash.ts';
import type { AssetKeeper, AssetPlace, StoredFile } from '../asset/store.ts';
import { awsAccessOf } from '../config/environment.ts';
import { homeFolder } from '../config/home.ts';
import type { AssetId } from '../content/block.ts';
import { SightlineError } from '../content/refusal.ts';
import type { S3Body, S3Bucket } from './s3-bucket.ts';
import { openBucket } from './s3-bucket.ts';
import type { S3Access } from './s3-place.ts';
import { s3PlaceOf } from './s3-place.ts';

/** Which bucket holds the media, who may read it, and what this machine keeps in front of it. */
export type S3Options = S3Access & {
  /** `s3://bucket/prefix`: of one database of sessions alone, because `gc` removes what that does not name. */
  bucket: string;
  /** Files of this machine in front of it; in the home, and 2 GiB, unless set. */
  cache?: { folder?: string; maxBytes?: number };
  /** Who knows which are not stored, without asking for each. */
  missing?: (ids: readonly AssetId[]) => Promise<ReadonlySet<AssetId>>;
  now?: () => number;
};

const defaultCacheBytes = 2 * 1024 ** 3;
const [maxFills, maxAsked] = [5, 8];
const damaged = 'damaged/';

/**
 * Assets in S3 or whatever speaks like it; keys come from the usual variables of AWS unless they are given.
 *
 * @example
 * const assets = s3Assets({ bucket: 's3://agents/media' });
 */
export function s3Assets({
  bucket: address,
  cache: { folder, maxBytes = defaultCacheBytes } = {},
  ...options
}: S3Options): AssetKeeper {
  const bucket = openBucket(s3PlaceOf(address, { ...awsAccessOf(), ...options }), options.now);
  const cache = assetCache(folder ?? join(homeFolder(), 'cache'), maxBytes);
  const { files } = cache;
  /** What this process did not find, or found damaged. */
  const lost = new Map<AssetId, 'missing' | 'damaged'>();
  const filling = new Map<AssetId, Promise<void>>();

  const fill = async (id: AssetId, hash: string): Promise<void> => {
    const found = await bucket.download(hash);
    if (!found) return void lost.set(id, 'missing');
    let size = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of goneOn(bucket, hash, found)) {
        size += chunk.length;
        yield chunk;
      }
    };
    try {
      await files.put(counted(), { mediaType: '', id });
    } catch (error) {
      if (!(error instanceof SightlineError) || error.code !== 'input') throw error;
      return void lost.set(id, 'damaged'); // they have another hash
    }
    lost.delete(id);
    await cache.added(id, size);
  };
  /** Whether its bytes are on this machine now. */
  const isHere = async (id: AssetId): Promise<boolean> => {
    const hash = hashOf(id);
    if (hash === undefined) return false;
    if (await cache.has(id)) return true;
    if (lost.get(id) === 'damaged') return false;
    const under = filling.get(id) ?? fill(id, hash).finally(() => filling.delete(id));
    filling.set(id, under);
    await under;
    return !lost.has(id);
  };
  const askEach = async (ids: readonly AssetId[]): Promise<ReadonlySet<AssetId>> => {
    const gone = new Set<AssetId>();
    const left = [...ids];
    const one = async (): Promise<void> => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) {
        const hash = hashOf(id);
        if (hash === undefined || (await bucket.sizeOf(hash)) === undefined) gone.add(id);
      }
    };
    await Promise.all(Array.from({ length: maxAsked }, one));
    return gone;
  };
  /** Only where there is none, unless what is there is not this. */
  const upload = async (id: AssetId, size: number, wasHere: boolean): Promise<void> => {
    const hash = hashOf(id) ?? '';
    const bytes = (): AsyncIterable<Uint8Array> => files.stream(id);
    if (wasHere && !lost.has(id) && (await bucket.sizeOf(hash)) === size) return;
    const isSure = lost.get(id) !== 'damaged' && (await bucket.upload(hash, size, bytes, true)) === 'stored';
    if (!isSure && (lost.has(id) || (await bucket.sizeOf(hash)) !== size))
      await bucket.upload(hash, size, bytes, false);
    lost.delete(id);
  };

  return {
    async put(source, { id: wanted, ...about }) {
      const wasHere = wanted !== undefined && (await cache.has(wanted));
      const { id, size } = await files.put(source, { ...about, ...(wanted !== undefined && { id: wanted }) });
      await cache.holding(id, async () => {
        await upload(id, size, wasHere);
        await cache.added(id, wasHere ? 0 : size);
      });
      return { id, size, ...about };
    },
    get: (id, range) => cache.holding(id, async () => ((await isHere(id)) ? await files.get(id, range) : undefined)),
    async *stream(id, given) {
      const release = cache.hold(id);
      try {
        if (!(await isHere(id))) throw assetGone(id);
        yield* files.stream(id, given);
      } finally {
        release();
      }
    },
    async missing(ids) {
      const away = await files.missing(ids);
      const gone = new Set(ids.filter((id) => away.has(id) && (lost.has(id) || hashOf(id) === undefined)));
      const open = ids.filter((id) => away.has(id) && !gone.has(id));
      const found = open.length === 0 ? [] : await (options.missing ?? askEach)(open);
      return new Set([...gone, ...found]);
    },
    async delete(ids, place = 'stored') {
      const hashes = ids.flatMap((id) => hashOf(id) ?? []);
      await bucket.remove(place === 'stored' ? hashes : hashes.map((hash) => `${damaged}${hash}`));
      if (place === 'stored') await files.delete(ids);
    },
    async verify(id) {
      const hash = hashOf(id);
      if (hash === undefined) return 'missing';
      return await cache.holding(id, async () => {
        lost.delete(id);
        if (!(await cache.has(id))) return (await isHere(id)) ? 'whole' : (lost.get(id) ?? 'missing');
        const size = (await files.get(id))?.length ?? 0;
        if ((await bucket.sizeOf(hash)) !== size) await bucket.upload(hash, size, () => files.stream(id), false);
        return 'whole';
      });
    },
    async setAside(id) {
      const hash = hashOf(id);
      if (hash === undefined) return;
      await bucket.copy(hash, `${damaged}${hash}`);
      await bucket.remove([hash]);
      await files.delete([id]);
    },
    list: (place = 'stored') => listedIn(bucket, place),
  };
}

/** The bytes of an object, gone on with where the connection broke. */
async function* goneOn(bucket: S3Bucket, hash: string, begun: S3Body): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let body: S3Body | undefined = begun, tries = 1; body && at < begun.size; tries++) {
    try {
      for await (const chunk of body.bytes) {
        at += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      if (tries === maxFills) throw error;
      body = await bucket.download(hash, at);
    }
  }
}

async function* listedIn(bucket: S3Bucket, place: AssetPlace): AsyncGenerator<StoredFile> {
  for await (const { key, size, modified } of bucket.list(place === 'stored' ? '' : damaged))
    if (/^[0-9a-f]{64}$/.test(key)) yield { id: `sha256:${key}`, size, modified };
}
