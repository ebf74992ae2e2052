// The records of a chart in an Excel 97 to 2003 workbook in; its kind, its titles and its series out. Their numbers are the ones kept
// inside the chart, or those of the cells it names.
import { oneLine } from '../document/markdown.ts';
import type { CellsNamed, Chart } from '../office/chart.ts';
import { mostPoints } from '../office/chart.ts';
import { cellName } from './range.ts';
import type { XlsRecord } from './xls-records.ts';

const kinds = {
  bool: 0x205,
  label: 0x204,
  number: 0x203,
  series: 0x1003,
  words: 0x100d,
  text: 0x1025,
  textOf: 0x1027,
  begin: 0x1033,
  end: 0x1034,
  helper: 0x104a,
  link: 0x1051,
  kept: 0x1065,
} as const;

/** By the record that says how points are drawn: what others call it. */
const drawnAs = new Map([
  [0x1017, 'bar'],
  [0x1018, 'line'],
  [0x1019, 'pie'],
  [0x101a, 'area'],
  [0x101b, 'scatter'],
  [0x103e, 'radar'],
  [0x103f, 'surface'],
  [0x1040, 'radar'],
  [0x1061, 'ofpie'],
]);

/** What a title stands beside. */
const [ofChart, ofValues, ofPlaces] = [1, 2, 3];
/** Excel itself allows no more series in a chart. */
const mostSeries = 255;

/** What is named by links, or kept: the name of a series, its values and its places, by the number that files have for them. */
type Named = { range: readonly string[]; kept: string[] };
type Series = { name: Named; values: Named; labels: Named; isHelper: boolean };
type Words = { range: readonly string[]; text: string; of: number };

/** The name of a sheet by the number that formulas have for it. */
export type SheetNumbered = (number: number) => string | undefined;

/** How many points may still be looked up: a few bytes can name a whole sheet. */
export type PointBudget = { left: number };

export function oldChart(
  stream: Buffer,
  records: readonly XlsRecord[],
  sheet: SheetNumbered,
  cells: CellsNamed,
  budget: PointBudget,
): Chart {
  const { series, texts, drawn } = collected(stream, records, sheet);
  const named = (range: readonly string[]): string[] => {
    const found = budget.left <= 0 ? [] : range.flatMap((one) => cells(one)).slice(0, mostPoints);
    budget.left -= found.length;
    return found.map(oneLine);
  };
  const titles = (of: number): string => {
    const all = texts.filter((one) => one.of === of).map(({ text, range }) => text || named(range).join(' '));
    return [...new Set(all)].filter((one) => one !== '').join(' and ');
  };
  return {
    kinds: drawn,
    title: titles(ofChart),
    across: titles(ofPlaces),
    values: titles(ofValues),
    series: series
      .filter(({ isHelper }) => !isHelper)
      .map(({ name, values, labels }) => ({
        name: name.kept[0] ?? named(name.range).join(' '),
        values: values.kept.length > 0 ? Array.from(values.kept, (one) => one ?? '') : named(values.range),
        // A day is kept as a number; its cell shows it as a day.
        labels: filled(named(labels.range)) ?? Array.from(labels.kept, (one) => one ?? ''),
      })),
  };
}

function filled(words: string[]): string[] | undefined {
  return words.some((one) => one !== '') ? words : undefined;
}

type Collected = { series: Series[]; texts: Words[]; drawn: string[] };

function collected(stream: Buffer, records: readonly XlsRecord[], sheet: SheetNumbered): Collected {
  const found: Collected = { series: [], texts: [], drawn: [] };
  const owners: number[] = [];
  let [before, keptAs] = [0, 0];
  for (const { type, start, end } of records) {
    const data = stream.subarray(start, end);
    const owner = owners.at(-1);
    if (type === kinds.begin && owners.length < 100) owners.push(before);
    else if (type === kinds.end) owners.pop();
    else if (type === kinds.series && found.series.length < mostSeries) found.series.push(newSeries());
    else if (type === kinds.text) found.texts.push({ range: [], text: '', of: 0 });
    else if (type === kinds.kept && data.length >= 2) keptAs = data.readUInt16LE(0);
    else if (keptAs > 0) addPoint(found.series, data, type, keptAs);
    else if (owner === kinds.series) addToSeries(found.series.at(-1), data, type, sheet);
    else if (owner === kinds.text) addToText(found.texts.at(-1), data, type, sheet);
    const kind = drawnAs.get(type);
    if (kind !== undefined) found.drawn.push(nearerKind(kind, data));
    before = type;
  }
  return found;
}

