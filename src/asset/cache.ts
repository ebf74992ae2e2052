// Files on this machine in front of a store far away. What is read was compared with its name once by this process; beyond the
// bound the least recently used go. Many processes may share one folder.
import type { AssetId } from '../content/block.ts';
import { fileAssets } from './files.ts';
import type { FileAssets } from './files.ts';
import type { StoredFile } from './store.ts';

export type AssetCache = {
  files: FileAssets;
  /** Whether all of its bytes are here, as they should be; what is not whole goes. */
  has: (id: AssetId) => Promise<boolean>;
  /** Nobody makes room with it meanwhile. */
  holding: <T>(id: AssetId, work: () => Promise<T>) => Promise<T>;
  hold: (id: AssetId) => () => void;
  /** So many bytes were added. */
  added: (id: AssetId, bytes: number) => Promise<void>;
};

/** When it is full, so much of the bound is left in it. */
const keptShare = 0.9;

/** A cache in a folder that takes at most so many bytes, but for what is just being used. */
export function assetCache(folder: string, maxBytes: number): AssetCache {
  const files = fileAssets(folder);
  const used = new Map<AssetId, number>();
  const held = new Map<AssetId, number>();
  const whole = new Set<AssetId>();
  let [size, making]: [number | undefined, Promise<void> | undefined] = [undefined, undefined];

  const hold = (id: AssetId): (() => void) => {
    used.set(id, Date.now());
    held.set(id, (held.get(id) ?? 0) + 1);
    return () => {
      const left = (held.get(id) ?? 1) - 1;
      if (left > 0) held.set(id, left);
      else held.delete(id);
    };
  };
  const lastUse = ({ id, modified }: StoredFile): number => Math.max(modified, used.get(id) ?? 0);
  const makeRoom = async (): Promise<void> => {
    const all: StoredFile[] = [];
    for await (const file of files.list()) all.push(file);
    size = all.reduce((sum, file) => sum + file.size, 0);
    if (size <= maxBytes) return;
    for (const file of all.toSorted((one, other) => lastUse(one) - lastUse(other))) {
      if (size <= maxBytes * keptShare) return;
      if (held.has(file.id)) continue;
      await files.delete([file.id]);
      for (const known of [used, whole]) known.delete(file.id);
      size -= file.size;
    }
  };
  return {
    files,
    hold,
    holding: async (id, work) => {
      const release = hold(id);
      try {
        return await work();
      } finally {
        release();
      }
    },
    has: async (id) => {
      if ((await files.missing([id])).size > 0) return false;
      if (whole.has(id)) return true;
      const isWhole = (await files.verify(id)) === 'whole';
      if (isWhole) whole.add(id);
      else await files.delete([id]);
      return isWhole;
    },
    added: async (id, bytes) => {
      whole.add(id);
      if (size !== undefined) size += bytes;
      if (size !== undefined && size <= maxBytes) return;
      await (making ??= makeRoom().finally(() => (making = undefined)));
    },
  };
}
