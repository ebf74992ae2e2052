// The stream of an Excel 97 to 2003 workbook in; the charts, pictures, boxes and words of shapes that lie on each of its sheets out,
// with the cell they begin at.
import { picture } from '../document/markdown.ts';
import { pictureNumber, shapeWords } from '../legacy/ppt-pictures.ts';
import { kinds as shapeKinds, recordAt } from '../legacy/ppt-records.ts';
import { storedIn } from '../legacy/word-floating.ts';
import type { FloatingPicture } from '../legacy/word-floating.ts';
import { wordPictures } from '../legacy/word-pictures.ts';
import { boxText } from '../office/activex.ts';
import { chartText } from '../office/chart.ts';
import type { DrawnSheets } from './drawings.ts';
import { cellsNamedIn } from './drawings.ts';
import { cellName } from './range.ts';
import type { Sheet } from './workbook.ts';
import type { SheetNumbered } from './xls-chart.ts';
import { oldChart } from './xls-chart.ts';
import type { XlsRecord } from './xls-records.ts';
import { plainRecords, readerOf, sheetPlaces, xlsKinds } from './xls-records.ts';

const kinds = {
  ...xlsKinds,
  end: 0x0a,
  sheetNumbers: 0x17,
  object: 0x5d,
  storedDrawings: 0xeb,
  drawing: 0xec,
  book: 0x1ae,
  words: 0x1b6,
} as const;
const objects = { chart: 5, box: 0x0b, choice: 0x0c, note: 0x19 } as const;
const [shapeBegins, anchorKind, ownBook] = [0xf004, 0xf010, 0x0401];
/** What is said of a box twice; the last holds. Some programs say it under the first name only. */
const stateKinds = new Set([0x0a, 0x12]);
const [mostDrawings, mostPointsOfBook] = [200, 300_000];

/** A shape as far as its records were seen. */
type Shape = { at: string; picture: number; described: string; object: number; state: string; words: string };

type Drawn = { shape: Shape; chart?: readonly XlsRecord[] };

export function oldDrawnSheets(stream: Buffer, sheets: readonly Sheet[]): DrawnSheets | undefined {
  const records = plainRecords(stream);
  if (records === undefined) return undefined;
  const places = sheetPlaces(stream, records);
  const found = drawnOn(stream, records, new Set(places));
  if (found.size === 0) return undefined;
  // The library has sheets by where they lie, formulas by how they are listed.
  const sorted = [...new Set(places)].toSorted((one, other) => one - other);
  const names = new Map(sorted.map((place, at) => [place, sheets[at]?.name]));
  const numbered = sheetNumbers(
    stream,
    records,
    places.map((place) => names.get(place)),
  );
  const stored = storedPictures(stream, records);
  const pictures = wordPictures(undefined, stream.length);
  const [cells, budget] = [cellsNamedIn(sheets), { left: mostPointsOfBook }];
  const textOf = ({ shape, chart }: Drawn): string => {
    if (chart !== undefined) return chartText(oldChart(stream, chart, numbered, cells, budget));
    const words = `${shape.state} ${shape.words}`.trim();
    const image = words === '' ? stored[shape.picture] : undefined;
    const name = image && pictures.nameAt(image);
    return name === undefined ? words : picture(shape.described, name);
  };
  const words = new Map(
    [...found].map(([place, drawn]) => [
      names.get(place) ?? '',
      drawn.flatMap((one) => {
        const text = textOf(one);
        return text === '' ? [] : [`At ${one.shape.at}: ${text}`];
      }),
    ]),
  );
  return { on: (sheet) => words.get(sheet) ?? [], pictures: pictures.found };
}

/** What lies on the sheets, by where these begin. A sheet that is nothing but a chart is one from its beginning. */
function drawnOn(
  stream: Buffer,
  records: readonly XlsRecord[],
  places: ReadonlySet<number>,
): ReadonlyMap<number, Drawn[]> {
  const found = new Map<number, Drawn[]>();
  let [sheet, shape] = [-1, newShape()];
  const add = (drawn: Drawn): void => {
    const list = found.get(sheet) ?? [];
    found.set(sheet, list);
    if (list.length < mostDrawings) list.push(drawn);
  };
  for (let index = 0; index < records.length; index += 1) {
    const record = records[index];
    if (record === undefined) break;
    const { type, at, start, end } = record;
    if (type === kinds.begin) {
      if (places.has(at)) [sheet, shape] = [at, newShape()];
      if (end - start < 4 || stream.readUInt16LE(start + 2) !== chartBegins) continue;
      const to = endOf(records, index + 1);
      if (sheet >= 0) add({ shape, chart: records.slice(index, to) });
      index = to;
    } else if (sheet < 0) continue;
    else if (type === kinds.drawing) shape = shapeIn(stream, record, shape);
    else if (type === kinds.object) {
      shape = { ...shape, ...objectIn(stream, record) };
      if (shape.object !== objects.chart && shape.object !== objects.note) add({ shape });
    } else if (type === kinds.words) shape.words = wordsIn(stream, records, index);
  }
  return found;
}

