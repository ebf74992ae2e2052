// Words and rows in, Markdown out. Pure. What every reader of documents writes, so that all of them write it alike.
import { safeName } from '../../content/text.ts';

/** A heading of any level; Markdown knows six. */
export function heading(level: number, text: string): string {
  return `${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${oneLine(text)}`;
}

/** A table whose first row is its head. Rows may differ in length; empty rows and columns at the end are left out. */
export function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(cell)).filter((row) => row.some((text) => text !== ''));
  const width = cells.reduce((most, row) => Math.max(most, row.findLastIndex((text) => text !== '') + 1), 0);
  if (width === 0) return '';
  const lines = cells.map((row) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? '').join(' | ')} |`);
  lines.splice(1, 0, `|${' --- |'.repeat(width)}`);
  return lines.join('\n');
}

/** The text of a cell: one line, and no bar that would end it. */
function cell(text: string): string {
  const lines = text.replaceAll('|', '\\|').split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('<br>');
}

export function link(text: string, url: string): string {
  const words = oneLine(text);
  const target = url
    .trim()
    .replaceAll(/[\s<>()]/g, encodeURIComponent)
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
  if (words === '' || target === '' || words === url.trim()) return words === '' ? '' : text;
  return `[${words}](${target})`;
}

/** A picture where it stands; `name` is how it is called among the pictures of the document. */
export function picture(words: string, name: string): string {
  return `![${oneLine(words).replaceAll(/[[\]]/g, "'")}](${name.replaceAll(/[\s()]/g, '_')})`;
}

/** The name of a picture by the way to it inside an archive. */
export function pictureName(path: string): string {
  return safeName(path).replaceAll(/[\s()]/g, '_');
}

export function quote(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Pieces under each other; `tight` ones, such as items of a list, follow one another without a blank line. */
export type Piece = { text: string; tight?: boolean };

export function joined(pieces: readonly Piece[]): string {
  let text = '';
  let before: Piece | undefined;
  for (const piece of pieces) {
    if (piece.text.trim() === '') continue;
    if (before !== undefined) text += before.tight === true && piece.tight === true ? '\n' : '\n\n';
    text += piece.text.trimEnd();
    before = piece;
  }
  return text;
}
