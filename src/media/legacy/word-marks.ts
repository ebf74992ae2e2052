// The formatting pages of a Word 97 to 2003 file in, what of it changes the words out: how each stretch is set, whether it is
// hidden, inserted or deleted and by whom; which paragraph stands in a table or ends a row of it, is a heading or an item of a
// list. Places are offsets into the stream.
import type { Numbering } from '../office/numbering.ts';
import { wordLists } from './word-lists.ts';
import type { Sprms } from './word-sprms.ts';
import { sprm, sprmsIn } from './word-sprms.ts';
import { wordStyles } from './word-styles.ts';

type WordParagraphStyle = { heading: number; rowEnd: boolean; inTable: boolean; item?: WordItem };

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
};

export type Marks = {
  /** the stretches between two places that are not plain, in order and without overlap */
  within(start: number, end: number): MarkedRun[];
  /** by the place behind the paragraph's last character */
  paragraphs: ReadonlyMap<number, WordParagraphStyle>;
  lists: ReadonlyMap<number, Numbering>;
  authors: readonly string[];
};

const pageSize = 512;
const [characterTable, paragraphTable, authorsField] = [0xfa, 0x102, 0x232];

export function markedRuns(stream: Buffer, tables: Buffer): Marks {
  const styles = wordStyles(stream, tables);
  const found: MarkedRun[] = [];
  for (const { start, end, data } of runs(stream, tables, characterTable)) {
    const offset = data(1) * 2;
    if (offset === 0) continue;
    const sprms = sprmsIn(stream, data.page + offset + 1, stream[data.page + offset] ?? 0);
    const picture = sprms.get(sprm.picture);
    const changes = changesIn(sprms);
    const run = { start, end, look: styles.look(sprms), hidden: sprms.get(sprm.hidden) === 1, ...changes };
    const isChanged = run.inserted !== undefined || run.deleted !== undefined;
    if (picture !== undefined) found.push({ ...run, picture });
    else if (run.look !== 0 || run.hidden || isChanged) found.push(run);
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
    else if (own.rowEnd || own.inTable || heading > 0) paragraphs.set(end, own);
  }
  const sorted = apart(found);
  const lists = wordLists(stream, tables);
  return { paragraphs, lists, authors: authorsOf(stream, tables), within: (from, to) => overlapping(sorted, from, to) };
}

function changesIn(sprms: Sprms): { inserted?: number; deleted?: number } {
  return {
    ...(sprms.get(sprm.inserted) === 1 && { inserted: sprms.get(sprm.insertedBy) ?? 0 }),
    ...(sprms.get(sprm.deleted) === 1 && { deleted: sprms.get(sprm.deletedBy) ?? 0 }),
  };
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

/** `data(size)` is the first byte of what a page says about a run, when each run has `size` bytes there. */
type Run = { start: number; end: number; data: ((size: number) => number) & { page: number } };

function* runs(stream: Buffer, tables: Buffer, field: number): Generator<Run> {
  const from = stream.readUInt32LE(field);
  const list = tables.subarray(from, from + stream.readUInt32LE(field + 4));
  const count = Math.floor((list.length - 4) / 8);
  const seen = new Set<number>();
  for (let index = 0; index < count; index += 1) {
    const page = (list.readUInt32LE((count + 1) * 4 + index * 4) & 0x3fffff) * pageSize;
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
