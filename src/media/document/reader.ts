// The contract of everything that turns a document other than a PDF into words: bytes in, Markdown in reading order
// out, the pictures in it by reference. Readers run in a child process; they bound what they inflate, parse and make.
import type { PageRange } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import type { Limits } from '../limits.ts';
import type { OnProgress } from '../context.ts';
import type { PagesAsked } from '../pdf/pages.ts';

/** A picture inside a document. The Markdown refers to it as `![words](name)`, where it stands. */
export type InnerPicture = { name: string; bytes: Uint8Array };

export type Extract = {
  /** Headings, lists, tables and links as Markdown, in the order a person reads. */
  markdown: string;
  /** Only when they were asked for. */
  pictures: InnerPicture[];
  /** How many more there were than the limits let through. */
  morePictures?: number;
  /** How many slides, sheets, chapters or messages there are, what they are called, and which of them are here if not all. */
  parts?: { count: number; unit: string; range?: PageRange };
  /** The document without its encryption, when it had one and the password was right. */
  unlocked?: Uint8Array;
};

/** What may be wanted of a document besides its words as they stand. */
export type DocumentWish = {
  /** the text with all tracked changes accepted, without comments */
  clean?: boolean;
  /** of a text, a table, a page or a mail that does not say it, such as `shift_jis` */
  encoding?: string;
  /** one sheet of a workbook, by its name or its number, counted from one */
  sheet?: string;
  /** rows and columns of a sheet or a table: "200-400", "C-F" */
  rows?: string;
  columns?: string;
  /** the formulas beside the values of a sheet */
  formulas?: boolean;
};

export type ReaderOptions = DocumentWish & {
  name: string;
  pictures: boolean;
  /** some slides of a deck; nothing else has pages before it is laid out */
  pages?: PagesAsked;
  password?: string;
  limits: Limits;
  /** Told how far the reader is, where it counts anything. */
  tell?: OnProgress;
};

/** Never throws for what is wrong with a file: that is a refusal. */
export type DocumentReader = (bytes: Uint8Array, options: ReaderOptions) => Promise<Read<Extract>>;

/** The wish out of options that hold more. */
export function wishOf(options: DocumentWish): DocumentWish {
  const { clean, encoding, sheet, rows, columns, formulas } = options;
  return {
    ...(clean === true && { clean }),
    ...(encoding !== undefined && { encoding }),
    ...(sheet !== undefined && { sheet }),
    ...(rows !== undefined && { rows }),
    ...(columns !== undefined && { columns }),
    ...(formulas === true && { formulas }),
  };
}
