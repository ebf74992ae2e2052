// The shape of a reading: what a caller may ask for, what comes back, what every reader of a medium is and is handed.
import type { Asset, Block, PageRange } from '../content/block.ts';
import type { Read, Refusal } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import type { Fact, Rendition } from '../window/rendition.ts';
import type { Opened } from './bytes.ts';
import type { Context, MediaOptions } from './context.ts';
import { tooLarge } from './context.ts';
import type { DocumentKind } from './document/kinds.ts';
import type { DocumentWish } from './document/reader.ts';
import type { PagesOption } from './pdf/pages.ts';
import type { Sniffed } from './sniff.ts';

/** What is wanted of a source, and what is allowed. */
export type ReadOptions = MediaOptions &
  DocumentWish & {
    /** a name for what has none, or a better one */
    name?: string;
    /** pages of a PDF, or slides: "21-40" counted from one, or [20, 40] counted from zero without the last */
    pages?: PagesOption;
    /** the same in the words of the notes: the first page, counted from zero, and the one after the last */
    page_start?: number;
    page_end?: number;
    password?: string;
    /** `text` gives a PDF as words, `image` as page pictures */
    as?: 'auto' | 'text' | 'image';
    /** the pictures inside a document too, as blocks after it */
    images?: boolean;
    /** a file inside a mail or an archive, by its name; "letters.zip/invoice.eml" is a part of a part */
    part?: string;
    /** folders that files must lie in; without it a path is taken as given */
    roots?: readonly string[];
    /** lines of a text: the first one, counted from one, and how many */
    offset?: number;
    limit?: number;
    /** of a line that is too long for one reading: where to go on in it, counted from one */
    character?: number;
    /** each line of a text behind its number */
    lineNumbers?: boolean;
  };

/** What is known about what was read, for programs. */
export type ReadData =
  | { type: 'image'; name: string; size: number; format: string }
  | { type: 'audio'; name: string; size: number; seconds: number }
  /** what the container does not tell is absent */
  | { type: 'video'; name: string; size: number; seconds?: number; width?: number; height?: number }
  /** `scanned` are the pages of the range, counted from zero, that are pictures without words */
  | { type: 'pdf'; pages: number; page_range: [start: number, end: number]; scanned?: number[] }
  /** `asset` holds the whole text, `lines` and `shown` count its lines */
  | {
      type: 'document';
      kind: DocumentKind;
      name: string;
      size: number;
      characters: number;
      lines: number;
      shown: [first: number, last: number];
      parts?: { count: number; unit: string; range?: PageRange };
      asset: Asset;
    }
  | { type: 'text'; name: string; size: number; lines: number; shown: [first: number, last: number]; asset?: Asset };

/** `output` is for people and logs, `blocks` is what a model sees, `data` what a program may want to know. */
export type Reading = { output: string; blocks: Block[]; data: ReadData };

/** A source that is open; `seen` is what its first bytes say. */
export type Visit = {
  opened: Opened;
  head: Uint8Array;
  seen?: Sniffed;
  name: string;
  options: ReadOptions;
  context: Context;
};

/** Bytes that are all here; `seen` is what they say, `range` the pages that are meant. */
export type Subject = { bytes: Uint8Array; seen?: Sniffed; name: string; range?: PageRange };

/** All that is done with one kind of medium. The list of them is in `readers.ts`; the first that accepts is the one. */
export type MediaReader = {
  accepts(seen: Sniffed | undefined, name: string, head: Uint8Array): boolean;
  /** for a person or a tool that asked for a file: what stands for it, its blocks, and a few facts */
  read(visit: Visit): Promise<Read<Reading>>;
  /** for a message: the one block that bytes become */
  block(subject: Subject, context: Context): Promise<Read<Block>>;
  /** for the planner: another form of what is stored; what has none cannot be shown otherwise */
  render?(want: Rendition, subject: Subject, context: Context): Promise<Fact>;
};

/** The whole of a source, unless it is longer than its kind may be. */
export async function takeAll(
  { opened, name, context }: Visit,
  what: string,
  limit: number,
  next: string,
): Promise<Read<Uint8Array>> {
  const size = opened.size ?? 0;
  const bytes = size > limit ? undefined : await opened.all(limit);
  if (context.signal?.aborted === true) return cancelled(name);
  return bytes === undefined ? tooLarge(what, Math.max(size, limit + 1), limit, next) : { ok: true, value: bytes };
}

export function cancelled(name: string): { ok: false } & Read<never> {
  return refuse('cancelled', `Reading ${name} was cancelled`, 'Read it again when it is needed.');
}

const ways: Readonly<Record<string, string>> = {
  image: 'Convert it to PNG or JPEG.',
  audio: 'Convert it to MP3 or WAV.',
  video: 'Convert it to MP4 or WebM.',
};

/** We know what it is and cannot read it yet; the sentence says which. */
export function unsupported(name: string, seen: Sniffed | undefined): { ok: false; refusal: Refusal } {
  const { label, mediaType } = seen ?? { label: 'of no known kind', mediaType: '' };
  const other = label.endsWith('archive')
    ? 'Unpack it, and read what lies inside.'
    : 'Convert it to text, an image or a PDF.';
  const next = ways[mediaType.split('/')[0] ?? ''] ?? other;
  return refuse('unsupported', `${name} is ${label}, which is not supported`, next);
}

const forms: Readonly<Record<Rendition['to'], string>> = {
  image: 'a picture',
  tiles: 'pieces of a picture',
  words: 'words',
  text: 'text or pages',
  illustrated: 'text with pictures',
  description: 'a description',
  pages: 'text or pages',
  pdf: 'text or pages',
};

/** The planner asked for a form that this medium does not have; it steps on. */
export function unfit({ name, seen }: Subject, want: Rendition): { ok: false; refusal: Refusal } {
  const what = `${name} is ${seen?.label ?? 'of no known kind'} and cannot become ${forms[want.to]}`;
  return refuse('unsupported', what, 'Show it in another form.');
}
