// Rows of cells in, a Markdown table out, with what is not shown said first, and how to see it. The cells of a sheet stand under the letters of
// their columns and beside the numbers of their rows; a table of text has a header of its own.
import { moreColumnsNote, moreRowsNote, nothingBelowNote, nothingBesideNote } from '../../content/words.ts';
import type { Limits } from '../limits.ts';
import { grouped } from '../limits.ts';
import { link, table } from '../document/markdown.ts';
import { squeeze } from '../web/markdown.ts';
import type { Stretch, Window } from './range.ts';
import { bounded, columnName, lastRowOf } from './range.ts';

/** `rows` begin at row `at` and column `left`, counted from zero. The whole begins at row `top`; `bottom` and `right` are
 * behind its last cell. */
export type Grid = {
  rows: readonly (readonly string[])[];
  at: number;
  top: number;
  left: number;
  bottom: number;
  right: number;
  /** the row that names the columns, where the table has one of its own */
  header?: readonly string[];
};

/** The words of a cell, or a part of them, that lead somewhere; a place inside of the workbook is no address. */
export function cellLink(words: string, target: string): string {
  return /^(?:https?|mailto):/i.test(target) ? link(words, target.slice(0, longestTarget)) : words;
}

const longestTarget = 2000;

/** The note, when there is one, and the table; rows end where `room`, in characters, does. */
export function gridBlocks(grid: Grid, window: Window, room: number, limits: Limits): string[] {
  const { rows, at, top, left, bottom, right, header } = grid;
  const asked = bounded(window.columns ?? { from: left, to: right - 1 }, limits.sheetColumns);
  const columns = { from: asked.to < left ? asked.from : Math.max(asked.from, left), to: asked.to };
  const all = { from: top, to: Math.max(top, Math.min(bottom - 1, lastRowOf(window, limits.sheetRows))) };
  const wanted = bounded(window.rows ?? all, limits.sheetRows);
  const cut = (row: readonly string[]): string[] =>
    row.slice(Math.max(0, columns.from - left), Math.max(0, columns.to - left + 1));
  if (bottom === 0) return [];
  if (wanted.from >= bottom) return [nothingBelowNote(grouped(bottom))];
  if (right > left && columns.from >= right) return [nothingBesideNote(columnName(right - 1))];
  const first = wanted.to < top ? wanted.from : Math.max(wanted.from, top);
  const given = rows.slice(Math.max(0, first - at), Math.max(0, wanted.to - at + 1)).map(cut);
  const lines = fitting(given, room);
  const last = lines.length < given.length ? first + lines.length - 1 : Math.min(wanted.to, bottom - 1);
  const notes = [
    ...(first > top || last < bottom - 1
      ? [moreRowsNote(grouped(first + 1), grouped(last + 1), grouped(bottom), rest(last, bottom, limits))]
      : []),
    ...(right > left ? moreColumns(columns, { left, right }, header !== undefined, limits) : []),
  ];
  const named = header === undefined ? labelled(lines, first, columns) : first > 0 ? [cut(header), ...lines] : lines;
  const words = table(named);
  return words === '' ? notes : [...notes, words];
}

function rest(last: number, bottom: number, { sheetRows }: Limits): string | undefined {
  return last >= bottom - 1 ? undefined : `${last + 2}-${Math.min(bottom, last + 1 + sheetRows)}`;
}

function moreColumns(
  shown: Stretch,
  { left, right }: { left: number; right: number },
  plain: boolean,
  { sheetColumns }: Limits,
): string[] {
  const to = Math.min(shown.to, right - 1);
  if (shown.from <= left && to >= right - 1) return [];
  const name = (column: number): string => (plain ? String(column + 1) : columnName(column));
  const next = to >= right - 1 ? undefined : `${name(to + 1)}-${name(Math.min(right, to + 1 + sheetColumns) - 1)}`;
  return [moreColumnsNote(name(shown.from), name(to), name(right - 1), next)];
}

/** Rows without a word are left out; the numbers of the others tell where. */
function labelled(lines: readonly string[][], first: number, columns: Stretch): string[][] {
  const width = lines.reduce((most, row) => Math.max(most, row.findLastIndex((cell) => cell !== '') + 1), 0);
  const filled = lines.flatMap((row, at) =>
    row.some((cell) => cell !== '') ? [[String(first + at + 1), ...row]] : [],
  );
  if (filled.length === 0) return [];
  return [['', ...Array.from({ length: width }, (_, at) => columnName(columns.from + at))], ...filled];
}

function fitting(rows: readonly string[][], room: number): string[][] {
  const shown: string[][] = [];
  let used = 0;
  for (const row of rows) {
    const cells = row.map(squeeze);
    for (const cell of cells) used += cell.length + 3;
    if (used > room) break;
    shown.push(cells);
  }
  return shown;
}
