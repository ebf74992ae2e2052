// The rows of a page in, its pieces in the order in which they are read out: columns one after the other, tables row by
// row. A strip of white that runs down the page divides columns; whether what stands beside it are columns or a table
// is told by how the lines fill them and whether their rows meet. Pure.
import { alignedTable, columnsOf, tableWithin } from './aligned.ts';
import type { PagePiece, Row, Segment, Word } from './page.ts';
import { spoken } from './words.ts';

const deepest = 40;
const mostTries = 1500;
/** The narrowest strip of white, in points. */
export const narrowestStrip = 7;
/** How many lines must stand on both sides of it where no two meet. */
const apart = 4;

/** A strip of white from one row to another. */
type Gutter = { from: number; to: number; left: number; right: number; both: number };

/** All pieces of a region; `leftwards` pages have their first column on the right. */
export function inOrder(rows: readonly Row[], leftwards: boolean): PagePiece[] {
  const pieces: PagePiece[] = [];
  let flow = 0;
  const walk = (region: readonly Row[], depth: number): void => {
    if (region.length === 0) return;
    const gutter = depth > deepest ? undefined : bestGutter(region);
    if (gutter === undefined) {
      flow += 1;
      for (const row of region) addRow(row, flow, leftwards, pieces);
      return;
    }
    walk(region.slice(0, gutter.from), depth + 1);
    band(region.slice(gutter.from, gutter.to + 1), gutter, depth);
    walk(region.slice(gutter.to + 1), depth + 1);
  };
  const band = (region: readonly Row[], gutter: Gutter, depth: number): void => {
    const [from, to] = tableWithin(region);
    const inner =
      to - from < region.length
        ? alignedTable(region.slice(from, to), columnsOf(region.slice(from, to)), leftwards)
        : 'rows';
    if (inner !== undefined && inner !== 'rows') {
      walk(region.slice(0, from), depth + 1);
      pieces.push({ kind: 'table', rows: inner });
      walk(region.slice(to), depth + 1);
      return;
    }
    const table = alignedTable(region, columnsOf(region), leftwards);
    if (table === 'rows') {
      flow += 1;
      for (const row of region) addRow(row, flow, leftwards, pieces);
    } else if (table !== undefined) pieces.push({ kind: 'table', rows: table });
    else {
      const middle = (gutter.left + gutter.right) / 2;
      const sides = [side(region, (one) => one.right <= middle), side(region, (one) => one.right > middle)];
      for (const half of leftwards ? sides.toReversed() : sides) walk(half, depth + 1);
    }
  };
  walk(rows, 0);
  return pieces;
}

function side(rows: readonly Row[], has: (segment: Segment) => boolean): Row[] {
  return rows.flatMap(({ base, segments }) => {
    const kept = segments.filter(has);
    return kept.length === 0 ? [] : [{ base, segments: kept }];
  });
}

/** The words of a row as one line, then the tables in it. */
function addRow({ segments }: Row, flow: number, leftwards: boolean, pieces: PagePiece[]): void {
  const plain = segments.length === 1 ? segments : segments.filter(({ table }) => table === undefined);
  const line = plain.length === 1 ? plain[0] : joined(plain);
  const first = line?.words[0];
  if (line !== undefined && first !== undefined) {
    const { words, left, right } = line;
    const text = leftwards || plain.length === 1 ? spoken(words) : plain.map((one) => spoken(one.words)).join(' ');
    const size = mainSize(words);
    const bold = words.every((word) => word.bold);
    const opening = leftwards ? (words.at(-1) ?? first) : first;
    const wide = opening.opening ?? opening.right - opening.left;
    pieces.push({ kind: 'line', flow, text, wide, left, right, base: first.base, size, bold });
  }
  for (const { table } of segments) if (table !== undefined) pieces.push({ kind: 'table', rows: table });
}

/** All stretches of a row as one. */
function joined(segments: readonly Segment[]): Pick<Segment, 'words' | 'left' | 'right'> {
  let [left, right] = [Infinity, -Infinity];
  for (const one of segments) {
    if (one.left < left) left = one.left;
    if (one.right > right) right = one.right;
  }
  return { words: segments.flatMap((one) => one.words), left, right };
}

/** The size of most of the letters. */
function mainSize(words: readonly Word[]): number {
  const size = words[0]?.size ?? 0;
  if (isOneSize(words, size)) return size;
  const counts = new Map<number, number>();
  for (const word of words) counts.set(word.size, (counts.get(word.size) ?? 0) + word.text.length);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}

function isOneSize(words: readonly Word[], size: number): boolean {
  for (const word of words) if (word.size !== size) return false;
  return true;
}

function bestGutter(rows: readonly Row[]): Gutter | undefined {
  if (hasNoGap(rows)) return undefined;
  let best: Gutter | undefined;
  const tried = new Set<string>();
  for (const [at, left, right] of gapsOf(rows)) {
    const key = `${best?.from === undefined || at > best.to ? at : ''} ${Math.round(left)} ${Math.round(right)}`;
    if (tried.has(key)) continue;
    if (tried.size >= mostTries) break;
    tried.add(key);
    const found = grown(rows, at, left, right);
    const wider = best !== undefined && found.both === best.both && found.right - found.left > best.right - best.left;
    if (found.both >= 2 && (best === undefined || found.both > best.both || wider)) best = found;
  }
  return best === undefined ? undefined : trimmed(rows, best);
}

