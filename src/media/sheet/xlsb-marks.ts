// The parts of a binary workbook (xlsb) in; out, by sheet: the cells that are struck or in which letters are struck, raised or lowered,
// and the rows and columns that are hidden. Numbers in the file are only believed as far as bytes exist for them.
import { looks, styledText } from '../document/styled.ts';
import { limits } from '../limits.ts';
import { resolved } from '../office/package.ts';
import { elements, xmlTree } from '../xml/tree.ts';
import type { BookMarks, SheetMarks } from './marks.ts';
import { addHidden, newMarks, placeKey } from './marks.ts';

const kinds = {
  row: 0,
  blank: 1,
  words: 7,
  wordsOfFormula: 8,
  lastCell: 11,
  shortBlank: 12,
  shortWords: 18,
  string: 19,
  font: 43,
  format: 47,
  columns: 60,
  richCell: 62,
  sheet: 156,
  formats: 617,
  endOfFormats: 618,
} as const;

type Parts = ReadonlyMap<string, Uint8Array>;
type BinaryRecord = { type: number; data: Buffer };

export function binaryMarks(parts: Parts, withFormulas: boolean): BookMarks | undefined {
  const book = parts.get('xl/workbook.bin');
  if (book === undefined) return undefined;
  const { fonts, formats } = stylesOf(parts.get('xl/styles.bin'));
  const hasLooks = fonts.some((look) => look !== 0);
  const strings = hasLooks ? richStrings(parts.get('xl/sharedStrings.bin'), fonts) : new Map<number, RichWords>();
  const targets = targetsOf(parts);
  const found = new Map<string, SheetMarks>();
  for (const { type, data } of recordsIn(book)) {
    if (type !== kinds.sheet || data.length < 12) continue;
    const relation = wideString(data, 8);
    const name = relation && wideString(data, relation.end);
    const sheet = parts.get(targets.get(relation?.text ?? '') ?? '');
    if (name && sheet) {
      const marks = marksOn(sheet, hasLooks ? { formats, strings, fonts } : undefined);
      found.set(name.text, { ...marks, bottom: bottomOfBinary(sheet, withFormulas) });
    }
  }
  return (name) => found.get(name);
}

function targetsOf(parts: Parts): ReadonlyMap<string, string> {
  const xml = parts.get('xl/_rels/workbook.bin.rels');
  const tree = xml && xmlTree(xml, 'relations', limits);
  const links = tree?.ok === true ? elements(tree.value) : [];
  return new Map(links.map(({ attributes }) => [attributes['Id'] ?? '', resolved('xl/', attributes['Target'] ?? '')]));
}

/** A kind and a length of so many bytes as they need, seven bits in each; then the content. */
function* recordsIn(part: Uint8Array | undefined): Generator<BinaryRecord> {
  const bytes = part === undefined ? Buffer.alloc(0) : Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  let at = 0;
  const number = (most: number): number => {
    let [value, shift] = [0, 0];
    for (; shift < most * 7 && at < bytes.length; shift += 7) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const [type, length] = [number(2), number(4)];
    yield { type, data: bytes.subarray(at, at + length) };
    at += length;
  }
}

/** Letters behind their number; nothing where there are fewer than promised. */
function wideString(data: Buffer, at: number): { text: string; end: number } | undefined {
  const count = at + 4 <= data.length ? data.readUInt32LE(at) : Infinity;
  const end = at + 4 + (count === 0xffff_ffff ? 0 : count * 2);
  return end <= data.length ? { text: data.toString('utf16le', at + 4, end), end } : undefined;
}

/** How the letters of each font are set, and whether each format of cells strikes them. */
function stylesOf(part: Uint8Array | undefined): { fonts: number[]; formats: number[] } {
  const fonts: number[] = [];
  const formats: number[] = [];
  let isOfCells = false;
  for (const { type, data } of recordsIn(part)) {
    if (type === kinds.font && data.length >= 8) {
      const level = data.readUInt16LE(6);
      const shift = level === 1 ? looks.raised : level === 2 ? looks.lowered : 0;
      fonts.push(shift | ((data.readUInt16LE(2) & 8) === 0 ? 0 : looks.struck));
    }
    if (type === kinds.formats || type === kinds.endOfFormats) isOfCells = type === kinds.formats;
    if (type === kinds.format && isOfCells)
      formats.push(data.length < 6 ? 0 : (fonts[data.readUInt16LE(4)] ?? 0) & looks.struck);
  }
  return { fonts, formats };
}

