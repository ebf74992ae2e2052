// Blocks of a Word document in, Markdown pieces in document order out: headings, items of lists, paragraphs, tables.
import type { Piece } from '../document/markdown.ts';
import { heading, joined, oneLine, table } from '../document/markdown.ts';
import type { XmlNode } from '../xml/tree.ts';
import { element, elements } from '../xml/tree.ts';
import { inlineText } from './docx-inline.ts';
import type { Styles } from './docx-style.ts';
import type { Package } from './package.ts';

export type BlockContext = { pack: Package; path: string; styles: Styles };

const skipped = new Set(['del', 'moveFrom', 'sectPr', 'sdtPr', 'Fallback', 'tblPr', 'tblGrid']);

/** Everything that stands under a node, in order. */
export function blockPieces(node: XmlNode, context: BlockContext, pieces: Piece[] = []): Piece[] {
  for (const child of elements(node)) {
    if (child.name === 'p') paragraph(child, context, pieces);
    else if (child.name === 'tbl') for (const piece of tablePieces(child, context)) pieces.push(piece);
    else if (child.name === 'altChunk') pieces.push({ text: '[a part of another kind stands here and was not read]' });
    else if (!skipped.has(child.name)) blockPieces(child, context, pieces);
  }
  return pieces;
}

function paragraph(node: XmlNode, context: BlockContext, pieces: Piece[]): void {
  const { pack, path, styles } = context;
  const asides: (XmlNode | string)[] = [];
  const text = inlineText(node, { pack, path, aside: (content) => void asides.push(content) });
  const properties = element(node, 'pPr');
  const level = styles.headingLevel(properties);
  if (text.trim() !== '') {
    const item = styles.listMark(properties);
    if (level !== undefined) pieces.push({ text: heading(level, `${numbered(item?.mark)}${text}`) });
    else if (item === undefined) pieces.push({ text: text.trim() });
    else pieces.push({ text: itemText(item.level, item.mark, text), tight: true });
  }
  for (const aside of asides) {
    if (typeof aside === 'string') pieces.push({ text: aside });
    else blockPieces(aside, context, pieces);
  }
}

/** A bullet before a heading says nothing; a number does. */
function numbered(mark: string | undefined): string {
  return mark === undefined || mark === '-' || mark === '' ? '' : `${mark} `;
}

export function itemText(level: number, mark: string, text: string): string {
  const indent = '  '.repeat(level);
  const lines = text.trim().split('\n').join(`\n${indent}  `);
  return `${indent}${mark === '' ? '' : `${mark} `}${lines}`;
}

/** A table of one cell is a frame around what it holds. */
function tablePieces(node: XmlNode, context: BlockContext): Piece[] {
  const rows = rowsOf(node).map((row) => cellsOf(row, context));
  const [first] = rows;
  if (rows.length === 1 && first?.length === 1) return first[0] ?? [];
  return [{ text: table(rows.map((row) => row.map((cell) => cellText(cell)))) }];
}

/** Paragraphs of a cell under each other; a table inside it has lost its bars. */
function cellText(pieces: readonly Piece[]): string {
  return joined(pieces.map(({ text }) => ({ text: text.startsWith('| ') ? flattened(text) : text, tight: true })));
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

function rowsOf(node: XmlNode): XmlNode[] {
  return elements(node).flatMap((child) => {
    if (child.name === 'tr') return element(child, 'trPr', 'del') === undefined ? [child] : [];
    return skipped.has(child.name) ? [] : rowsOf(child);
  });
}

/** The cells of a row on the grid: a wide cell is followed by empty ones, one that goes on from above is empty. */
function cellsOf(row: XmlNode, context: BlockContext): Piece[][] {
  return elements(row).flatMap((child): Piece[][] => {
    if (child.name === 'sdt' || child.name === 'sdtContent' || child.name === 'customXml')
      return cellsOf(child, context);
    if (child.name !== 'tc') return [];
    const properties = element(child, 'tcPr');
    const merge = element(properties, 'vMerge');
    const goesOn = merge !== undefined && merge.attributes['val'] !== 'restart';
    const span = Number(element(properties, 'gridSpan')?.attributes['val'] ?? 1);
    const rest = Array.from({ length: Math.min(Math.max(span || 1, 1), 64) - 1 }, (): Piece[] => []);
    return [goesOn ? [] : blockPieces(child, context)].concat(rest);
  });
}