/** Whether each row is one stretch and none stands beside another, as on most pages. */
function hasNoGap(rows: readonly Row[]): boolean {
  let left = -Infinity;
  let right = Infinity;
  for (const { segments } of rows) {
    const only = segments[0];
    if (segments.length !== 1 || only === undefined) return false;
    if (only.left > left) left = only.left;
    if (only.right < right) right = only.right;
  }
  return left - right <= narrowestStrip;
}

/** Gaps in a row, and between words of one row and words beside them in the next. */
function* gapsOf(rows: readonly Row[]): Generator<[at: number, left: number, right: number]> {
  for (const [at, { segments }] of rows.entries()) {
    for (let next = 1; next < segments.length; next += 1) {
      yield [at, segments[next - 1]?.right ?? 0, segments[next]?.left ?? 0];
    }
    for (const one of segments) {
      for (const other of rows[at + 1]?.segments ?? []) {
        if (other.left - one.right > narrowestStrip) yield [at, one.right, other.left];
        if (one.left - other.right > narrowestStrip) yield [at, other.right, one.left];
      }
    }
  }
}

/** Grows a gap of one row upwards and downwards as far as it stays white. */
function grown(rows: readonly Row[], at: number, gapLeft: number, gapRight: number): Gutter {
  let [left, right] = [gapLeft, gapRight];
  const narrowest = Math.min(gapRight - gapLeft, narrowestStrip);
  const fits = (row: Row | undefined): boolean => {
    if (row === undefined) return false;
    let [low, high] = [left, right];
    for (const segment of row.segments) {
      if (segment.right <= low || segment.left >= high) continue;
      if (segment.left <= low) low = segment.right;
      else if (segment.right >= high) high = segment.left;
      else return false;
    }
    if (high - low < narrowest) return false;
    [left, right] = [low, high];
    return true;
  };
  let [from, to] = [at, at];
  while (fits(rows[from - 1])) from -= 1;
  while (fits(rows[to + 1])) to += 1;
  const counts = [0, 0, 0, 0];
  for (let index = from; index <= to; index += 1) {
    const sides = sidesOf(rows[index], left);
    counts[sides] = (counts[sides] ?? 0) + 1;
  }
  const [, before = 0, behind = 0, meet = 0] = counts;
  const beside = Math.min(before, behind);
  const both = meet + (beside >= apart ? beside : 0);
  return { from, to, left, right, both };
}

/** 1 for words on the left of a place, 2 for words on its right, 3 for both. */
function sidesOf(row: Row | undefined, left: number): number {
  let sides = 0;
  for (const segment of row?.segments ?? []) sides |= segment.right <= left + 0.01 ? 1 : 2;
  return sides;
}

/** Without the foot of the page, and the lines above both columns and below them that only happen to be short. */
function trimmed(rows: readonly Row[], gutter: Gutter): Gutter {
  let { from, to } = gutter;
  const foot = footOf(rows.slice(from, to + 1));
  if (foot !== undefined) to = from + foot - 1;
  const sides = (at: number): number => sidesOf(rows[at], gutter.left);
  while (from < to && sides(from) === 1) from += 1;
  const inner = leadingOf(rows.slice(from, to + 1));
  const stands = (at: number): boolean => (rows[at + 1]?.base ?? 0) - (rows[at]?.base ?? 0) > inner * 1.6;
  while (from < to && sides(from) === 2 && stands(from)) from += 1;
  const lastRight = Array.from({ length: to - from + 1 }, (_, at) => to - at).find((at) => (sides(at) & 2) !== 0) ?? to;
  const leading = leadingOf(rows.slice(from, lastRight + 1));
  for (let at = lastRight + 1; at <= to; at += 1) {
    if ((rows[at]?.base ?? 0) - (rows[at - 1]?.base ?? 0) > leading * 1.6) to = at - 1;
  }
  return { ...gutter, from, to };
}

/** How many lines may be the foot of a page, and how far, in usual ways, they stand below the rest. */
const [mostFeet, farBelow] = [2, 4];

/** Where a line or two begin that stand far below all others, as where a page is counted; they belong to no column. */
function footOf(rows: readonly Row[]): number | undefined {
  const leading = leadingOf(rows);
  for (let at = rows.length - 1; at >= Math.max(4, rows.length - mostFeet); at -= 1) {
    if ((rows[at]?.base ?? 0) - (rows[at - 1]?.base ?? 0) > leading * farBelow) return at;
  }
  return undefined;
}

/** The usual way from one line to the next. */
function leadingOf(rows: readonly Row[]): number {
  const ways = rows.slice(1).map(({ base }, at) => base - (rows[at]?.base ?? 0));
  const sizes = rows.map(({ segments }) => segments[0]?.size ?? 0);
  const way = ways.toSorted((one, other) => one - other)[ways.length >> 1] ?? 0;
  return Math.max(way, Math.max(0, ...sizes) * 1.1);
}
