// The records of an Excel 97 to 2003 workbook in; out, by sheet: the cells that are struck or in which letters are struck, raised or
// lowered, and the rows and columns that are hidden. Numbers in the file are only believed as far as bytes exist for them.
import { looks, styledText } from '../document/styled.ts';
import { addMargin } from './margins.ts';
import type { BookMarks, SheetMarks } from './marks.ts';
import { addHidden, newMarks, placeKey } from './marks.ts';
import type { XlsReader, XlsRecord } from './xls-records.ts';
import { plainRecords, readerOf, sheetPlaces, xlsKinds } from './xls-records.ts';

const kinds = {
  ...xlsKinds,
  formula: 0x06,
  header: 0x14,
  footer: 0x15,
  font: 0x31,
  columns: 0x7d,
  many: 0xbd,
  format: 0xe0,
  strings: 0xfc,
  words: 0xfd,
  row: 0x208,
} as const;
/** Records of one cell: its row, its column and the number of its format come first. */
const cellKinds = new Set<number>([kinds.words, kinds.formula, 0x203, 0x204, 0x205, 0x27e]);

export function oldMarks(stream: Buffer, withFormulas: boolean): BookMarks | undefined {
  const records = plainRecords(stream);
  if (records === undefined) return undefined;
  const fonts = fontLooks(stream, records);
  // In most files no font says anything.
  const hasLooks = [...fonts.values()].some((look) => look !== 0);
  const strings = hasLooks ? richStrings(stream, records, fonts) : new Map<number, RichString>();
  const formats = records
    .filter(({ type, start, end }) => type === kinds.format && end - start >= 2)
    .map(({ start }) => (fonts.get(stream.readUInt16LE(start)) ?? 0) & looks.struck);
  const places = sheetPlaces(stream, records);
  // By where they lie, as the library has them, and not as they are listed.
  const sheets = new Map(
    [...new Set(places)].toSorted((one, other) => one - other).map((place) => [place, newMarks()]),
  );
  let marks: SheetMarks | undefined;
  for (const record of records) {
    if (record.type === kinds.begin && sheets.has(record.at)) marks = sheets.get(record.at);
    if (marks === undefined) continue;
    addOldHidden(stream, record, marks);
    addOldMargin(stream, record, marks);
    if (isOfCells(record) && (withFormulas || !isEmptied(stream, record)))
      marks.bottom = Math.max(marks.bottom, stream.readUInt16LE(record.start) + 1);
    if (hasLooks) addCells(stream, record, marks, formats, strings);
  }
  const found = [...sheets.values()];
  return (_name, at) => found[at];
}

function addOldHidden(stream: Buffer, { type, start, end }: XlsRecord, { hidden }: SheetMarks): void {
  if (type === kinds.row && end - start >= 14 && (stream.readUInt16LE(start + 12) & 0x20) !== 0)
    addHidden(hidden.rows, stream.readUInt16LE(start));
  if (type === kinds.columns && end - start >= 10 && (stream.readUInt16LE(start + 8) & 1) !== 0)
    addHidden(hidden.columns, stream.readUInt16LE(start), stream.readUInt16LE(start + 2));
}

function addOldMargin(stream: Buffer, { type, start, end }: XlsRecord, { margins }: SheetMarks): void {
  if ((type !== kinds.header && type !== kinds.footer) || end - start < 3) return;
  const isWide = ((stream[start + 2] ?? 0) & 1) === 1;
  const code = stream.toString(isWide ? 'utf16le' : 'latin1', start + 3, end);
  addMargin(margins, type === kinds.header ? 'header' : 'footer', code);
}

function isOfCells({ type, start, end }: Omit<XlsRecord, 'at'>): boolean {
  return end - start >= 6 && (type === kinds.many || cellKinds.has(type));
}

/** A formula whose words are none. */
function isEmptied(stream: Buffer, { type, start, end }: XlsRecord): boolean {
  return (
    type === kinds.formula && end - start >= 14 && stream[start + 6] === 3 && stream.readUInt16LE(start + 12) === 0xffff
  );
}

function addCells(
  stream: Buffer,
  { type, start, end }: XlsRecord,
  { cells }: SheetMarks,
  formats: readonly number[],
  strings: ReadonlyMap<number, RichString>,
): void {
  if (!isOfCells({ type, start, end })) return;
  const many = type === kinds.many;
  const [row, column] = [stream.readUInt16LE(start), stream.readUInt16LE(start + 2)];
  // Several numbers in a row: six bytes each, the format first, the last column behind them.
  for (let at = start + 4; at + 2 <= end - (many ? 2 : 0); at += 6) {
    const look = formats[stream.readUInt16LE(at)] ?? 0;
    const rich = type === kinds.words && end - start >= 10 ? strings.get(stream.readUInt32LE(start + 6)) : undefined;
    const place = placeKey(row, column + (at - start - 4) / 6);
    if (rich !== undefined) cells.set(place, { words: rich(look), look });
    else if (look !== 0) cells.set(place, { look });
    if (!many) return;
  }
}

/** By the number of a font: whether its letters are struck, raised or lowered. The number four is never given. */
function fontLooks(stream: Buffer, records: readonly XlsRecord[]): Map<number, number> {
  const fonts = new Map<number, number>();
  for (const { type, start, end } of records) {
    if (type !== kinds.font || end - start < 10) continue;
    const level = stream.readUInt16LE(start + 8);
    const number = fonts.size < 4 ? fonts.size : fonts.size + 1;
    const shift = level === 1 ? looks.raised : level === 2 ? looks.lowered : 0;
    fonts.set(number, shift | ((stream.readUInt16LE(start + 2) & 8) === 0 ? 0 : looks.struck));
  }
  return fonts;
}

/** The words of a string, when those of which nothing is said are set so. */
type RichString = (look: number) => string;

/** By their number: the strings of which some letters are set in a font of their own. */
function richStrings(
  stream: Buffer,
  records: readonly XlsRecord[],
  fonts: ReadonlyMap<number, number>,
): Map<number, RichString> {
  const found = new Map<number, RichString>();
  const first = records.findIndex(({ type }) => type === kinds.strings);
  if (first === -1) return found;
  let last = first + 1;
  while (records[last]?.type === kinds.goesOn) last += 1;
  const reader = readerOf(stream, records.slice(first, last));
  try {
    reader.skip(4);
    const count = reader.long();
    for (let index = 0; index < count; index += 1) {
      const words = nextString(reader, fonts);
      if (words !== undefined) found.set(index, words);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // what was found so far is sound
  }
  return found;
}

const [wideFlag, moreFlag, runsFlag] = [1, 4, 8];

function nextString(reader: XlsReader, fonts: ReadonlyMap<number, number>): RichString | undefined {
  const count = reader.short();
  const flags = reader.byte();
  const runs = (flags & runsFlag) === 0 ? 0 : reader.short();
  const more = (flags & moreFlag) === 0 ? 0 : reader.long();
  const text = reader.letters(count, (flags & wideFlag) !== 0);
  const changes = Array.from({ length: runs }, () => ({ at: reader.short(), look: fonts.get(reader.short()) ?? 0 }));
  reader.skip(more);
  if (runs === 0) return undefined;
  return (cell) => {
    const out = styledText();
    out.write(text.slice(0, changes[0]?.at), cell);
    for (const [index, { at, look }] of changes.entries()) out.write(text.slice(at, changes[index + 1]?.at), look);
    return out.text();
  };
}
