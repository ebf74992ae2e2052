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
  if (!text.includes('\n') && !text.includes('|')) return text.trim();
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

/** Gives everything a name of its own: who comes later with one that is taken gets a number. */
export function ownNames(): (wanted: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (wanted) => {
    const [, stem = wanted, ending = ''] = /^(.+)(\.[^.]*)$/s.exec(wanted) ?? [];
    let [name, count] = [wanted, counts.get(wanted) ?? 1];
    for (; taken.has(name); name = `${stem}-${count}${ending}`) count += 1;
    taken.add(name);
    counts.set(wanted, count);
    return name;
  };
}

export function quote(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** A box of a form in a file that does not say whether it is ticked. */
export const unknownBox = '[?]';

/** What stands for the number of a page: at the head and the foot of pages, where each has its own, and where it was never counted. */
export const pageSign = '#';

/** Whether words at the head or foot of pages say more than a number. */
export function saysMore(text: string): boolean {
  return /[^\s\d#]/.test(text);
}

/** Whether the code of a field asks for the number of the page. */
export function isPageField(code: string): boolean {
  return /^\s*PAGE\b/i.test(code);
}

/** A note under its mark; what follows its first line stands four columns in, or it would be no part of it. */
export function footnote(mark: string, text: string): string {
  return `[^${mark}]: ${text.trim().replaceAll(/\n(?=[^\n])/g, '\n    ')}`;
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Pieces under each other; `tight` ones follow one another without a blank line. An item of a list stands as deep as its
 * level says, and what goes on under an item has no mark. */
export type Piece = { text: string; tight?: boolean; item?: { level: number; mark: string } };

type Open = { level: number; column: number };

export function joined(pieces: readonly Piece[]): string {
  const lines: string[] = [];
  const open: Open[] = [];
  let before: Piece | undefined;
  for (const piece of pieces) {
    if (piece.text.trim() === '') continue;
    if (before !== undefined) lines.push(isTight(before, piece) ? '\n' : '\n\n');
    if (piece.item === undefined) open.length = 0;
    lines.push(piece.item === undefined ? piece.text.trimEnd() : itemText(piece.text, piece.item, open));
    before = piece;
  }
  return lines.join('');
}

function isTight(before: Piece, piece: Piece): boolean {
  if (piece.item !== undefined) return before.item !== undefined && piece.item.mark !== '';
  return before.tight === true && piece.tight === true;
}

/** As CommonMark nests lists: an item begins below the words of the one it belongs to. */
function itemText(text: string, { level, mark }: { level: number; mark: string }, open: Open[]): string {
  const goesOn = mark === '';
  while (open.length > 0 && (open.at(-1)?.level ?? 0) >= (goesOn ? level + 1 : level)) open.pop();
  const column = open.at(-1)?.column ?? 0;
  const indent = ' '.repeat(column);
  if (goesOn) return indent + text.trim().split('\n').join(`\n${indent}`);
  // Only bullets and numbers begin an item; any other sign, such as (a) or 1.2, is the first of its words.
  const isMark = mark === '-' || /^\d{1,9}[.)]$/.test(mark);
  const marker = isMark ? mark : '-';
  open.push({ level, column: column + marker.length + 1 });
  const below = ' '.repeat(column + marker.length + 1);
  const words = isMark ? text.trim() : `${mark} ${text.trim()}`;
  return `${indent}${marker} ${words.replaceAll(/\n(?=[^\n])/g, `\n${below}`)}`;
}

/** Paragraphs of a cell under each other; a table inside it has lost its bars. */
export function innerCellText(pieces: readonly Piece[]): string {
  // A number alone is all that a cell shows in a column that counts its rows.
  if (pieces.every(({ text }) => text === ''))
    return pieces.flatMap(({ item }) => (/[\p{L}\p{N}]/u.test(item?.mark ?? '') ? [item?.mark] : [])).join('\n');
  return joined(pieces.map((piece) => (piece.text.startsWith('| ') ? { text: flattened(piece.text) } : piece)));
}

function flattened(markdown: string): string {
  const rows = markdown.split('\n').filter((line) => !/^\|( --- \|)+$/.test(line));
  return rows
    .map((row) =>
      oneLine(
        row
          .slice(1, -1)
          .replaceAll(/(?<!\\)\|/g, ' / ')
          .replaceAll('\\|', '|'),
      ),
    )
    .join('\n');
}
