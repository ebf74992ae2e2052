// Rows and columns as a caller names them in, places counted from zero out, and back into words.
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';

/** A stretch of rows or columns, counted from zero, the last one included. */
export type Stretch = { from: number; to: number };

/** What was asked for of a table; what is absent is from the beginning to as far as limits let. */
export type Window = { rows?: Stretch; columns?: Stretch };

const most = 10_000_000;

/** "200-400", "7" or "200-"; columns also by their letters, "C-F". */
export function windowOf({ rows, columns }: { rows?: string; columns?: string }): Read<Window> {
  const window: Window = {};
  for (const [key, given] of [
    ['rows', rows],
    ['columns', columns],
  ] as const) {
    if (given === undefined) continue;
    const found = stretchOf(given, key === 'columns');
    if (found === undefined) {
      const next = `Give them as ${key === 'rows' ? '"200-400"' : '"C-F" or "3-6"'}, counted from one.`;
      return refuse('bad-range', `There are no ${key} "${given.slice(0, 40)}"`, next);
    }
    window[key] = found;
  }
  return { ok: true, value: window };
}

function stretchOf(given: string, letters: boolean): Stretch | undefined {
  const [, first = '', bar = '', last = ''] = /^\s*(\w+)\s*([-–:]?)\s*(\w*)\s*$/.exec(given) ?? [];
  const place = (word: string): number => {
    if (/^\d{1,8}$/.test(word)) return Number(word) - 1;
    return letters && /^[a-z]{1,3}$/i.test(word) ? columnAt(word) : -1;
  };
  const from = place(first);
  const to = bar === '' ? from : last === '' ? most : place(last);
  return from < 0 || to < from ? undefined : { from, to };
}

function columnAt(letters: string): number {
  let at = 0;
  for (const letter of letters.toUpperCase()) at = at * 26 + letter.charCodeAt(0) - 64;
  return at - 1;
}

/** The letters over a column. */
export function columnName(column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** The column of a cell by its name. */
export function columnOfCell(cell: string): number {
  return columnAt(/^[a-z]{1,3}/i.exec(cell)?.[0] ?? '');
}

export function cellName(row: number, column: number): string {
  return `${columnName(column)}${row + 1}`;
}

/** As much of what was asked for as may be shown at once. */
export function bounded({ from, to }: Stretch, longest: number): Stretch {
  return { from, to: Math.min(to, from + longest - 1) };
}

/** The last row that is looked at, counted from zero. */
export function lastRowOf({ rows }: Window, sheetRows: number): number {
  return rows === undefined ? sheetRows : bounded(rows, sheetRows).to;
}
