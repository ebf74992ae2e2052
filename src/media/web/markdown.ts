// The few things readers need to write Markdown besides headings and tables: fences, a clean end. Pure and linear.
import type { Read } from '../../content/refusal.ts';
import type { Extract, InnerPicture, ReaderOptions } from '../document/reader.ts';

type Rest = { pictures?: InnerPicture[]; parts?: { count: number; unit: string }; notes?: string[] };

/** The end of a reading: no control characters, no heaps of empty lines, and before it what has to be told about it. */
export function finish(
  markdown: string,
  { pictures: wanted }: ReaderOptions,
  { pictures = [], parts, notes = [] }: Rest = {},
): Read<Extract> {
  const body = tidy(markdown);
  const value: Extract = {
    markdown: notes.length === 0 ? body : `${notes.join('\n')}\n\n${body}`,
    pictures: wanted ? pictures : [],
  };
  return { ok: true, value: parts === undefined ? value : { ...value, parts } };
}

/** Text from outside as it may stand in Markdown: well-formed, no control characters, at most one empty line in a row. */
function tidy(text: string): string {
  return (
    text
      .replaceAll(/\r\n?/g, '\n')
      // oxlint-disable-next-line no-control-regex -- control characters are what has to go
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/g, '')
      .replaceAll(/\n{3,}/g, '\n\n')
      .toWellFormed()
      .trim()
  );
}

/** Runs of blanks made one. What goes into a table is squeezed first, so that no cell is slow to look through. */
export function squeeze(text: string): string {
  return text.replaceAll(/[^\S\n]{2,}/g, ' ');
}

/** Code between fences that are longer than any row of backticks inside. */
export function fence(code: string, language = ''): string {
  let longest = 2;
  for (const [run] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const ticks = '`'.repeat(longest + 1);
  const name = /^[\w+#.-]{1,40}$/.test(language) ? language : '';
  return `${ticks}${name}\n${code.replace(/\n$/, '')}\n${ticks}`;
}
