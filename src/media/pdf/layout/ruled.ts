// The lines drawn on a page and its words in; tables whose cells are drawn out, and the words that are in none. Pure.
import type { Edge, Segment, Word } from './page.ts';
import { lineRows, spoken, wordCount } from './words.ts';

const near = 3;
/** No table has fewer lines. */
export const fewestEdges = 4;
const [mostColumns, mostRows, mostLines] = [60, 400, 3000];
/** A cell with more words than this holds a column of a page, not a value. */
const wordyCell = 60;

/** Tables that are drawn with lines, each as one segment. */
export function ruledTables(words: readonly Word[], edges: readonly Edge[]): { tables: Segment[]; rest: Word[] } {
  const tables: Segment[] = [];
  let rest = [...words];
  if (edges.length < fewestEdges || edges.length > mostLines) return { tables, rest };
  for (const group of meeting(edges)) {
    const made = tableOf(group, rest);
    if (made === undefined) continue;
    tables.push(made.table);
    rest = rest.filter((word) => !made.taken.has(word));
  }
  return { tables, rest };
}

const isLevel = ({ x0, y0, x1, y1 }: Edge): boolean => x1 - x0 >= y1 - y0;

/** Lines that touch each other, group by group. */
function meeting(edges: readonly Edge[]): Edge[][] {
  const parent = edges.map((_, at) => at);
  const root = (at: number): number => {
    let top = at;
    while (parent[top] !== top) top = parent[top] ?? top;
    parent[at] = top;
    return top;
  };
  for (let one = 0; one < edges.length; one += 1) {
    for (let other = one + 1; other < edges.length; other += 1) {
      const [a, b] = [edges[one], edges[other]];
      if (a !== undefined && b !== undefined && touch(a, b)) parent[root(other)] = root(one);
    }
  }
  return [...Map.groupBy(edges, (_, at) => root(at)).values()].filter((group) => group.length >= fewestEdges);
}

function touch(a: Edge, b: Edge): boolean {
  return a.x0 <= b.x1 + near && b.x0 <= a.x1 + near && a.y0 <= b.y1 + near && b.y0 <= a.y1 + near;
}

/** Places that are nearly the same are one. */
function places(values: readonly number[]): number[] {
  const out: number[] = [];
  for (const value of values.toSorted((one, other) => one - other)) {
    if (value - (out.at(-1) ?? Number.NEGATIVE_INFINITY) > near) out.push(value);
  }
  return out;
}

function tableOf(edges: readonly Edge[], words: readonly Word[]): { table: Segment; taken: Set<Word> } | undefined {
  const [level, upright] = [edges.filter(isLevel), edges.filter((edge) => !isLevel(edge))];
  const xs = places(upright.map(({ x0, x1 }) => (x0 + x1) / 2));
  const ys = places(level.map(({ y0, y1 }) => (y0 + y1) / 2));
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  if (columns < 1 || rows < 1 || columns * rows < 2 || columns > mostColumns || rows > mostRows) return undefined;
  const cells = new Map<number, Word[]>();
  const taken = new Set<Word>();
  for (const word of words) {
    const column = slot(xs, (word.left + word.right) / 2);
    const row = slot(ys, word.base - word.size * 0.3);
    if (column < 0 || row < 0) continue;
    taken.add(word);
    const [atRow, atColumn] = ownerOf(row, column, { xs, ys, level, upright });
    const key = atRow * columns + atColumn;
    const held = cells.get(key);
    if (held === undefined) cells.set(key, [word]);
    else held.push(word);
  }
  if (cells.size < 2 || wordCount([...taken]) > cells.size * wordyCell) return undefined;
  if (columns === 1 && cells.size < rows) return undefined;
  const grid = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) => cellText(cells.get(row * columns + column) ?? [])),
  );
  const place = { left: xs[0] ?? 0, right: xs.at(-1) ?? 0, base: ys[0] ?? 0 };
  return { table: { words: [], ...place, size: 0, table: grid }, taken };
}

function slot(edges: readonly number[], value: number): number {
  if (value < (edges[0] ?? 0) || value > (edges.at(-1) ?? 0)) return -1;
  return edges.findIndex((edge, at) => value >= edge && value <= (edges[at + 1] ?? Number.NEGATIVE_INFINITY));
}

type Lines = { xs: number[]; ys: number[]; level: Edge[]; upright: Edge[] };

/** The cell that a place belongs to: without a line between them two cells are one. */
function ownerOf(row: number, column: number, { xs, ys, level, upright }: Lines): [number, number] {
  const [middleY, middleX] = [
    ((ys[row] ?? 0) + (ys[row + 1] ?? 0)) / 2,
    ((xs[column] ?? 0) + (xs[column + 1] ?? 0)) / 2,
  ];
  let [atRow, atColumn] = [row, column];
  const barred = (x: number): boolean =>
    upright.some((edge) => Math.abs((edge.x0 + edge.x1) / 2 - x) <= near && edge.y0 <= middleY && edge.y1 >= middleY);
  const floored = (y: number): boolean =>
    level.some((edge) => Math.abs((edge.y0 + edge.y1) / 2 - y) <= near && edge.x0 <= middleX && edge.x1 >= middleX);
  while (atColumn > 0 && !barred(xs[atColumn] ?? 0)) atColumn -= 1;
  while (atRow > 0 && !floored(ys[atRow] ?? 0)) atRow -= 1;
  return [atRow, atColumn];
}

/** The words of one cell, line after line, in one line: a name that has a hyphen goes on behind it, a divided word without it. */
export function cellText(words: readonly Word[]): string {
  return lineRows(words)
    .map((row) => spoken(row.words))
    .join('\n')
    .replaceAll(/(?<=[\p{L}\p{N}]-)\n(?=[\p{Lu}\p{N}])/gu, '')
    .replaceAll('\n', ' ')
    .replaceAll(/(?<=\p{Ll})- (?=\p{Ll})/gu, '');
}
