// The only file that knows the spreadsheet library: sound bytes in, plain sheets out. Values are as a person sees them
// in Excel; a formula stands only where no value was stored. It throws what the library throws.
import { isUtf8 } from 'node:buffer';
import type * as Xlsx from '@e965/xlsx';
import { withLook } from '../document/styled.ts';
import { limits } from '../limits.ts';
import { innerText, xmlTree } from '../xml/tree.ts';
import type { Grid } from './grid.ts';
import { cellLink } from './grid.ts';
import type { SheetMargins } from './margins.ts';
import type { BookMarks, CellMark, Hidden } from './marks.ts';
import { markAt, newMarks } from './marks.ts';
import { generalText, shownNumber } from './number-format.ts';
import { cellName } from './range.ts';
import { richText } from './rich-text.ts';
import type { HasWords } from './uncomputed.ts';
import { isOfWords } from './uncomputed.ts';

export type Sheet = Omit<Grid, 'rows' | 'header'> & {
  rows: string[][];
  name: string;
  hidden: boolean;
  chart: boolean;
  comments: string[];
  hiddenParts: Hidden;
  /** what stands at the head and the foot of its pages, where that was looked for */
  margins?: SheetMargins;
  /** ranges of cells that are one */
  merged: string[];
  /** how many values come from formulas */
  formulas: number;
  /** what lies on the sheet, where the file says it among the cells */
  drawn?: SheetDrawing[];
};

/** A shape, a picture or an object (a chart, mostly), and the cell it is tied to. */
export type SheetDrawing = { at: string; words: string; object: string; image: string; described: string };

/** How far the rows are read, whether formulas are shown, what opens the file, and what is known of cells besides their words. */
export type BookWish = {
  lastRow: number;
  formulas: boolean;
  password: string;
  marks?: BookMarks;
  /** the program that wrote the file left it to others to compute it: a zero is none */
  uncomputed: boolean;
  /** some formulas have no value at all */
  unvalued: boolean;
};

export async function sheetsOf(bytes: Uint8Array, wish: BookWish): Promise<Sheet[]> {
  const { lastRow, formulas, password, marks, uncomputed, unvalued } = wish;
  const library = await loadLibrary();
  const book = library.read(bytes, {
    type: 'array',
    dense: true,
    cellHTML: false,
    cellNF: true,
    dateNF: 'yyyy-mm-dd',
    sheetRows: lastRow + 2,
    sheetStubs: unvalued, // else the library leaves out cells without a value, their formulas too
    password,
  });
  const about: Book = { formulas, since1904: book.Workbook?.WBProps?.date1904 === true };
  return book.SheetNames.map((name, at) => {
    const sheet = book.Sheets[name] ?? {};
    const own = marks?.(name, at) ?? newMarks();
    const full = library.utils.decode_range(String(sheet['!fullref'] ?? sheet['!ref'] ?? 'A1'));
    const data: readonly (readonly Cell[] | undefined)[] = sheet['!data'] ?? [];
    const hasWords: HasWords = (row, column) => data[row]?.[column]?.t === 's' && data[row][column].v !== '';
    const used = usedRange(data, (cell, row, column) =>
      textOf(
        computed(cell, uncomputed ? () => true : (formula) => isOfWords(formula, hasWords)),
        about,
        markAt(own, row, column),
      ),
    );
    const isCut = own.bottom > lastRow + 1 || used.rows.length + used.top > lastRow + 1;
    return {
      ...used,
      name,
      at: used.top,
      bottom: Math.max(isCut ? own.bottom || full.e.r + 1 : 0, used.top + used.rows.length),
      right: used.left + used.rows.reduce((most, row) => Math.max(most, row.length), 0),
      hidden: (book.Workbook?.Sheets?.[at]?.Hidden ?? 0) > 0,
      hiddenParts: own.hidden,
      margins: own.margins,
      chart: sheet['!type'] === 'chart',
      merged: (sheet['!merges'] ?? []).map((range) => library.utils.encode_range(range)),
    };
  });
}

type Library = typeof Xlsx;

let loaded: Library | undefined;

/** Asking for a module that is there already takes as long as a small sheet. */
async function loadLibrary(): Promise<Library> {
  if (loaded !== undefined) return loaded;
  const library = await import('@e965/xlsx');
  library.set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
  return (loaded = library);
}

/** Excel itself allows no more in a cell. */
const maxCell = 32_767;

/** What the library gives for a cell, as far as it is used here. */
type Cell = {
  /** what it is: `n` for a number, `e` for an error, `z` for nothing */
  t?: string;
  v?: string | number | boolean | Date | null;
  w?: string;
  /** the source of words that are set in several ways */
  r?: unknown;
  f?: string;
  z?: string | number;
  l?: { Target?: string };
  /** comments: who wrote them, what, and whether as part of a conversation */
  c?: readonly { a?: string; t?: string; T?: boolean | number }[];
};
/** Whether formulas are shown, and whether days are counted from 1904 instead of 1900. */
type Book = { formulas: boolean; since1904: boolean };
type Used = { rows: string[][]; top: number; left: number; comments: string[]; formulas: number };

