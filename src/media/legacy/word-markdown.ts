// Paragraphs of an old Word file in, Markdown out: headings, tables, the results of fields without their codes.
import { heading as titled, table } from '../document/markdown.ts';
import { squeeze } from '../web/markdown.ts';
import type { Paragraph } from './word-file.ts';

/** One story as blocks of Markdown. */
export function storyBlocks(paragraphs: readonly Paragraph[]): string[] {
  const blocks: string[] = [];
  let rows: string[][] = [];
  let row: string[] = [];
  let cell: string[] = [];
  const shown = fieldFilter();
  const endTable = (): void => {
    if (row.length > 0) rows.push(row);
    const words = table(rows);
    if (words !== '') blocks.push(words);
    for (const text of cell) if (text !== '') blocks.push(text); // of a cell that never ended
    [rows, row, cell] = [[], [], []];
  };
  for (const { text, end, heading } of held(paragraphs)) {
    const line = squeeze(shown(text)).trim();
    if (end === 'cell') {
      row.push([...cell, line].filter((one) => one !== '').join('\n'));
      cell = [];
    } else if (end === 'row') {
      rows.push(row);
      row = [];
    } else if (end === 'in-cell') {
      cell.push(line);
    } else {
      endTable();
      if (line !== '') blocks.push(heading > 0 ? titled(heading, line) : line);
    }
  }
  endTable();
  return blocks;
}

type Held = Omit<Paragraph, 'end'> & { end: Paragraph['end'] | 'in-cell' };

/** Paragraphs that stand in a table, or in a row that has begun, belong to the next cell. */
function held(paragraphs: readonly Paragraph[]): Held[] {
  let inRow = false;
  return paragraphs.map((one) => {
    const inside = one.end === 'paragraph' && (inRow || one.inTable);
    if (one.end === 'cell') inRow = true;
    else if (one.end !== 'paragraph') inRow = false;
    return inside ? { ...one, end: 'in-cell' } : one;
  });
}

const replaced = new Map([
  ['\u000b', '\n'],
  ['\u000a', '\n'],
  ['\u0009', '\t'],
  ['\u001e', '-'],
  ['\u00a0', ' '],
]);

/** Shows what a field gives and not how; fields may lie in each other and reach over paragraphs. */
function fieldFilter(): (text: string) => string {
  const open: boolean[] = []; // whether each open field still shows its code
  return (text) => {
    const out: string[] = [];
    // oxlint-disable-next-line no-control-regex -- Word marks its fields with control characters
    for (const part of text.split(/([\u0000-\u001f\u00a0])/)) {
      if (part === '\u0013') open.push(true);
      else if (part === '\u0014') open.splice(-1, 1, false);
      else if (part === '\u0015') open.pop();
      else if (!open.includes(true)) out.push(part.length === 1 && part <= '\u00a0' ? control(part) : part);
    }
    if (open.length > 100) open.length = 0; // nothing sound goes that deep
    return out.join('');
  };
}

function control(character: string): string {
  return replaced.get(character) ?? (character < ' ' ? '' : character);
}
