// The shape of a reading: what a caller may ask for, what comes back, and the open source every reader is handed.
import type { Asset, Block } from '../content/block.ts';
import type { Read } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import type { Context, MediaOptions } from './context.ts';
import { tooLarge } from './context.ts';
import type { DocumentKind } from './document/kinds.ts';
import type { PagesOption } from './pdf/pages.ts';
import type { Opened } from './source.ts';

/** What is wanted of a source, and what is allowed. */
export type ReadOptions = MediaOptions & {
  /** a name for what has none, or a better one */
  name?: string;
  /** pages of a PDF: "21-40" counted from one, or [20, 40] counted from zero without the last */
  pages?: PagesOption;
  /** the same in the words of the notes: the first page, counted from zero, and the one after the last */
  page_start?: number;
  page_end?: number;
  password?: string;
  /** `text` gives a PDF as words, `image` as page pictures */
  as?: 'auto' | 'text' | 'image';
  /** the pictures inside a document too, as blocks after it */
  images?: boolean;
  /** folders that files must lie in; without it a path is taken as given */
  roots?: readonly string[];
  /** lines of a text: the first one, counted from one, and how many */
  offset?: number;
  limit?: number;
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
      parts?: { count: number; unit: string };
      asset: Asset;
    }
  | { type: 'text'; name: string; size: number; lines: number; shown: [first: number, last: number]; asset?: Asset };

/** `output` is for people and logs, `blocks` is what a model sees, `data` what a program may want to know. */
export type Reading = { output: string; blocks: Block[]; data: ReadData };

/** A source that is open and whose kind is known. */
export type Visit = { opened: Opened; head: Uint8Array; name: string; options: ReadOptions; context: Context };

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
