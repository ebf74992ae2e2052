// Bytes by hash, as the pure stages see them: a port. The stores themselves live in `asset/`.
import { SightlineError } from './refusal.ts';
import type { Asset, AssetId } from './block.ts';

/** What is known of bytes when they are put; with `id`, bytes that do not have this hash are refused. */
export type AboutAsset = { mediaType: string; name?: string; id?: AssetId };

/** Where bytes are kept by their hash. */
export type AssetStore = {
  /** Stores bytes once and names them; the same bytes give the same id. */
  put(source: Uint8Array | AsyncIterable<Uint8Array>, about: AboutAsset): Promise<Asset>;
  /** The bytes, or those of a range; `to` is not among them. Undefined when they are gone. */
  get(id: AssetId, range?: { from: number; to?: number }): Promise<Uint8Array | undefined>;
  /** The bytes in bounded chunks, so that nobody has to hold them whole; throws when the asset is gone. */
  stream(id: AssetId, options?: StreamOptions): AsyncIterable<Uint8Array>;
  /** Which of these are not stored; asked once for all media of a turn. */
  missing(ids: readonly AssetId[]): Promise<ReadonlySet<AssetId>>;
  /** It drops bytes by itself, such as the oldest: then it is asked on every turn for all media, else for new ones. */
  forgets?: true;
};

/** So many bytes a store reads at once: whole triples, so base64 never has to carry bytes from one chunk to the next. */
export const chunkBytes: number = 192 * 1024;

/** How the bytes of an asset are read piece by piece. */
export type StreamOptions = {
  /** Whoever reads is done with each chunk before asking for the next, so its buffer may be filled again. */
  reuse?: boolean;
  /** Where to begin. */
  from?: number;
  signal?: AbortSignal;
};

/** All bytes of a source at once. */
export async function wholeOf(source: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source;
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk.slice());
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** What somebody hears who names bytes by a hash that they do not have. */
export function otherBytes(id: AssetId): SightlineError {
  return new SightlineError('input', `The bytes are not those of ${id}: they have another hash. Get the file again.`);
}

/** What somebody hears who reads bytes that are no longer there. */
export function assetGone(id: AssetId): SightlineError {
  return new SightlineError('storage', `The asset ${id} is gone. Give its file again.`);
}
