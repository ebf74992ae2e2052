// Rows beside a strip of white in; a table out when their cells stand below each other, the word "rows" when they are
// to be read across without being one, nothing when they are columns of text. Pure.
import type { Row, Segment } from './page.ts';
import { cellText } from './ruled.ts';
import type { Extent } from './spans.ts';
import { columnAt, isNumeric } from './spans.ts';
import { wordCount } from './words.ts';
import { areRows, wrappedRows } from './wrapped.ts';

/** The columns that all rows share; a cell that spans several does not join them where there are many rows. */
export function columnsOf(rows: readonly Row[]): Extent[] {
  const spare = rows.length >= 10 ? Math.floor(rows.length * 0.1) : 0;
  const ends = rows.flatMap(({ segments }) =>
    segments.flatMap(
      ({ left, right }) =>
        [
          [left, 1],
          [right, -1],
        ] as const,
    ),
  );
  ends.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const spans: Extent[] = [];
  let [depth, start] = [0, 0];
  for (const [at, step] of ends) {
    const before = depth;
    depth += step;
    if (before <= spare && depth > spare) start = at;
    if (before > spare && depth <= spare) {
      const last = spans.at(-1);
      if (last !== undefined && start - last.right < 3) last.right = at;
      else spans.push({ left: start, right: at });
    }
  }
  return shared(rows, spans);
}

/** From which row to which a table goes: a line above or below it that lies over several of its columns is none of its rows. */
export function tableWithin(rows: readonly Row[]): [from: number, to: number] {
  let [from, to] = [0, rows.length];
  const lies = (row: Row | undefined): boolean => {
    const [only, next] = row?.segments ?? [];
    if (only === undefined || next !== undefined) return false;
    const rest = rows.slice(from, to).filter((one) => one !== row);
    return columnsOf(rest).filter((span) => columnAt([span], only) === 0).length > 1;
  };
  while (to - from > fewestRows && from < mostAside && lies(rows[from])) from += 1;
  while (to - from > fewestRows && rows.length - to < mostAside && lies(rows[to - 1])) to -= 1;
  return [from, to];
}

const [fewestRows, mostAside] = [3, 3];

/** A place that one cell alone stands at, such as the word before a sum, belongs to the column after it. */
function shared(rows: readonly Row[], spans: readonly Extent[]): Extent[] {
  if (rows.length < 4 || spans.length < 3) return [...spans];
  const out: Extent[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    const [lone, own] = [holders(rows, last), holders(rows, span)];
    if (last !== undefined && lone.length === 1 && own.length > 1 && !own.includes(lone[0] ?? -1))
      last.right = span.right;
    else out.push({ ...span });
  }
  return out;
}

function holders(rows: readonly Row[], span: Extent | undefined): number[] {
  if (span === undefined) return [];
  return rows.flatMap(({ segments }, at) => (segments.some((one) => columnAt([span], one) === 0) ? [at] : []));
}

type Column = { segments: Segment[]; prose: boolean; numeric: number };

/** Whether a column is read downwards: its lines are long and fill it. */
function columnOf(rows: readonly Row[], span: Extent): Column {
  const segments = rows.flatMap((row) => row.segments.filter((one) => columnAt([span], one) === 0));
  const words = segments.reduce((sum, one) => sum + wordCount(one.words), 0) / Math.max(1, segments.length);
  const fills = segments.map((one) => (one.right - one.left) / Math.max(1, span.right - span.left));
  const fill = fills.toSorted((one, other) => one - other)[fills.length >> 1] ?? 0;
  const numeric = segments.filter(isNumeric).length / Math.max(1, segments.length);
  return {
    segments,
    prose: segments.length >= 3 && numeric < 0.3 && ((words >= 3.5 && fill >= 0.6) || (words >= 2 && fill >= 0.8)),
    numeric,
  };
}

