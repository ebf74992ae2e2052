// The tables of lists of a Word 97 to 2003 file in, its lists by number out. Nothing is believed beyond the bytes there are.
import type { ListLevel, Numbering } from '../office/numbering.ts';

const [listsField, usesField] = [0x2e2, 0x2ea];
const [listSize, levelSize, useSize] = [28, 28, 16];
const mostLists = 4096;

const formats = new Map([
  [1, 'upperRoman'],
  [2, 'lowerRoman'],
  [3, 'upperLetter'],
  [4, 'lowerLetter'],
  [22, 'decimalZero'],
  [23, 'bullet'],
  [255, 'none'],
]);

/** The lists that paragraphs name by their number, counted from one. */
export function wordLists(stream: Buffer, tables: Buffer): ReadonlyMap<number, Numbering> {
  const lists = new Map<number, Numbering>();
  const field = (at: number): number => (at + 4 <= stream.length ? stream.readUInt32LE(at) : 0);
  if (field(listsField + 4) === 0 || field(usesField + 4) === 0) return lists;
  try {
    const abstracts = abstractsOf(tables, field(listsField), field(listsField + 4));
    for (const [number, list] of usesOf(tables, field(usesField), abstracts)) lists.set(number, list);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // tables that end too early: what was found before is kept
  }
  return lists;
}

type Levels = Map<number, ListLevel>;

/** The levels of all lists stand behind the table of lists, in its order. */
function abstractsOf(tables: Buffer, from: number, length: number): Map<number, Levels> {
  const found = new Map<number, Levels>();
  const count = Math.min(tables.readUInt16LE(from), mostLists);
  let at = from + length;
  for (let index = 0; index < count; index += 1) {
    const list = from + 2 + index * listSize;
    const isSimple = ((tables[list + 26] ?? 0) & 1) === 1;
    const levels: Levels = new Map();
    for (let level = 0; level < (isSimple ? 1 : 9); level += 1) {
      const { own, end } = levelAt(tables, at);
      levels.set(level, own);
      at = end;
    }
    found.set(tables.readInt32LE(list), levels);
  }
  return found;
}

function levelAt(tables: Buffer, at: number): { own: ListLevel; end: number } {
  const start = tables.readInt32LE(at);
  const format = formats.get(tables.readUInt8(at + 4)) ?? 'decimal';
  const flags = tables.readUInt8(at + 5);
  const legal = (flags & 4) !== 0;
  const own = (flags & 8) === 0 ? { format, start, legal } : { format, start, legal, under: tables.readUInt8(at + 26) };
  const text = at + levelSize + tables.readUInt8(at + 24) + tables.readUInt8(at + 25);
  const end = text + 2 + tables.readUInt16LE(text) * 2;
  if (end > tables.length) throw new RangeError('a level of a list that ends outside');
  // Letters below nine stand for the number of that level.
  const words = Array.from(tables.toString('utf16le', text + 2, end), (sign) =>
    sign.charCodeAt(0) < 9 ? `%${sign.charCodeAt(0) + 1}` : sign,
  ).join('');
  return { own: { ...own, text: words }, end };
}

function* usesOf(tables: Buffer, from: number, abstracts: ReadonlyMap<number, Levels>): Generator<[number, Numbering]> {
  const count = Math.min(tables.readUInt32LE(from), mostLists);
  let at = from + 4 + count * useSize;
  for (let index = 0; index < count; index += 1) {
    const use = from + 4 + index * useSize;
    const id = tables.readInt32LE(use);
    const levels = new Map(abstracts.get(id));
    const restarts = new Map<number, number>();
    const overrides = tables.readUInt8(use + 12);
    at += 4;
    for (let one = 0; one < overrides; one += 1) {
      const [start, flags] = [tables.readInt32LE(at), tables.readUInt32LE(at + 4)];
      at += 8;
      const level = flags & 15;
      if ((flags & 16) !== 0) restarts.set(level, start);
      if ((flags & 32) === 0) continue;
      const { own, end } = levelAt(tables, at);
      levels.set(level, own);
      at = end;
    }
    yield [index + 1, { levels, abstract: String(id), restarts }];
  }
}
