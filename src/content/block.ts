// What can be shown to a model. Blocks are plain immutable JSON: bytes are named by their hash, never carried.
import { isCount, isRecord } from './json.ts';
import type { Json } from './json.ts';

/** Content-addressed bytes. Same bytes, same id, stored once. */
export type AssetId = `sha256:${string}`;

/** The hash of an asset by itself, in hexadecimal digits. */
export function hashIn(id: AssetId): string {
  return id.slice('sha256:'.length);
}

/** Bytes that are stored, by their name. */
export type Asset = { id: AssetId; mediaType: string; size: number; name?: string };

/** Where a block came from and what was done to it on the way, in words a model can use. */
export type Origin = { source: string; page?: number; made?: string };

/** Pages of a document: 0-based, half-open. */
export type PageRange = readonly [start: number, end: number];

/** How closely a model should look at a picture. `whole`: as usual, but never in pieces, as for a screen that is clicked on. */
export type Detail = 'low' | 'high' | 'original' | 'auto' | 'whole';

/** How a picture is cut into pieces. `scale`: of each against the original. `overlap`: what neighbours share, in pixels of
 * the original. */
export type TileGrid = { columns: number; rows: number; scale: number; overlap: { columns: number; rows: number } };

/** A picture before it was made canonical; kept so that a crop or a zoom is always possible. */
export type Picture = { asset: Asset; width: number; height: number };

/** Opaque provider data. It goes back verbatim to the model that made it, and nowhere else. */
export type Seal = { wire: string; endpoint: string; model: string; item: Json };

/** Where words of an answer come from: a document that was sent, or an address. */
export type Citation = {
  /** The words of the source. */
  text?: string;
  title?: string;
  /** The document, counted from 0 through the request. */
  document?: number;
  /** Its pages, or the characters of its text: 0-based, half-open. */
  pages?: PageRange;
  characters?: PageRange;
  url?: string;
};

/** `citations`: where a model says that it has these words from. `kept`: assets that the words name. */
export type TextBlock = {
  type: 'text';
  text: string;
  citations?: readonly Citation[];
  kept?: readonly Asset[];
  seal?: Seal;
};

/** `asset` is the canonical rendition: upright, without metadata, long edge at most 2000 px, PNG, JPEG, WebP or GIF. */
export type ImageBlock = {
  type: 'image';
  asset: Asset;
  width: number;
  height: number;
  original?: Picture;
  /** The size of its smaller letters, in pixels of the original; left out where nobody found any. */
  textPx?: number;
  detail?: Detail;
  fallback?: string;
  origin?: Origin;
  /** Of a picture that a model made: its provider's item without the bytes, which are those of the original. */
  seal?: Seal;
};

/** A PDF, whole or some of its pages. */
export type DocumentBlock = {
  type: 'document';
  asset: Asset;
  pages?: number;
  range?: PageRange;
  fallback?: string;
  origin?: Origin;
};

/** A sound or a film, with how long it plays. */
export type SoundBlock = {
  type: 'audio' | 'video';
  asset: Asset;
  seconds: number;
  fallback?: string;
  origin?: Origin;
};

/** Where a medium lies that nobody here has the bytes of: at an address, or among somebody's files at a provider. */
export type Reference = { url: string } | { file: { endpoint: string; id: string } };

/** A medium by reference. What is said of it is what its author said: its bytes were not looked at. */
export type ReferenceBlock = {
  type: 'reference';
  kind: MediaKind;
  at: Reference;
  mediaType?: string;
  name?: string;
  width?: number;
  height?: number;
  pages?: number;
  seconds?: number;
  detail?: Detail;
  range?: PageRange;
  fallback?: string;
};

/** What a model thought; only the model that thought it gets it back. */
export type ThinkingBlock = { type: 'thinking'; text: string; redacted?: true; seal?: Seal };

