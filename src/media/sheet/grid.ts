// Rows of cells in, a Markdown table out, with what is not shown said first. One place for how much of a sheet is shown.
import { grouped } from '../limits.ts';
import { table } from '../document/markdown.ts';
import { squeeze } from '../web/markdown.ts';

export const shownRows = 1000;
export const shownColumns = 50;

/** `rows` holds what may be shown; the counts are of the whole. */
export type Grid = { rows: readonly (readonly string[])[]; rowCount: number; columnCount: number };

/** The note, when there is one, and the table; rows end where `room`, in characters, does. */
export function gridBlocks({ rows, rowCount, columnCount }: Grid, room: number): string[] {
  const shown = fitting(rows, room);
  const cut = [
    ...(rowCount > shown.length ? [`rows 1-${grouped(shown.length)} of ${grouped(rowCount)}`] : []),
    ...(columnCount > shownColumns ? [`columns 1-${shownColumns} of ${grouped(columnCount)}`] : []),
  ].join(', ');
  const note =
    cut === '' ? [] : [`[${cut[0]?.toUpperCase()}${cut.slice(1)} are shown. Export the others to read them.]`];
  // A row without a word is left out; nothing here is called by the number of its row.
  const words = table(shown);
  return words === '' ? note : [...note, words];
}

function fitting(rows: Grid['rows'], room: number): string[][] {
  const shown: string[][] = [];
  let used = 0;
  for (const row of rows) {
    const cells = row.slice(0, shownColumns).map(squeeze);
    for (const cell of cells) used += cell.length + 3;
    if (used > room || shown.length >= shownRows) break;
    shown.push(cells);
  }
  return shown;
}
