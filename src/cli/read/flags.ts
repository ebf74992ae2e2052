// What reading says in the words of its options → the same in the flags of the command line.
import { parsePages } from '../../media/pdf/pages.ts';
import { InvalidArgumentError } from '../parser.ts';

export type LineRange = { offset: number; limit?: number };

/** `200`, `200-400` or `200-`. */
export function lineRange(value: string): LineRange {
  const [, first, dash, last] = /^\s*(\d+)\s*(?:(-|–)\s*(\d+)?)?\s*$/.exec(value) ?? [];
  const [offset, end] = [Number(first), Number(last ?? first)];
  if (first === undefined || offset < 1 || end < offset)
    throw new InvalidArgumentError('Write it like 200-400, 200- or 200, counted from 1.');
  return dash !== undefined && last === undefined ? { offset } : { offset, limit: end - offset + 1 };
}

/** Pages as people say them, checked before any file is opened. */
export function pageRange(value: string): string {
  if (!parsePages(value).ok) throw new InvalidArgumentError('Write it like 21-40 or 7, counted from 1.');
  return value;
}

/** The notes that stand before a reading, and those at the end of lines that are too long. */
export function notesInFlags(output: string): string {
  return output
    .replace(/^(?:\[.*\]\n*)+/, (notes) =>
      notes
        .replace(/Use offset=(\d+) to continue\./, '--lines $1- shows more.')
        .replace(/Use offset=(\d+) character=(\d+) to continue\./, '--lines $1 --character $2 shows more.')
        .replaceAll(
          /Use page_start=(\d+) to (?:continue|read on from there)\./g,
          (_, page: string) => `--pages ${Number(page) + 1}- shows more.`,
        )
        .replace('Give encoding to read it as another.', '--encoding reads it as another.')
        .replace('clean=true shows', '--clean shows'),
    )
    .replaceAll(/^(\[.* are shown\. )(rows|columns)="([^"]+)" shows/gm, '$1--$2 $3 shows')
    .replaceAll(/^(\[\d+ values? comes? from (?:a formula|formulas); )formulas=true/gm, '$1--formulas')
    .replaceAll(/(!\[[^\]\n]*\]\([^)\s]+\) \[)part="([^"\n]+)" shows it\]/g, '$1--part $2 shows it]')
    .replaceAll(/^(- .* bytes; )part="([^"\n]+)" reads it\)$/gm, '$1--part "$2" reads it)')
    .replaceAll(/(\[[\d,]+ more characters); offset=(\d+) limit=1 shows more\]$/gm, '$1; --lines $2 shows more]');
}

/** What to do about a refusal. */
export function nextInFlags(next: string): string {
  return next
    .replace('`password`', '--password')
    .replace(/^Give part to read/, 'Give --part to read')
    .replace('with offset and limit', 'with --lines')
    .replace(/^Use a character from 1 to (\d+)\.$/, 'Give --character from 1 to $1.')
    .replace(/^Use an offset from 1 to (\d+) and a limit of at least 1\.$/, 'There are lines 1 to $1.');
}

export function whatInFlags(what: string): string {
  return what.replace(/^There are no lines at offset (\d+).*$/, 'There is no line $1');
}