/** A call that a model made. `doubts`: why its provider wants a person to look at it before it runs. */
export type CallBlock = {
  type: 'call';
  id: string;
  name: string;
  input: unknown;
  doubts?: readonly string[];
  seal?: Seal;
};

/** A provider's item that has no meaning of its own here, kept only to be sent back. */
export type SealedBlock = { type: 'sealed'; seal: Seal };

/** The kinds of media there are; nobody else lists them. */
export const mediaKinds = ['image', 'document', 'audio', 'video'] as const;

/** What kinds of media there are: the types of the blocks that have bytes. */
export type MediaKind = (typeof mediaKinds)[number];

/** A block whose bytes live in the asset store. */
export type MediaBlock = ImageBlock | DocumentBlock | SoundBlock;
/** A medium, by its bytes or by where it lies. */
export type CarriedBlock = MediaBlock | ReferenceBlock;
/** One piece of a message that has been checked. */
export type Block = TextBlock | MediaBlock | ReferenceBlock | ThinkingBlock | CallBlock | SealedBlock;

/**
 * Blocks whose bytes live in the asset store.
 *
 * @example
 * const pictures = message.content.filter(isMedia);
 */
export function isMedia(block: { type: string }): block is MediaBlock {
  return isMediaKind(block.type);
}

/** Blocks that stand for a medium, with or without its bytes. */
export function isCarried(block: { type: string }): block is CarriedBlock {
  return block.type === 'reference' || isMedia(block);
}

/** What a medium is, whichever way it is carried. */
export function kindOfMedium(block: CarriedBlock): MediaKind {
  return block.type === 'reference' ? block.kind : block.type;
}

/** What decisions about a medium are kept under: the hash of its bytes, or where it lies. */
export type MediumId = AssetId | `url:${string}` | `file:${string}`;

/** The same for the same medium on every turn. */
export function mediumId(block: CarriedBlock): MediumId {
  if (block.type !== 'reference') return block.asset.id;
  const { at } = block;
  return 'url' in at ? `url:${at.url}` : `file:${at.file.endpoint}:${at.file.id}`;
}

/** Whether a word of unknown origin names a kind of media. */
export function isMediaKind(type: unknown): type is MediaKind {
  return mediaKinds.some((kind) => kind === type);
}

/** The words of blocks that are text, in their order. */
export function textIn(blocks: readonly { type: string; text?: string }[], between = ''): string {
  return blocks.flatMap(({ type, text = '' }) => (type === 'text' ? [text] : [])).join(between);
}

/** Citations as they were stored; undefined when there are none. */
export function parseCitations(value: unknown): Citation[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const found = value.filter(isRecord).map(citationFrom).filter((one) => Object.keys(one).length > 0); // prettier-ignore
  return found.length > 0 ? found : undefined;
}

function citationFrom({ text, title, document, pages, characters, url }: Record<string, unknown>): Citation {
  return {
    ...(typeof text === 'string' && { text }),
    ...(typeof title === 'string' && { title }),
    ...(isCount(document) && { document }),
    ...(isRange(pages) && { pages }),
    ...(isRange(characters) && { characters }),
    ...(typeof url === 'string' && { url }),
  };
}

function isRange(value: unknown): value is PageRange {
  return Array.isArray(value) && value.length === 2 && value.every(isCount);
}

/** `report.pdf, pages 3-4: "Revenue grew …"`, on one line. */
export function citationLine({ text, title, document = 0, pages, url }: Citation): string {
  const [first = 0, end = 0] = pages ?? [];
  const place = !pages ? '' : end - first > 1 ? `, pages ${first + 1}-${end}` : `, page ${first + 1}`;
  const source = `${title ?? url ?? `document ${document + 1}`}${place}`;
  const address = title !== undefined && url !== undefined ? ` <${url}>` : '';
  const words = text?.replaceAll(/\s+/g, ' ').trim();
  return `${source}${address}${words ? `: "${words}"` : ''}`;
}
