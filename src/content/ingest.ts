// The door, seen from inside: the pure stages hand bytes out through these ports and get checked blocks back.
import type { Asset, Block } from './block.ts';
import type { MediaInput } from './input.ts';
import type { Read } from './refusal.ts';

export type IngestHint = Omit<MediaInput, 'type' | 'data' | 'path' | 'url'>;

/** Bytes decide: the block's kind and media type come from them, whatever the hint says. Never throws. */
export type Ingest = (bytes: Uint8Array, hint: IngestHint) => Promise<Read<Block>>;

/** Fetches what a `path` or a `url` names, under the caller's rules of access. */
export type Open = (source: { path: string } | { url: string }) => Promise<Read<{ bytes: Uint8Array; name?: string }>>;

/** Keeps bytes that no model can be shown, so that nothing is lost. */
export type Keep = (bytes: Uint8Array, about: { mediaType: string; name?: string }) => Promise<Asset>;

export type Door = { ingest: Ingest; open: Open; keep: Keep };
