// The loose forms in which people hand media to us. They become blocks at the intake, where the bytes are checked.
import type { Block, Detail, MediaKind } from './block.ts';
import { isMediaKind } from './block.ts';
import { isRecord } from './json.ts';
import { SightlineError } from './refusal.ts';

/** Bytes in any of the forms the platform knows; a string is base64 or a data URI. */
export type Data = Uint8Array | ArrayBuffer | Blob | string;

/** A medium as people hand it over: its bytes, or where they are. */
export type MediaInput = {
  type: MediaKind;
  data?: Data;
  path?: string;
  url?: string;
  name?: string;
  mediaType?: string;
  detail?: Detail;
  fallback?: string;
  /** Pages of a document, 0-based and half-open. */
  range?: readonly [number, number];
};

/** A checked block, or a medium that still has to pass the intake. */
export type BlockInput = Block | MediaInput;

/** What a message or a tool may give as its content. */
export type ContentInput = string | BlockInput | readonly (string | BlockInput)[];

/** Throws for what can be no content at all; `where` begins the sentence. */
export function checkContent(content: unknown, where: string): asserts content is ContentInput {
  const items: unknown[] = Array.isArray(content) ? content : [content];
  const stray = items.findIndex((item) => typeof item !== 'string' && !isBlockLike(item));
  if (stray < 0) return;
  const place = Array.isArray(content) ? `${where}[${stray}]` : where;
  const given = isRecord(items[stray]) ? 'a text block without its text' : kindOfValue(items[stray]);
  throw new SightlineError(
    'input',
    `${place} is ${given}. Give a string, a block such as image({ path: 'a.png' }), or a list of these.`,
  );
}

function isBlockLike(item: unknown): boolean {
  return isRecord(item) && (item['type'] !== 'text' || typeof item['text'] === 'string');
}

function kindOfValue(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return Array.isArray(value) ? 'a list in a list' : `of the type ${typeof value}`;
}

type Bytes = Uint8Array | ArrayBuffer | Blob;
type MediaFields = Omit<MediaInput, 'type'>;
type MediaOptions = Omit<MediaFields, 'data' | 'path' | 'url'>;

/** Words, for a list of blocks. */
export function text(value: string): BlockInput {
  return { type: 'text', text: value };
}

/** A picture: `image(bytes)`, `image({ path })`, `image({ data: base64 })` or a `file:` or `https:` URL. */
export function image(source: Bytes | URL | MediaFields, options: MediaOptions = {}): MediaInput {
  return media('image', source, options);
}

/** A PDF or an Office document. */
export function document(source: Bytes | URL | MediaFields, options: MediaOptions = {}): MediaInput {
  return media('document', source, options);
}

/** A sound, given in the same ways. */
export function audio(source: Bytes | URL | MediaFields, options: MediaOptions = {}): MediaInput {
  return media('audio', source, options);
}

function media(type: MediaKind, source: Bytes | URL | MediaFields, options: MediaOptions): MediaInput {
  if (source instanceof URL) return { ...options, type, url: source.href };
  if (source instanceof Uint8Array || source instanceof ArrayBuffer || source instanceof Blob) {
    return { ...options, type, data: source };
  }
  return { ...options, ...source, type };
}

/** A checked block has an asset; anything else of a media type still has to pass the intake. */
export function isChecked(block: BlockInput): block is Block {
  return !('data' in block || 'path' in block || 'url' in block) && (!isMediaKind(block.type) || 'asset' in block);
}