/** The words of a string, when those of which nothing is said are set so. */
type RichWords = (look: number) => string;

function richStrings(part: Uint8Array | undefined, fonts: readonly number[]): Map<number, RichWords> {
  const found = new Map<number, RichWords>();
  let index = 0;
  for (const { type, data } of recordsIn(part)) {
    if (type !== kinds.string) continue;
    const words = richWords(data, 0, fonts);
    if (words !== undefined) found.set(index, words);
    index += 1;
  }
  return found;
}

/** Nothing where all letters are set as the cell is. */
function richWords(data: Buffer, at: number, fonts: readonly number[]): RichWords | undefined {
  const string = ((data[at] ?? 0) & 1) === 0 ? undefined : wideString(data, at + 1);
  if (string === undefined || string.end + 4 > data.length) return undefined;
  const { text, end } = string;
  const count = Math.min(data.readUInt32LE(end), Math.floor((data.length - end - 4) / 4));
  const runs = Array.from({ length: count }, (_, index) => {
    const place = end + 4 + index * 4;
    return { from: data.readUInt16LE(place), look: fonts[data.readUInt16LE(place + 2)] ?? 0 };
  });
  if (runs.length === 0) return undefined;
  return (cell) => {
    const out = styledText();
    out.write(text.slice(0, runs[0]?.from), cell);
    for (const [index, { from, look }] of runs.entries()) out.write(text.slice(from, runs[index + 1]?.from), look);
    return out.text();
  };
}

type Known = { formats: readonly number[]; fonts: readonly number[]; strings: ReadonlyMap<number, RichWords> };

function marksOn(sheet: Uint8Array, known: Known | undefined): SheetMarks {
  const marks = newMarks();
  let [row, column] = [-1, -1];
  for (const { type, data } of recordsIn(sheet)) {
    if (type === kinds.row && data.length >= 12) {
      [row, column] = [data.readUInt32LE(0), -1];
      if (((data[11] ?? 0) & 0x10) !== 0) addHidden(marks.hidden.rows, row);
    } else if (type === kinds.columns && data.length >= 18) {
      if ((data.readUInt16LE(16) & 1) !== 0)
        addHidden(marks.hidden.columns, data.readUInt32LE(0), data.readUInt32LE(4));
    }
    if (known !== undefined && isCell(type) && data.length >= 8) {
      // A short one does not say its column: it stands behind the last.
      const isShort = type > kinds.lastCell && type <= kinds.shortWords;
      column = isShort ? column + 1 : data.readUInt32LE(0);
      const own = isShort ? data : data.subarray(4);
      const look = known.formats[own.readUIntLE(0, 3)] ?? 0;
      const words = wordsOf(type, own, known);
      const place = placeKey(row, column);
      if (words !== undefined) marks.cells.set(place, { words: words(look), look });
      else if (look !== 0) marks.cells.set(place, { look });
    }
  }
  return marks;
}

/** Behind the last row that shows something. */
function bottomOfBinary(sheet: Uint8Array, withFormulas: boolean): number {
  let [row, bottom] = [-1, 0];
  for (const { type, data } of recordsIn(sheet)) {
    if (type === kinds.row && data.length >= 12) row = data.readUInt32LE(0);
    const isEmptied = type === kinds.wordsOfFormula && data.length >= 12 && data.readUInt32LE(8) === 0;
    const isEmpty = type === kinds.blank || type === kinds.shortBlank || (isEmptied && !withFormulas);
    if (isCell(type) && !isEmpty) bottom = Math.max(bottom, row + 1);
  }
  return bottom;
}

function isCell(type: number): boolean {
  return (type > kinds.row && type <= kinds.shortWords) || type === kinds.richCell;
}

/** What follows the number of the format: the words themselves, or their number. */
function wordsOf(type: number, data: Buffer, { strings, fonts }: Known): RichWords | undefined {
  if (type === kinds.richCell) return richWords(data, 4, fonts);
  const isNumbered = type === kinds.words || type === kinds.shortWords;
  return isNumbered && data.length >= 8 ? strings.get(data.readUInt32LE(4)) : undefined;
}