const chartBegins = 0x20;

function newShape(): Shape {
  return { at: 'no cell', picture: 0, described: '', object: -1, state: '', words: '' };
}

function endOf(records: readonly XlsRecord[], from: number): number {
  let to = from;
  while (to < records.length && records[to]?.type !== kinds.end) to += 1;
  return to;
}

/** Shapes lie in each other, and their records over several of the workbook: so they are looked at one after the other. A shape in
 * a group begins where the group does. */
function shapeIn(stream: Buffer, { start, end }: XlsRecord, before: Shape): Shape {
  let shape = before;
  for (let at = start; at + 8 <= end;) {
    const record = recordAt(stream, at, end);
    if (record === undefined) break;
    if (record.type === shapeBegins) shape = { ...newShape(), at: shape.at };
    if (record.type === anchorKind && record.end - record.start >= 8)
      shape.at = cellName(stream.readUInt16LE(record.start + 6), stream.readUInt16LE(record.start + 2));
    if (record.type === shapeKinds.shapeOptions) {
      shape.picture = pictureNumber(stream, record);
      shape.described = shapeWords(stream, record);
    }
    at = record.container ? record.start : record.end;
  }
  return shape;
}

/** What an object is, and whether it is ticked when it can be. */
function objectIn(stream: Buffer, { start, end }: XlsRecord): Pick<Shape, 'object' | 'state'> {
  const object = end - start >= 6 ? stream.readUInt16LE(start + 4) : -1;
  if (object !== objects.box && object !== objects.choice) return { object, state: '' };
  let isTicked = false;
  for (let at = start; at + 6 <= end; at += 4 + stream.readUInt16LE(at + 2))
    if (stateKinds.has(stream.readUInt16LE(at))) isTicked = stream.readUInt16LE(at + 4) === 1;
  return { object, state: boxText(isTicked, '') };
}

/** How many letters there are stands in the record, they themselves in those that follow. */
function wordsIn(stream: Buffer, records: readonly XlsRecord[], index: number): string {
  const { start = 0, end = 0 } = records[index] ?? {};
  let to = index + 1;
  while (records[to]?.type === kinds.goesOn) to += 1;
  const count = end - start >= 12 ? stream.readUInt16LE(start + 10) : 0;
  if (count === 0 || to === index + 1) return '';
  const reader = readerOf(stream, records.slice(index + 1, to));
  try {
    return reader
      .letters(count, (reader.byte() & 1) === 1)
      .replaceAll('\r', '\n')
      .trim();
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

/** Formulas number pairs of a workbook and a sheet; only those of this workbook are here. */
function sheetNumbers(
  stream: Buffer,
  records: readonly XlsRecord[],
  names: readonly (string | undefined)[],
): SheetNumbered {
  const isOwn = records
    .filter(({ type }) => type === kinds.book)
    .map(({ start, end }) => end - start >= 4 && stream.readUInt16LE(start + 2) === ownBook);
  const list = records.find(({ type }) => type === kinds.sheetNumbers);
  return (number) => {
    const at = (list?.start ?? 0) + 2 + number * 6;
    if (list === undefined || at + 6 > list.end || isOwn[stream.readUInt16LE(at)] !== true) return undefined;
    return names[stream.readUInt16LE(at + 2)];
  };
}

/** The pictures of a workbook by their number: one row of bytes in several records. */
function storedPictures(stream: Buffer, records: readonly XlsRecord[]): (FloatingPicture | undefined)[] {
  const first = records.findIndex(({ type }) => type === kinds.storedDrawings);
  if (first === -1) return [];
  let last = first + 1;
  while (records[last]?.type === kinds.storedDrawings || records[last]?.type === kinds.goesOn) last += 1;
  const bytes = Buffer.concat(records.slice(first, last).map(({ start, end }) => stream.subarray(start, end)));
  const group = recordAt(bytes, 0);
  return group === undefined ? [] : storedIn(bytes, group, Buffer.alloc(0));
}
