// Delimited text (csv, tsv) in, a Markdown table out, its first row as header. Comma, semicolon, tab or bar, whichever
// divides the lines evenly; quotes may hold delimiters and line breaks. Refused: bytes that are no text.
import { refuse } from '../../content/refusal.ts';
import type { DocumentReader } from '../document/reader.ts';
import type { Limits } from '../limits.ts';
import { decodeText } from '../text/decode.ts';
import { finish } from '../web/markdown.ts';
import { divide } from './divide.ts';
import { gridBlocks } from './grid.ts';

const sampleCharacters = 65_536;
// oxlint-disable-next-line no-control-regex -- control characters are what tells bytes from words
const binary = /[\u0000-\u0008\u000e-\u001a]/;

export const readCsv: DocumentReader = async (bytes, options) => {
  const text = decodeText(bytes);
  const words = text ?? new TextDecoder('windows-1252').decode(bytes);
  if (text === undefined && binary.test(words)) {
    return refuse('unsupported', `${options.name} is no text`, 'Save it as UTF-8 text and read it again.');
  }
  const notes = text === undefined ? ['[Read as Windows-1252, because it is no valid UTF-8.]'] : [];
  const declared = /^sep=([,;\t|])\r?\n/.exec(words);
  const body = declared === null ? words : words.slice(declared[0].length);
  const delimiter = declared?.[1] ?? (/\.(?:tsv|tab)$/i.test(options.name) ? '\t' : delimiterOf(body, options.limits));
  const grid = divide(body, delimiter, options.limits);
  if (grid.rowCount === 0) return finish('', options, { notes: [...notes, '[There are no rows.]'] });
  return finish(gridBlocks(grid, options.limits.documentCharacters, options.limits).join('\n\n'), options, { notes });
};

/** The delimiter that gives the most lines the same number of fields, and more than one. */
function delimiterOf(text: string, limits: Limits): string {
  const sample = text.slice(0, sampleCharacters);
  let best = { delimiter: ',', even: 0, fields: 1 };
  for (const delimiter of [',', ';', '\t', '|']) {
    const { rows } = divide(sample, delimiter, limits);
    const counts = new Map<number, number>();
    // The last row of a sample may be cut off.
    for (const row of rows.slice(0, Math.max(1, rows.length - 1)))
      counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
    for (const [fields, even] of counts) {
      const better = even > best.even || (even === best.even && fields > best.fields);
      if (fields > 1 && better) best = { delimiter, even, fields };
    }
  }
  return best.delimiter;
}
