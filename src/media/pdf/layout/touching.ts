// Rows in their stretches in, the same rows out with cells that nearly touch told apart: they are cells because rows above and
// below have a gap at that place. Pure.
import type { Row, Segment, Word } from './page.ts';

/** How far edges of one column lie apart at most, in points; how many rows away, and how far in letters' heights, a row
 * is of the same table. */
const [same, near, far] = [0.75, 3, 12];

/** Cells of one column begin below each other; numbers end below each other. */
type Edges = { starts: number[]; ends: number[] };

/** Rows none of which has a gap are left as they are. */
export function toldApart(rows: Row[]): Row[] {
  if (rows.every(({ segments }) => segments.length < 2)) return rows;
  return rows.map((row, at) => {
    if (row.segments.every(({ words }) => words.length < 2)) return row;
    const reach = (row.segments[0]?.size ?? 0) * far;
    const close = (one: Row): boolean => Math.abs(one.base - row.base) < reach;
    const above = edgesOf(rows.slice(Math.max(0, at - near), at).filter(close));
    const below = edgesOf(rows.slice(at + 1, at + 1 + near).filter(close));
    const own = edgesOf([row]);
    const cuts = (before: Word, word: Word, last: boolean): boolean => {
      if (word.left < before.right) return false;
      const meets = (side: Edges): boolean =>
        has(side.starts, word.left) || (last && isNumber(word) && has(side.ends, word.right));
      // At the first and the last row of a table another column has to speak for it.
      const speaks = (side: Edges): boolean => meets(side) && own.starts.some((edge) => has(side.starts, edge));
      return (meets(above) && meets(below)) || speaks(above) || speaks(below);
    };
    const segments = row.segments.flatMap((segment) => cutSegment(segment, cuts));
    return segments.length === row.segments.length ? row : { ...row, segments };
  });
}

function edgesOf(rows: readonly Row[]): Edges {
  const edges: Edges = { starts: [], ends: [] };
  for (const { segments } of rows) {
    for (const { left, right, words } of segments.slice(1)) {
      const [only] = words;
      edges.starts.push(left);
      if (words.length === 1 && only !== undefined && isNumber(only)) edges.ends.push(right);
    }
  }
  return edges;
}

function has(edges: readonly number[], place: number): boolean {
  return edges.some((edge) => Math.abs(edge - place) <= same);
}

function isNumber({ text }: Word): boolean {
  return /^[\p{Sc}+−(-]*\d[\d.,:/%()-]*[\p{Sc}%)]?$/u.test(text);
}

function cutSegment(segment: Segment, cuts: (before: Word, word: Word, last: boolean) => boolean): Segment[] {
  const { words, table } = segment;
  if (words.length < 2 || table !== undefined) return [segment];
  const parts: Word[][] = [[]];
  for (const [at, word] of words.entries()) {
    const before = words[at - 1];
    if (before !== undefined && cuts(before, word, at === words.length - 1)) parts.push([]);
    parts.at(-1)?.push(word);
  }
  if (parts.length === 1) return [segment];
  return parts.map((own) => ({
    words: own,
    left: Math.min(...own.map(({ left }) => left)),
    right: Math.max(...own.map(({ right }) => right)),
    base: segment.base,
    size: Math.max(...own.map(({ size }) => size)),
  }));
}
