// The port of this stage is defined with the content it stores; its implementations stand beside this file.
import type { AssetStore } from '../content/asset-store.ts';
import type { AssetId } from '../content/block.ts';

export type { AboutAsset, AssetStore, StreamOptions } from '../content/asset-store.ts';

/** One asset as a store lists it; `modified` is in milliseconds since 1970. */
export type StoredFile = { id: AssetId; size: number; modified: number };

/** What is stored, or what was found damaged and set aside; there, `modified` is when that was. */
export type AssetPlace = 'stored' | 'damaged';

/** What those who look after a store need besides it. */
export type AssetKeeper = AssetStore & {
  delete(ids: readonly AssetId[], place?: AssetPlace): Promise<void>;
  /** Reads all of it and compares it with its name. */
  verify(id: AssetId): Promise<'whole' | 'missing' | 'damaged'>;
  /** Moves a damaged asset out of the way, so that the same bytes can be stored anew. Nothing is deleted. */
  setAside(id: AssetId): Promise<void>;
  list(place?: AssetPlace): AsyncIterable<StoredFile>;
};