/** What the rows are; see the head of this file. */
export function alignedTable(
  rows: readonly Row[],
  spans: readonly Extent[],
  leftwards: boolean,
): string[][] | 'rows' | undefined {
  if (rows.some(({ segments }) => segments.some(({ table }) => table !== undefined))) return undefined;
  if (spans.length < 2) return undefined;
  const columns = spans.map((span) => columnOf(rows, span));
  const prose = columns.filter((one) => one.prose).length;
  const meet = rows.filter(({ segments }) => segments.length > 1).length;
  const most = Math.max(...columns.map(({ segments }) => segments.length));
  const [first, second] = columns;
  if (prose >= 2 || first === undefined || second === undefined) return undefined;
  const fewest = Math.min(...columns.slice(0, 2).map(({ segments }) => segments.length));
  if (meet < fewest * 0.75) return undefined;
  if (spans.length === 2) {
    const kind = pairKind(rows, first, second);
    if (kind !== 'table') return kind;
  } else if (prose === 1 && meet < most * 0.4 && columns.every(({ numeric }) => numeric < 0.5)) return undefined;
  return tableRows(rows, spans, leftwards);
}

/** Two columns side by side: names with their values are a table, a few dates before long lines are read across. */
function pairKind(rows: readonly Row[], first: Column, second: Column): 'table' | 'rows' | undefined {
  const labels = first.segments.filter((one) => one.words.at(-1)?.text.endsWith(':')).length;
  if (second.numeric >= 0.5 || labels >= first.segments.length * 0.5) return 'table';
  if (second.prose && first.segments.length * 2 <= second.segments.length) {
    const tight = first.segments.some(
      (one, at) => at > 0 && one.base - (first.segments[at - 1]?.base ?? 0) < one.size * 1.5,
    );
    return tight ? undefined : 'rows';
  }
  if (first.prose || second.prose) return undefined;
  const [head] = rows;
  const headed =
    head?.segments.length === 2 &&
    head.segments.every(isBoldCell) &&
    !rows.slice(1).some(({ segments }) => segments.every(isBoldCell));
  const airy = rows.every(
    ({ base }, at) => at === 0 || base - (rows[at - 1]?.base ?? 0) > (rows[at]?.segments[0]?.size ?? 0) * 1.45,
  );
  if (headed || airy) return 'table';
  return isTight(first) && isTight(second) ? undefined : 'rows';
}

function tableRows(rows: readonly Row[], spans: readonly Extent[], leftwards: boolean): string[][] {
  const made = (leftwards ? undefined : wrappedRows(rows, spans)) ?? closeRows(rows, spans);
  const texts = made.map((cells) => cells.map((held) => cellText(held.flatMap((one) => one.words))));
  return leftwards ? texts.map((row) => row.toReversed()) : texts;
}

/** Each line a row, unless it has no first cell and stands nearer to the one above it than is usual. */
function closeRows(rows: readonly Row[], spans: readonly Extent[]): Segment[][][] {
  const lines = rows.map(({ segments }) => {
    const cells = spans.map((): Segment[] => []);
    for (const segment of segments) cells[Math.max(0, columnAt(spans, segment))]?.push(segment);
    return cells;
  });
  const ways = rows
    .slice(1)
    .map(({ base }, at) => base - (rows[at]?.base ?? 0))
    .toSorted((one, other) => one - other);
  const usual = ways[ways.length >> 1] ?? 0;
  const made: { cells: Segment[][]; base: number }[] = [];
  for (const [at, cells] of lines.entries()) {
    const { base, segments } = rows[at] ?? { base: 0, segments: [] };
    const last = made.at(-1);
    const goesOn =
      last !== undefined &&
      cells[0]?.length === 0 &&
      segments.length < filled(last.cells) &&
      base - last.base < usual * 0.9;
    if (last !== undefined && goesOn) {
      last.base = base;
      last.cells = last.cells.map((held, column) => [...held, ...(cells[column] ?? [])]);
    } else made.push({ cells, base });
  }
  const joined = made.map(({ cells }) => cells);
  return areRows(joined) ? lines : joined;
}

function filled(cells: readonly Segment[][]): number {
  return cells.filter((held) => held.length > 0).length;
}

/** Whether most lines of a column follow each other as the lines of a paragraph do. */
function isTight({ segments }: Column): boolean {
  const close = segments.filter((one, at) => at > 0 && one.base - (segments[at - 1]?.base ?? 0) <= one.size * 1.6);
  return close.length * 2 >= segments.length - 1;
}

function isBoldCell({ words }: Segment): boolean {
  return words.every((word) => word.bold);
}
