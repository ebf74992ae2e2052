// What a sheet says besides its words, as far as it changes what they mean: cells that are struck or partly set in another way, rows
// and columns that are hidden, how far it goes, what stands at the head and the foot of its pages.
import { hiddenNote } from '../../content/words.ts';
import type { SheetMargins } from './margins.ts';
import { newMargins } from './margins.ts';
import type { Stretch } from './range.ts';
import { columnName } from './range.ts';

/** The words of a cell where they are set in several ways, and how those are set that say nothing of it. */
export type CellMark = { words?: string; look: number };

export type Hidden = { rows: Stretch[]; columns: Stretch[] };

/** `bottom`: behind the last row with a value in it, where that was looked for. */
export type SheetMarks = { cells: Map<string, CellMark>; hidden: Hidden; bottom: number; margins: SheetMargins };

/** By the name of a sheet, or by its place where the file is of a kind that knows it by that. */
export type BookMarks = (name: string, at: number) => SheetMarks | undefined;

export function newMarks(): SheetMarks {
  return { cells: new Map(), hidden: { rows: [], columns: [] }, bottom: 0, margins: newMargins() };
}

export function markAt({ cells }: SheetMarks, row: number, column: number): CellMark | undefined {
  return cells.size === 0 ? undefined : cells.get(placeKey(row, column));
}

export function placeKey(row: number, column: number): string {
  return `${row} ${column}`;
}

/** One more stretch, which goes on with the last where it follows it. */
export function addHidden(list: Stretch[], from: number, to: number = from): void {
  const last = list.at(-1);
  if (last !== undefined && last.to === from - 1) last.to = to;
  else list.push({ from, to });
}

const mostStretches = 30;

/** Which rows and columns with words in them are hidden; nothing when none is. */
export function hiddenNotes({ rows, columns }: Hidden, { top, bottom, left, right }: Edges): string[] {
  const parts = [
    ...namesOf('row', within(rows, top, bottom), (row) => String(row + 1)),
    ...namesOf('column', within(columns, left, right), columnName),
  ];
  return parts.length === 0 ? [] : [hiddenNote(parts.join(', '))];
}

type Edges = { top: number; bottom: number; left: number; right: number };

function within(list: readonly Stretch[], from: number, end: number): Stretch[] {
  return list.flatMap((one) =>
    one.to < from || one.from >= end ? [] : [{ from: Math.max(one.from, from), to: Math.min(one.to, end - 1) }],
  );
}

function namesOf(thing: string, list: readonly Stretch[], name: (at: number) => string): string[] {
  if (list.length === 0) return [];
  const count = list.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const shown = list
    .slice(0, mostStretches)
    .map(({ from, to }) => (from === to ? name(from) : `${name(from)}-${name(to)}`));
  const more = list.length > mostStretches ? ` and more, ${count} in all` : '';
  return [`${thing}${count === 1 ? '' : 's'} ${shown.join(', ')}${more}`];
}
