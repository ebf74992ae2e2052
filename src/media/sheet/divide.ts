// Delimited text in, its rows out: as many as are shown, and how many there are. One pass. A quote that is never closed
// is an ordinary character, so it cannot swallow the rest of a file.
import type { Limits } from '../limits.ts';
import type { Grid } from './grid.ts';

/** Each of them costs a look through the rest of the text. */
const maxUnclosed = 16;

export function divide(text: string, delimiter: string, { sheetRows, sheetColumns }: Limits): Grid {
  const rows: string[][] = [];
  let row: string[] = [];
  let [rowCount, columnCount, fields] = [0, 0, 0];
  let unclosed = 0;
  const field = (value: string): void => {
    fields += 1;
    if (rowCount < sheetRows && fields <= sheetColumns) row.push(value);
  };
  const endRow = (): void => {
    if (fields > 1 || row[0] !== '') {
      if (rowCount < sheetRows) rows.push(row);
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
  return { rows, rowCount, columnCount };
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
