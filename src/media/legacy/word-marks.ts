// The formatting pages of a Word file in (of Word 6 and 95 only what they say of words), what of it changes the words out: how each stretch is set, whether it is
// hidden, inserted or deleted and by whom; which paragraph stands in a table or ends a row of it, is a heading or an item of a
// list. Places are offsets into the stream.
import type { Numbering } from '../office/numbering.ts';
import { isSignFont } from '../document/symbol-font.ts';
import { guessedText } from './code-page.ts';
import { wordLists } from './word-lists.ts';
import type { Sprms } from './word-sprms.ts';
import { cellEdges, oldSprmsIn, sprm, sprmsIn } from './word-sprms.ts';
import { plainLook, wordStyles } from './word-styles.ts';

type WordParagraphStyle = { heading: number; rowEnd: boolean; inTable: boolean; item?: WordItem; edges?: number[] };

/** To which list a paragraph belongs, and how deep it stands there. */
export type WordItem = { list: number; level: number };

/** A stretch that is not plain. The authors are numbers in the file's own list. */
export type MarkedRun = {
  start: number;
  end: number;
  look: number;
  hidden: boolean;
  inserted?: number;
  deleted?: number;
  /** where the picture lies that the sign in it stands for */
  picture?: number;
  /** the number of its font, and of the sign that stands for its text */
  font?: number;
  sign?: number;
};

export type Marks = {
  /** the stretches between two places that are not plain, in order and without overlap */
  within(start: number, end: number): MarkedRun[];
  /** by the place behind the paragraph's last character; nothing where that is not read */
  paragraphs?: ReadonlyMap<number, WordParagraphStyle>;
  lists: ReadonlyMap<number, Numbering>;
  authors: readonly string[];
  /** names of fonts, by number */
  fonts: readonly string[];
};

const pageSize = 512;
const [characterTable, oldCharacterTable, paragraphTable, authorsField, oldAuthorsField] = [
  0xfa, 0xb8, 0x102, 0x232, 0x1fa,
];

export function markedRuns(stream: Buffer, tables: Buffer): Marks {
  const styles = wordStyles(stream, tables);
  const fonts = fontsOf(stream, tables);
  const found: MarkedRun[] = [];
  for (const { start, end, data } of runs(stream, tables, characterTable)) {
    const offset = data(1) * 2;
    if (offset === 0) continue;
    const sprms = sprmsIn(stream, data.page + offset + 1, stream[data.page + offset] ?? 0);
    const picture = sprms.get(sprm.picture);
    const run = { ...markedRun(start, end, styles.look(sprms), sprms), ...signIn(sprms, fonts) };
    if (picture !== undefined) found.push({ ...run, picture });
    else if (isMarked(run)) found.push(run);
  }
  const paragraphs = new Map<number, WordParagraphStyle>();
  for (const { end, data } of runs(stream, tables, paragraphTable)) {
    const at = data.page + data(13) * 2;
    if (at === data.page) continue;
    const short = (stream[at] ?? 0) !== 0;
    const length = short ? (stream[at] ?? 0) * 2 - 1 : (stream[at + 1] ?? 0) * 2;
    const from = short ? at + 1 : at + 2;
    const style = stream.readUInt16LE(Math.min(from, stream.length - 2));
    const sprms = sprmsIn(stream, from + 2, length - 2);
    const value = (property: number): number | undefined => sprms.get(property) ?? styles.paragraph(style, property);
    const outline = sprms.get(sprm.outline);
    const heading = outline === undefined ? styles.heading(style) : outline < 9 ? outline + 1 : 0;
    const list = value(sprm.list) ?? 0;
    const own = { heading, rowEnd: sprms.get(sprm.endsRow) === 1, inTable: sprms.get(sprm.inTable) === 1 };
    if (list > 0) paragraphs.set(end, { ...own, item: { list, level: Math.min(value(sprm.listLevel) ?? 0, 8) } });
    else if (own.rowEnd) paragraphs.set(end, { ...own, edges: cellEdges(stream, from + 2, length - 2) });
    else if (own.inTable || heading > 0) paragraphs.set(end, own);
  }
  const sorted = apart(found);
  const lists = wordLists(stream, tables);
  return {
    paragraphs,
    lists,
    authors: authorsOf(stream, tables),
    fonts,
    within: (from, to) => overlapping(sorted, from, to),
  };
}

/** What a Word 6 or 95 file says of its words. */
export function oldMarkedRuns(stream: Buffer): Marks {
  const found: MarkedRun[] = [];
  for (const { start, end, data } of runs(stream, stream, oldCharacterTable, 2)) {
    const offset = data(1) * 2;
    if (offset === 0) continue;
    const sprms = oldSprmsIn(stream, data.page + offset + 1, stream[data.page + offset] ?? 0);
    const run = markedRun(start, end, plainLook(sprms), sprms);
    if (isMarked(run)) found.push(run);
  }
  const sorted = apart(found);
  return {
    lists: new Map(),
    authors: oldAuthorsOf(stream),
    fonts: [],
    within: (from, to) => overlapping(sorted, from, to),
  };
}

function markedRun(start: number, end: number, look: number, sprms: Sprms): MarkedRun {
  return { start, end, look, hidden: sprms.get(sprm.hidden) === 1, ...changesIn(sprms) };
}

