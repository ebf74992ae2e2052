// Bytes in, bytes by hash out, kept in memory up to a bound. Beyond it the least recently used asset goes first;
// an asset that is larger than the whole bound is an error.
import { wholeOf } from '../content/asset-store.ts';
import type { Asset, AssetId } from '../content/block.ts';
import { SightlineError } from '../content/refusal.ts';
import { assetId, otherBytes } from './hash.ts';
import type { AssetStore } from './store.ts';

const chunkBytes = 256 * 1024;

/**
 * The store for programs that give none: nothing touches the disk and memory stays bounded.
 *
 * @example
 * const assets = memoryAssets({ maxBytes: 64 * 1024 * 1024 });
 */
export function memoryAssets({ maxBytes = 512 * 1024 * 1024 }: { maxBytes?: number } = {}): AssetStore {
  const kept = new Map<AssetId, Uint8Array>(); // in order of last use
  let total = 0;

  const use = (id: AssetId): Uint8Array | undefined => {
    const bytes = kept.get(id);
    if (bytes === undefined) return undefined;
    kept.delete(id);
    kept.set(id, bytes);
    return bytes;
  };

  const makeRoom = (): void => {
    for (const [id, bytes] of kept) {
      if (total <= maxBytes) return;
      kept.delete(id);
      total -= bytes.length;
    }
  };

  return {
    async put(source, { id: wanted, ...about }): Promise<Asset> {
      const bytes = await wholeOf(source);
      if (bytes.length > maxBytes) {
        throw new SightlineError('storage', `An asset of ${bytes.length} bytes does not fit into ${maxBytes} bytes.`);
      }
      const id = assetId(bytes);
      if (wanted !== undefined && wanted !== id) throw otherBytes(wanted);
      if (use(id) === undefined) {
        kept.set(id, new Uint8Array(bytes)); // a copy: the caller may reuse its buffer
        total += bytes.length;
        makeRoom();
      }
      return { id, size: bytes.length, ...about };
    },
    missing: async (ids) => new Set(ids.filter((id) => !kept.has(id))),
    forgets: true,
    async get(id, range) {
      const bytes = use(id);
      return range ? bytes?.subarray(range.from, range.to) : bytes;
    },
    async *stream(id, { from = 0, signal } = {}) {
      const bytes = use(id);
      if (bytes === undefined) throw new SightlineError('storage', `The asset ${id} is gone.`);
      for (let start = from; start < bytes.length; start += chunkBytes) {
        signal?.throwIfAborted();
        yield bytes.subarray(start, start + chunkBytes);
      }
    },
  };
}

let shared: AssetStore | undefined;

/**
 * One bounded store for everything in this process that was given no other.
 *
 * @example
 * const bytes = await sharedAssets().get(block.asset.id);
 */
export function sharedAssets(): AssetStore {
  shared ??= memoryAssets();
  return shared;
}
