// Delimited text in, its rows out: as many as are shown, and how many there are. One pass. A quote that is never closed
// is an ordinary character, so it cannot swallow the rest of a file.
import type { Grid } from './grid.ts';
import type { Stretch } from './range.ts';

/** Which rows are kept besides the first, and how many fields of each. */
export type KeptRows = { rows: Stretch; columns: number };

/** Each of them costs a look through the rest of the text. */
const maxUnclosed = 16;

export function divide(text: string, delimiter: string, shown: KeptRows): Grid & { header: readonly string[] } {
  let header: string[] = [];
  const rows: string[][] = [];
  let row: string[] = [];
  let [rowCount, columnCount, fields] = [0, 0, 0];
  let [unclosed, last] = [0, ''];
  const isShown = (): boolean => rowCount === 0 || (rowCount >= shown.rows.from && rowCount <= shown.rows.to);
  const field = (value: string): void => {
    fields += 1;
    last = value;
    if (isShown() && fields <= shown.columns) row.push(value);
  };
  const endRow = (): void => {
    if (fields > 1 || last !== '') {
      if (rowCount === 0) header = row;
      if (rowCount >= shown.rows.from && rowCount <= shown.rows.to) rows.push(row);
      rowCount += 1;
      columnCount = Math.max(columnCount, fields);
    }
    [row, fields] = [[], 0];
  };
  let at = 0;
  while (at < text.length) {
    const opens = text[at] === '"' && unclosed < maxUnclosed;
    const quoted = opens ? quotedField(text, at) : undefined;
    if (opens && quoted === undefined) unclosed += 1;
    const end = fieldEnd(text, quoted?.end ?? at, delimiter);
    field(quoted === undefined ? text.slice(at, end) : quoted.value + text.slice(quoted.end, end));
    at = end + 1;
    if (text[end] === delimiter) {
      if (at >= text.length) field('');
      continue;
    }
    if (text[end] === '\r' && text[at] === '\n') at += 1;
    endRow();
  }
  if (fields > 0) endRow();
  return { header, rows, at: shown.rows.from, top: 0, left: 0, bottom: rowCount, right: columnCount };
}

function fieldEnd(text: string, from: number, delimiter: string): number {
  let at = from;
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at += 1;
  return at;
}

/** What stands between quotes, doubled ones made single; nothing when the quote is never closed. */
function quotedField(text: string, from: number): { value: string; end: number } | undefined {
  const parts: string[] = [];
  let start = from + 1;
  for (;;) {
    const close = text.indexOf('"', start);
    if (close < 0) return undefined;
    parts.push(text.slice(start, close));
    if (text[close + 1] !== '"') return { value: parts.join('"'), end: close + 1 };
    start = close + 2;
  }
}
