// The door, seen from inside: the pure stages hand bytes out through these ports and get checked blocks back.
import type { Asset, AssetId, Block } from './block.ts';
import type { MediaInput } from './input.ts';
import type { Read } from './refusal.ts';

/** What is said about bytes; the author's words and wishes are added after the check. */
export type IngestHint = Pick<MediaInput, 'name' | 'mediaType' | 'range'>;

/** Bytes decide: the block's kind and media type come from them, whatever the hint says. Never throws. */
export type Ingest = (bytes: Uint8Array, hint: IngestHint) => Promise<Read<Block>>;

/** Fetches what a `path` or a `url` names, under the caller's rules of access. */
export type Open = (source: { path: string } | { url: string }) => Promise<Read<{ bytes: Uint8Array; name?: string }>>;

/** Keeps bytes that no model can be shown, so that nothing is lost. */
export type Keep = (bytes: Uint8Array, about: { mediaType: string; name?: string }) => Promise<Asset>;

/** The bytes of an asset that somebody names, or nothing when it is not stored here. */
export type Stored = (id: AssetId) => Promise<Uint8Array | undefined>;

/** All that leads from the pure stages to bytes and back. */
export type Door = { ingest: Ingest; open: Open; keep: Keep; stored: Stored };
