// Descriptions of pictures in memory, each kept as a change like any other; one process, so a claim is a note of its own.
import type { AssetId } from '../../content/block.ts';
import type { DescriptionTable } from '../../model/descriptions.ts';

export type DescriptionChange = ['described', key: string, text: string];

const lapseMs = 60_000;

export function memoryDescriptions(
  known: ReadonlyMap<string, string>,
  { changed, now }: { changed: (change: DescriptionChange) => Promise<void>; now: () => number },
): DescriptionTable {
  const claimed = new Map<string, number>();
  return {
    find: async (key) => known.get(key),
    claim: async (key) => {
      const since = claimed.get(key);
      if (known.has(key) || (since !== undefined && now() - since < lapseMs)) return false;
      claimed.set(key, now());
      return true;
    },
    keep: async (key, text) => {
      await changed(['described', key, text]);
      claimed.delete(key);
    },
    free: async (key) => void claimed.delete(key),
  };
}

/** Takes away what was said of these pictures, but for those that somebody needs. */
export function forgetDescribed(
  known: Map<string, string>,
  pictures: ReadonlySet<AssetId>,
  needed: ReadonlySet<AssetId>,
): void {
  for (const key of known.keys()) {
    const picture = key.split(' ', 1)[0] as AssetId;
    if (pictures.has(picture) && !needed.has(picture)) known.delete(key);
  }
}
