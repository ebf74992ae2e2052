// Bytes in, bytes by hash out, kept in memory up to a bound. Beyond it the least recently used asset goes first;
// an asset that is larger than the whole bound is an error. Web standards only, so it serves on edge workers, too.
import { assetGone, chunkBytes, otherBytes, wholeOf } from './asset-store.ts';
import type { AssetStore } from './asset-store.ts';
import type { Asset, AssetId } from './block.ts';
import { SightlineError } from './refusal.ts';
import { sha256 } from './sha256.ts';

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
      const bytes = new Uint8Array(await wholeOf(source)); // a copy: the caller may reuse its buffer
      if (bytes.length > maxBytes) {
        throw new SightlineError(
          'storage',
          `An asset of ${bytes.length} bytes does not fit into ${maxBytes} bytes. Give memoryAssets a larger maxBytes, or keep assets in files (fileAssets).`,
        );
      }
      const id: AssetId = `sha256:${await sha256(bytes)}`;
      if (wanted !== undefined && wanted !== id) throw otherBytes(wanted);
      if (use(id) === undefined) {
        kept.set(id, bytes);
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
      if (bytes === undefined) throw assetGone(id);
      for (let start = from; start < bytes.length; start += chunkBytes) {
        signal?.throwIfAborted();
        yield bytes.subarray(start, start + chunkBytes);
      }
    },
  };
}
