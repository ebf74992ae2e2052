// Rows of a table without lines and its columns in; which of its lines stand in one row of it out, because words of a cell go on
// below each other. Nothing where the distances do not tell it beyond doubt. Pure.
import type { Row, Segment } from './page.ts';
import type { Extent } from './spans.ts';
import { columnAt, isNumeric } from './spans.ts';
import { wordCount } from './words.ts';

/** Lines of a cell are at most so far apart, in letters' heights; those of another row at least so much further, in points and as a
 * share. */
const [farthest, apart, apartShare, same, sameShare] = [1.7, 1.3, 0.1, 0.8, 0.06];
const fewestRows = 3;
/** How wide a blank is, in letters' heights. */
const blank = 0.25;

/** Lines of a cell, from the top to the bottom, in one of the columns. */
type Cell = { column: number; lines: Segment[] };

/** Each row of the table, its cells by their columns. */
export function wrappedRows(rows: readonly Row[], spans: readonly Extent[]): Segment[][][] | undefined {
  const columns = spans.map((): Segment[] => []);
  for (const { segments } of rows)
    for (const segment of segments) columns[Math.max(0, columnAt(spans, segment))]?.push(segment);
  const far = lineDistance(columns);
  if (far === undefined) return undefined;
  const cells = columns.flatMap((segments, column) => cellsOf(segments, column, far));
  const found = tableRowsOf(cells);
  if (found === undefined || !isWrapped(found, columns)) return undefined;
  const made = found.map((row) => byColumn(row, spans.length));
  return areRows(made) ? undefined : made;
}

/** Whether lines that were taken together are rows after all: two numbers stand below each other, or all that go on do so in several
 * columns at once. */
export function areRows(made: readonly Segment[][][]): boolean {
  if (made.some((row) => row.some((cell) => cell.filter(isNumeric).length > 1))) return true;
  const more = made.flatMap((row) => {
    const counts = new Map<number, number>();
    for (const cell of row)
      for (const base of new Set(cell.map((one) => one.base))) counts.set(base, (counts.get(base) ?? 0) + 1);
    return [...counts].toSorted(([one], [other]) => one - other).slice(1);
  });
  return more.length > 0 && more.every(([, count]) => count > 1);
}

/** How far lines of one cell are apart at most; nothing where the next row is hardly further away. */
function lineDistance(columns: readonly Segment[][]): number | undefined {
  const found = columns.flatMap((segments) =>
    segments.slice(1).map((one, at) => ({ way: one.base - (segments[at]?.base ?? 0), size: one.size })),
  );
  const ways = found.filter(({ way, size }) => way > size * 0.5);
  const [nearest] = ways.toSorted((one, other) => one.way - other.way);
  if (nearest === undefined || nearest.way > nearest.size * farthest) return undefined;
  const most = nearest.way + Math.max(same, nearest.way * sameShare);
  const next = nearest.way + Math.max(apart, nearest.way * apartShare);
  return ways.some(({ way }) => way > most && way < next) ? undefined : most;
}

function cellsOf(segments: readonly Segment[], column: number, far: number): Cell[] {
  const cells: Cell[] = [];
  for (const segment of segments) {
    const last = cells.at(-1);
    if (last !== undefined && segment.base - (last.lines.at(-1)?.base ?? 0) <= far) last.lines.push(segment);
    else cells.push({ column, lines: [segment] });
  }
  return cells;
}

/** Cells that stand beside each other are one row; nothing where one of them stands beside two of another column. */
function tableRowsOf(cells: readonly Cell[]): Cell[][] | undefined {
  const top = ({ lines: [first] }: Cell): number => (first?.base ?? 0) - (first?.size ?? 0) * 0.7;
  const made: Cell[][] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  for (const cell of cells.toSorted((one, other) => top(one) - top(other))) {
    const last = made.at(-1);
    const end = cell.lines.at(-1)?.base ?? 0;
    if (last === undefined || top(cell) >= bottom) made.push([cell]);
    else if (last.some(({ column, lines }) => column === cell.column && lines.at(-1)?.base !== end)) return undefined;
    else last.push(cell);
    bottom = Math.max(bottom, end);
  }
  return made;
}

/** Whether words really go on: lines have several words and are as full as their columns let them be, or several numbers stand
 * beside them once. */
function isWrapped(rows: readonly Cell[][], columns: readonly Segment[][]): boolean {
  if (rows.length < fewestRows) return false;
  const edges = columns.map((segments) => Math.max(...segments.map(({ right }) => right)));
  const links = rows
    .flat()
    .flatMap(({ column, lines }) => lines.slice(1).map((line, at) => ({ column, line, before: lines[at] ?? line })));
  if (links.length === 0) return false;
  const isFull = links.every(
    ({ column, line, before }) => before.right + line.size * blank + openingOf(line) > (edges[column] ?? 0),
  );
  const words =
    links.reduce((sum, { line, before }) => sum + wordCount(before.words) + wordCount(line.words), 0) /
    links.length /
    2;
  const tall = rows.slice(1).filter((row) => row.some(({ lines }) => lines.length > 1));
  const numbers = Math.min(...tall.map(loneNumbers));
  return words >= several && (numbers > 1 || (isFull && (numbers > 0 || words >= many)));
}

/** How many words lines have that go on; so many do even where no number stands beside them. */
const [several, many] = [1.5, 3];

function loneNumbers(row: readonly Cell[]): number {
  return row.filter(({ lines: [line, next] }) => line !== undefined && next === undefined && isNumeric(line)).length;
}

/** How wide the first word of a line is. */
function openingOf({ words: [first] }: Segment): number {
  return first === undefined ? 0 : (first.opening ?? first.right - first.left);
}

function byColumn(row: readonly Cell[], count: number): Segment[][] {
  return Array.from({ length: count }, (_, at) => row.flatMap(({ column, lines }) => (column === at ? lines : [])));
}
