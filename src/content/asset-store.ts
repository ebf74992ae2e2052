// Bytes by hash, as the pure stages see them: a port. The stores themselves live in `asset/`.
import type { Asset, AssetId } from './block.ts';

/** Where bytes are kept by their hash. */
export type AssetStore = {
  /** Stores bytes once and names them; the same bytes give the same id. */
  put(bytes: Uint8Array, about: { mediaType: string; name?: string }): Promise<Asset>;
  has(id: AssetId): Promise<boolean>;
  get(id: AssetId): Promise<Uint8Array | undefined>;
  /** The bytes in bounded chunks, so that nobody has to hold them whole; throws when the asset is gone. */
  stream(id: AssetId, options?: StreamOptions): AsyncIterable<Uint8Array>;
  /** How often an asset has gone or was found gone, as far as the store knows. While this stays the same, what was seen
   * stored is not asked for again; a store without it is asked for every asset on every turn. */
  losses?: () => number;
};

/** `reuse`: whoever reads is done with each chunk before asking for the next, so its buffer may be filled again. */
export type StreamOptions = { reuse?: boolean };