function isMarked({ look, hidden, inserted, deleted, font }: MarkedRun): boolean {
  return look !== 0 || hidden || font !== undefined || inserted !== undefined || deleted !== undefined;
}

function changesIn(sprms: Sprms): { inserted?: number; deleted?: number } {
  return {
    ...(sprms.get(sprm.inserted) === 1 && { inserted: sprms.get(sprm.insertedBy) ?? 0 }),
    ...(sprms.get(sprm.deleted) === 1 && { deleted: sprms.get(sprm.deletedBy) ?? 0 }),
  };
}

/** A font of signs, and the one sign that the run stands for, where it does. */
function signIn(sprms: Sprms, fonts: readonly string[]): { font?: number; sign?: number } {
  const symbol = sprms.get(sprm.symbol);
  if (symbol !== undefined) return { font: symbol & 0xffff, sign: symbol >>> 16 };
  const font = sprms.get(sprm.font);
  return font !== undefined && isSignFont(fonts[font] ?? '') ? { font } : {};
}

const [fontsField, mostFonts, fontName] = [0x112, 1000, 40];

/** The names of the fonts of a file. */
function fontsOf(stream: Buffer, tables: Buffer): string[] {
  const from = stream.readUInt32LE(fontsField);
  const list = tables.subarray(from, from + stream.readUInt32LE(fontsField + 4));
  const names: string[] = [];
  for (let at = 4; at < list.length && names.length < mostFonts; at += (list[at] ?? 0) + 1) {
    const name = list.toString('utf16le', at + fontName, Math.min(at + (list[at] ?? 0) + 1, list.length));
    names.push(name.split('\0')[0] ?? '');
  }
  return names;
}

const mostAuthors = 1000;

/** Who changed something, by number. */
function authorsOf(stream: Buffer, tables: Buffer): string[] {
  const from = stream.readUInt32LE(authorsField);
  const list = tables.subarray(from, from + stream.readUInt32LE(authorsField + 4));
  if (list.length < 6 || list.readUInt16LE(0) !== 0xffff) return [];
  const names: string[] = [];
  const extra = list.readUInt16LE(4);
  for (let at = 6; at + 2 <= list.length && names.length < Math.min(list.readUInt16LE(2), mostAuthors);) {
    const end = at + 2 + list.readUInt16LE(at) * 2;
    names.push(list.toString('utf16le', at + 2, Math.min(end, list.length)));
    at = end + extra;
  }
  return names;
}

/** The same in Word 6 and 95: how long the list is, then each name with its length before it and two bytes behind it. */
function oldAuthorsOf(stream: Buffer): string[] {
  const from = stream.readUInt32LE(oldAuthorsField);
  const list = stream.subarray(from, from + stream.readUInt32LE(oldAuthorsField + 4));
  if (list.length < 2) return [];
  const names: string[] = [];
  for (let at = 2; at < Math.min(list.length, list.readUInt16LE(0)) && names.length < mostAuthors;) {
    const end = at + 1 + (list[at] ?? 0);
    names.push(guessedText(list.subarray(at + 1, end), stream.readUInt16LE(6)));
    at = end + 2;
  }
  return names;
}

/** `data(size)` is the first byte of what a page says about a run, when each run has `size` bytes there. */
type Run = { start: number; end: number; data: ((size: number) => number) & { page: number } };

/** `width`: in how many bytes the number of a page is written. */
function* runs(stream: Buffer, tables: Buffer, field: number, width: 2 | 4 = 4): Generator<Run> {
  const from = stream.readUInt32LE(field);
  const list = tables.subarray(from, from + stream.readUInt32LE(field + 4));
  const count = Math.floor((list.length - 4) / (4 + width));
  const seen = new Set<number>();
  for (let index = 0; index < count; index += 1) {
    const page = (list.readUIntLE((count + 1) * 4 + index * width, width) & 0x3fffff) * pageSize;
    if (seen.has(page) || page + pageSize > stream.length) continue;
    seen.add(page);
    const inPage = stream[page + pageSize - 1] ?? 0;
    for (let run = 0; run < inPage && page + run * 4 + 8 <= stream.length; run += 1) {
      const [start, end] = [stream.readUInt32LE(page + run * 4), stream.readUInt32LE(page + run * 4 + 4)];
      const first = (size: number): number => stream[page + (inPage + 1) * 4 + run * size] ?? 0;
      if (end > start) yield { start, end, data: Object.assign(first, { page }) };
    }
  }
}

/** In order; where damaged pages speak of the same place, the first of them counts. */
function apart(found: readonly MarkedRun[]): MarkedRun[] {
  const out: MarkedRun[] = [];
  for (const run of found.toSorted((a, b) => a.start - b.start)) {
    const start = Math.max(run.start, out.at(-1)?.end ?? 0);
    if (start < run.end) out.push({ ...run, start });
  }
  return out;
}

function overlapping(sorted: readonly MarkedRun[], start: number, end: number): MarkedRun[] {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const found: MarkedRun[] = [];
  for (let at = low; at < sorted.length; at += 1) {
    const run = sorted[at];
    if (run === undefined || run.start >= end) break;
    found.push(run);
  }
  return found;
}
