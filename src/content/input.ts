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
  /** The id that a provider gave to a file, and whose id it is: the first part of a model's name. */
  file?: { endpoint: string; id: string };
  name?: string;
  mediaType?: string;
  detail?: Detail;
  fallback?: string;
  /** Pages of a document, 0-based and half-open. */
  range?: readonly [number, number];
};

/** A checked block, or a medium that still has to pass the intake. */
export type BlockInput = Block | MediaInput;

/** A file without a word about it: bytes decide what it is. */
export type FileInput = Bytes | URL;

/** What a message or a tool may give as its content. */
export type ContentInput = string | BlockInput | FileInput | readonly (string | BlockInput | FileInput)[];

/** Content as a list of blocks; strings are words, files are media. */
export function inputBlocks(content: ContentInput): readonly BlockInput[] {
  const items = Array.isArray(content) ? (content as readonly unknown[]) : [content];
  return (items as readonly (string | BlockInput | FileInput)[]).map((item) => {
    if (typeof item === 'string') return { type: 'text', text: item };
    return isFile(item) ? media('document', item, item instanceof File ? { name: item.name } : {}) : item;
  });
}

function isFile(item: unknown): item is FileInput {
  return item instanceof URL || item instanceof Uint8Array || item instanceof ArrayBuffer || item instanceof Blob;
}

/** Throws for what can be no content at all; `where` begins the sentence. */
export function checkContent(content: unknown, where: string): asserts content is ContentInput {
  const items: unknown[] = Array.isArray(content) ? content : [content];
  const stray = items.findIndex((item) => typeof item !== 'string' && !isFile(item) && !isBlockLike(item));
  if (stray < 0) return;
  const place = Array.isArray(content) ? `${where}[${stray}]` : where;
  const given = isRecord(items[stray]) ? wrongBlock(items[stray]) : kindOfValue(items[stray]);
  throw new SightlineError(
    'input',
    `${place} is ${given}. Give a string, a block such as image('a.png'), bytes, a URL, or a list of these.`,
  );
}

function wrongBlock(item: Record<string, unknown>): string {
  if (item['type'] === 'text') return 'a text block without its text';
  return 'role' in item ? 'a message, which belongs into messages' : 'an object without a type';
}

/** Blocks in the spelling of other SDKs need no type; a message is no block. */
function isBlockLike(item: unknown): boolean {
  if (!isRecord(item) || 'role' in item || Object.keys(item).length === 0) return false;
  return item['type'] !== 'text' || typeof item['text'] === 'string';
}

function kindOfValue(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return Array.isArray(value) ? 'a list in a list' : `of the type ${typeof value}`;
}

/** Bytes in one of the platform's forms. */
export type Bytes = Uint8Array | ArrayBuffer | Blob;

/** What is said about a medium besides its bytes. */
export type AboutMedium = Omit<MediaInput, 'type' | 'data' | 'path' | 'url' | 'file'>;

/** A medium: a path, bytes, a `file:` or `https:` URL, or one of these by name with what is said about it. `file` is the id
 * of a file that lies at a provider. */
export type MediaSource =
  | string
  | FileInput
  | (AboutMedium &
      ({ data: Data } | { path: string } | { url: string } | { file: { endpoint: string; id: string } }) &
      Pick<MediaInput, 'data' | 'path' | 'url' | 'file'>);

/**
 * Words, for a list of blocks.
 *
 * @example
 * const content = [text('The chart:'), image('chart.png')];
 */
export function text(value: string): BlockInput {
  if (typeof value !== 'string')
    throw new SightlineError(
      'input',
      `text() takes a string, and got a value of the type ${typeof value}. Write text(String(value)).`,
    );
  return { type: 'text', text: value };
}

/**
 * A picture. A string is a path, or a data URI; base64 goes as `{ data }`.
 *
 * @example
 * runAgent({ model: 'anthropic/claude-sonnet-5', prompt: [image('chart.png'), 'What does it show?'] });
 */
export function image(source: MediaSource, options: AboutMedium = {}): MediaInput {
  return media('image', source, options);
}

/**
 * A PDF or an Office document, given in the same ways.
 *
 * @example
 * const pages = document('report.pdf', { range: [0, 3] });
 */
export function document(source: MediaSource, options: AboutMedium = {}): MediaInput {
  return media('document', source, options);
}

/**
 * A sound, given in the same ways.
 *
 * @example
 * const call = audio(await readFile('call.mp3'), { name: 'call.mp3' });
 */
export function audio(source: MediaSource, options: AboutMedium = {}): MediaInput {
  return media('audio', source, options);
}

function media(type: MediaKind, source: MediaSource, options: AboutMedium): MediaInput {
  if (typeof source === 'string')
    return { ...options, type, ...(/^data:/i.test(source) ? { data: source } : { path: source }) };
  if (source instanceof URL) return { ...options, type, url: source.href };
  if (source instanceof Uint8Array || source instanceof ArrayBuffer || source instanceof Blob) {
    return { ...options, type, data: source };
  }
  const given = isRecord(source)
    ? (['data', 'path', 'url', 'file'] as const).filter((name) => source[name] !== undefined)
    : [];
  if (given.length === 1) return { ...options, ...source, type };
  const what = given.length > 1 ? `got ${given.join(' and ')}, which is one too many` : `got ${kindOfSource(source)}`;
  throw new SightlineError(
    'input',
    `${type}() ${what}. Give a path, bytes, a URL, or one of { data }, { path }, { url } and { file }.`,
  );
}

function kindOfSource(source: unknown): string {
  return isRecord(source) ? 'an object without data, path, url or file' : kindOfValue(source);
}

/** A checked block has an asset, or says where it lies; anything else of a media type still has to pass the intake. */
export function isChecked(block: BlockInput): block is Block {
  if (block.type === 'reference') return true;
  return (
    !('data' in block || 'path' in block || 'url' in block || 'file' in block) &&
    (!isMediaKind(block.type) || 'asset' in block)
  );
}
