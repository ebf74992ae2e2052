// Rows of cells in, a Markdown table out, with what is not shown said first.
import type { Limits } from '../limits.ts';
import { grouped } from '../limits.ts';
import { table } from '../document/markdown.ts';
import { squeeze } from '../web/markdown.ts';

/** `rows` holds what may be shown; the counts are of the whole. */
export type Grid = { rows: readonly (readonly string[])[]; rowCount: number; columnCount: number };

/** The note, when there is one, and the table; rows end where `room`, in characters, does. */
export function gridBlocks({ rows, rowCount, columnCount }: Grid, room: number, limits: Limits): string[] {
  const shown = fitting(rows, room, limits);
  const cut = [
    ...(rowCount > shown.length ? [`rows 1-${grouped(shown.length)} of ${grouped(rowCount)}`] : []),
    ...(columnCount > limits.sheetColumns ? [`columns 1-${limits.sheetColumns} of ${grouped(columnCount)}`] : []),
  ].join(', ');
  const note =
    cut === '' ? [] : [`[${cut[0]?.toUpperCase()}${cut.slice(1)} are shown. Export the others to read them.]`];
  // A row without a word is left out; nothing here is called by the number of its row.
  const words = table(shown);
  return words === '' ? note : [...note, words];
}

function fitting(rows: Grid['rows'], room: number, { sheetRows, sheetColumns }: Limits): string[][] {
  const shown: string[][] = [];
  let used = 0;
  for (const row of rows) {
    const cells = row.slice(0, sheetColumns).map(squeeze);
    for (const cell of cells) used += cell.length + 3;
    if (used > room || shown.length >= sheetRows) break;
    shown.push(cells);
  }
  return shown;
}