function newSeries(): Series {
  const [name, values, labels] = [newNamed(), newNamed(), newNamed()];
  return { name, values, labels, isHelper: false };
}

function newNamed(): Named {
  return { range: [], kept: [] };
}

/** A ring is a pie with a hole, bubbles are points with a size. */
function nearerKind(kind: string, data: Buffer): string {
  if (kind === 'pie' && data.length >= 4 && data.readUInt16LE(2) > 0) return 'doughnut';
  return kind === 'scatter' && data.length >= 6 && (data.readUInt16LE(4) & 1) === 1 ? 'bubble' : kind;
}

function addToSeries(series: Series | undefined, data: Buffer, type: number, sheet: SheetNumbered): void {
  if (series === undefined) return;
  // A line of the trend, or how far a value may be wrong, is drawn as a series.
  if (type === kinds.helper) series.isHelper = true;
  if (type === kinds.words) series.name.kept.push(shortText(data));
  const part = type === kinds.link ? [series.name, series.values, series.labels][data[0] ?? 3] : undefined;
  if (part !== undefined) part.range = rangesIn(data, sheet);
}

function addToText(words: Words | undefined, data: Buffer, type: number, sheet: SheetNumbered): void {
  if (words === undefined) return;
  if (type === kinds.words) words.text = shortText(data);
  if (type === kinds.textOf && data.length >= 2) words.of = data.readUInt16LE(0);
  if (type === kinds.link) words.range = rangesIn(data, sheet);
}

/** A cell of what is kept: its row is the number of the point, its column that of the series. */
function addPoint(series: readonly Series[], data: Buffer, type: number, keptAs: number): void {
  if (data.length < 8) return;
  const [point, one] = [data.readUInt16LE(0), series[data.readUInt16LE(2)]];
  const part = keptAs === 1 ? one?.values : keptAs === 2 ? one?.labels : undefined;
  if (part === undefined || point >= mostPoints) return;
  if (type === kinds.number && data.length >= 14) part.kept[point] = numberText(data.readDoubleLE(6));
  if (type === kinds.label && data.length >= 9)
    part.kept[point] = oneLine(letters(data, 9, data.readUInt16LE(6), data[8]));
  if (type === kinds.bool && data[7] === 0) part.kept[point] = data[6] === 1 ? 'TRUE' : 'FALSE';
}

function numberText(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : '';
}

function shortText(data: Buffer): string {
  return oneLine(letters(data, 4, data[2] ?? 0, data[3]));
}

function letters(data: Buffer, from: number, count: number, flags = 0): string {
  const isWide = (flags & 1) === 1;
  return data.toString(isWide ? 'utf16le' : 'latin1', from, from + count * (isWide ? 2 : 1));
}

/** How long the marks of a formula are that only hold ranges together: those before a list, and the signs in it. */
const joins = new Map([
  [0x10, 1],
  [0x15, 1],
  [0x26, 7],
  [0x29, 3],
]);
const [oneCell, manyCells] = [0x1a, 0x1b];

/** The ranges that a link names, `'Sheet 1'!B2:B9`; none where it computes something. */
function rangesIn(link: Buffer, sheet: SheetNumbered): string[] {
  const found: string[] = [];
  for (let at = 8; at < link.length;) {
    const mark = link[at] ?? 0;
    const size = mark < 0x20 ? joins.get(mark) : joins.get((mark & 0x1f) | 0x20);
    const kind = mark < 0x20 ? 0 : mark & 0x1f;
    const isOne = kind === oneCell;
    if (isOne || kind === manyCells) {
      const end = at + (isOne ? 7 : 11);
      const name = end <= link.length ? sheet(link.readUInt16LE(at + 1)) : undefined;
      if (name === undefined) return [];
      const place = (row: number, column: number): string =>
        cellName(link.readUInt16LE(at + row), link.readUInt16LE(at + column) & 0xff);
      const cells = isOne ? place(3, 5) : `${place(3, 7)}:${place(5, 9)}`;
      found.push(`'${name.replaceAll("'", "''")}'!${cells}`);
      at = end;
    } else if (size === undefined) return [];
    else at += size;
  }
  return found;
}
