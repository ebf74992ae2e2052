// Delimited text (csv, tsv) in, a Markdown table out, its first row as header. Comma, semicolon, tab or bar, whichever
// divides the lines evenly; quotes may hold delimiters and line breaks. Refused: bytes that are no text.
import { refuse } from '../../content/refusal.ts';
import type { DocumentReader } from '../document/reader.ts';
import type { Limits } from '../limits.ts';
import { grouped } from '../limits.ts';
import { decodeLoosely, guessNote } from '../text/decode.ts';
import { finish } from '../web/markdown.ts';
import type { KeptRows } from './divide.ts';
import { divide } from './divide.ts';
import { gridBlocks } from './grid.ts';
import type { Window } from './range.ts';
import { bounded, windowOf } from './range.ts';

const sampleCharacters = 65_536;

export const readCsv: DocumentReader = async (bytes, options) => {
  const window = windowOf(options);
  if (!window.ok) return window;
  const decoded = bytes.length === 0 ? { text: '', encoding: 'utf-8' } : decodeLoosely(bytes, options);
  if (decoded === undefined) {
    return refuse('unsupported', `${options.name} is no text`, 'Save it as UTF-8 text, or give its encoding.');
  }
  const { body, delimiter } = dividedBy(decoded.text, options);
  const note = guessNote(decoded);
  const notes = note === '' ? [] : [note];
  const grid = divide(body, delimiter, { ...shownOf(window.value, options.limits) });
  if (grid.bottom === 0) return finish('', options, { notes: [...notes, '[There are no rows.]'] });
  const { rows, columns } = window.value;
  if ((rows?.from ?? 0) >= grid.bottom || (columns?.from ?? 0) >= grid.right) {
    const next = `It has ${grouped(grid.bottom)} rows and ${grouped(grid.right)} columns.`;
    return refuse('bad-range', `${options.name} has nothing there`, next);
  }
  const blocks = gridBlocks(grid, window.value, options.limits.documentCharacters, options.limits);
  return finish(blocks.join('\n\n'), options, { notes });
};

/** The whole of a delimited text as rows, for questions about it. */
export function allRows(text: string, name: string, limits: Limits): readonly (readonly string[])[] {
  const { body, delimiter } = dividedBy(text, { name, limits });
  const { header, rows } = divide(body, delimiter, { rows: { from: 0, to: Infinity }, columns: Infinity });
  return rows.length === 0 ? [header] : rows;
}

function dividedBy(
  text: string,
  { name, limits }: { name: string; limits: Limits },
): { body: string; delimiter: string } {
  const declared = /^sep=([,;\t|])\r?\n/.exec(text);
  const body = declared === null ? text : text.slice(declared[0].length);
  const isTabbed = /\.(?:tsv|tab)$/i.test(name);
  return { body, delimiter: declared?.[1] ?? (isTabbed ? '\t' : delimiterOf(body, limits)) };
}

function shownOf({ rows, columns }: Window, { sheetRows, sheetColumns }: Limits): KeptRows {
  return {
    rows: bounded(rows ?? { from: 0, to: Infinity }, sheetRows),
    columns: columns === undefined ? sheetColumns : Math.min(columns.to + 1, columns.from + sheetColumns),
  };
}

/** The delimiter that gives the most lines the same number of fields, and more than one. Commas that only stand inside of numbers
 * divide nothing where another one does. */
function delimiterOf(text: string, limits: Limits): string {
  const sample = text.slice(0, sampleCharacters);
  const hasDecimals = !/(?:^|\D),|,(?:\D|$)/m.test(sample);
  let best = { delimiter: ',', even: 0, fields: 1 };
  for (const delimiter of [',', ';', '\t', '|']) {
    const { rows } = divide(sample, delimiter, shownOf({}, limits));
    const counts = new Map<number, number>();
    // The last row of a sample may be cut off.
    for (const row of rows.slice(0, Math.max(1, rows.length - 1)))
      counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
    for (const [fields, even] of counts) {
      const isMore = fields > best.fields || (hasDecimals && best.delimiter === ',');
      const better = even > best.even || (even === best.even && isMore);
      if (fields > 1 && better) best = { delimiter, even, fields };
    }
  }
  return best.delimiter;
}