type CellText = (cell: Cell, row: number, column: number) => string;

function usedRange(data: readonly (readonly Cell[] | undefined)[], wordsOf: CellText): Used {
  const lines = new Map<number, Map<number, string>>();
  const comments: string[] = [];
  let [top, left, bottom, formulas] = [Infinity, Infinity, -1, 0];
  // The arrays have holes as wide as the sheet; only what is there is visited.
  for (const [key, row] of Object.entries(data)) {
    const at = Number(key);
    const line = new Map<number, string>();
    for (const [column, cell] of cellsIn(row ?? [])) {
      for (const comment of cell.c ?? []) comments.push(`- ${cellName(at, column)}${commentWords(comment)}`);
      const text = wordsOf(cell, at, column);
      if (cell.f !== undefined && text !== `=${cell.f}`) formulas += 1;
      if (text === '') continue;
      line.set(column, text);
      if (column < left) left = column;
    }
    if (line.size === 0) continue;
    lines.set(at, line);
    if (at < top) top = at;
    if (at > bottom) bottom = at;
  }
  if (bottom < 0) return { rows: [], top: 0, left: 0, comments, formulas };
  const rows = Array.from({ length: bottom - top + 1 }, (_, at) => {
    const line = [...(lines.get(top + at) ?? [])];
    const row: string[] = Array.from<string>({ length: Math.max(0, (line.at(-1)?.[0] ?? -1) - left + 1) }).fill('');
    for (const [column, text] of line) row[column - left] = text;
    return row;
  });
  return { rows, top, left, comments, formulas };
}

/** The library leaves names, and conversations as a whole, as they are written in the file. */
function commentWords({ a = '', t = '', T }: NonNullable<Cell['c']>[number]): string {
  const author = fromXml(decoded(a)).trim();
  const words = T ? fromXml(decoded(t)) : decoded(t);
  return `${author === '' ? '' : ` (${author})`}: ${words.trim()}`;
}

/** Text without its entities; what is no XML is as it is. */
function fromXml(text: string): string {
  const tree = text.includes('&') ? xmlTree(`<t>${text}</t>`, 'a comment', limits) : undefined;
  return tree?.ok === true ? innerText(tree.value) : text;
}

/** Bytes that are UTF-8 as their letters; letters as they are. */
function decoded(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : text;
}

/** More columns than this are worth a look at which of them there are. */
const narrow = 200;

function* cellsIn(row: readonly Cell[]): Generator<[column: number, cell: Cell]> {
  if (row.length > narrow) for (const [column, cell] of Object.entries(row)) yield [Number(column), cell];
  else
    for (let column = 0; column < row.length; column += 1) {
      const cell = row[column];
      if (cell !== undefined) yield [column, cell];
    }
}

/** A cell that has no value, or without the zero that a file keeps for what nobody computed: its formula is all there is, if it has one. */
function computed(cell: Cell, isUncomputed: (formula: string) => boolean): Cell {
  const { t, v, f, l } = cell;
  if (t !== 'z' && (f === undefined || v !== 0 || t !== 'n' || !isUncomputed(f))) return cell;
  return { ...(f !== undefined && { f }), ...(l && { l }) };
}

function textOf(cell: Cell, book: Book, mark: CellMark | undefined): string {
  const { r, f, l, v } = cell;
  const look = mark?.look ?? 0;
  const rich = mark?.words ?? (typeof r === 'string' ? richText(r, look) : undefined);
  const shown = rich ?? withLook(plainText(cell, book.since1904).slice(0, maxCell), look);
  const isAsked = book.formulas || v === undefined || v === null;
  const value = (shown === '' && f !== undefined && isAsked ? `=${f}` : shown).slice(0, maxCell).trim();
  const text = book.formulas && f !== undefined && shown !== '' ? `${value} {=${f.slice(0, maxCell)}}` : value;
  return cellLink(text, l?.Target ?? '');
}

/** The short date follows the country of whoever looks at it: here it is one that nobody misreads. */
const shortDate = 'm/d/yy';

/** Numbers are shown by our own hand: the library rounds some and loses signs and digits of others. An error is a number, too. */
function plainText({ t, v, w, z }: Cell, since1904: boolean): string {
  if (t !== 'n' || typeof v !== 'number') return w ?? (v === undefined || v === null ? '' : String(v));
  // Of a format that is known by its number alone, the first cell has no code: the library says it all the same.
  const code = z ?? (/^\d+\/\d+\/\d\d$/.test(w ?? '') ? shortDate : undefined);
  if (code === undefined && w !== undefined && !/\dE/.test(w)) return w;
  if (typeof code !== 'string' || code === 'General' || code === '@') return generalText(v);
  return shownNumber(v, code === shortDate ? 'yyyy-mm-dd' : code, since1904);
}
