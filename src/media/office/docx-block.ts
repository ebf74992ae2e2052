// Blocks of a Word document in, Markdown pieces in document order out: headings, items of lists, paragraphs, tables.
import type { Changes } from '../document/changes.ts';
import { change, withChangedEnd } from '../document/changes.ts';
import type { Piece } from '../document/markdown.ts';
import { innerCellText, heading, table } from '../document/markdown.ts';
import { looks } from '../document/styled.ts';
import type { XmlNode } from '../xml/tree.ts';
import { element, elements } from '../xml/tree.ts';
import { inlineText } from './docx-inline.ts';
import { isOn } from './docx-style.ts';
import type { Styles } from './docx-style.ts';
import type { Package } from './package.ts';

export type BlockContext = {
  pack: Package;
  path: string;
  styles: Styles;
  changes: Changes;
  comment: (id: string) => string;
  note: (prefix: '' | 'e', id: string) => string;
  /** how everything is set besides its own settings: a row of a table may be inserted or deleted as a whole */
  look: number;
  /** at the head or the foot of pages */
  inMargin: boolean;
};

const skipped = new Set(['del', 'moveFrom', 'sectPr', 'sdtPr', 'Fallback', 'tblPr', 'tblGrid']);

/** Everything that stands under a node, in order. */
export function blockPieces(node: XmlNode, context: BlockContext, pieces: Piece[] = []): Piece[] {
  let carried: XmlNode['children'] = [];
  for (const child of elements(node)) {
    if (child.name === 'p') {
      const whole = carried.length === 0 ? child : { ...child, children: [...carried, ...child.children] };
      // Once the end of a paragraph is deleted, its words stand in the next.
      const joins = context.changes.clean && endChange(child)?.kind === 'deleted';
      carried = joins ? whole.children.filter((one) => typeof one === 'string' || one.name !== 'pPr') : [];
      if (!joins) paragraph(whole, context, pieces);
    } else if (child.name === 'tbl') for (const piece of tablePieces(child, context)) pieces.push(piece);
    else if (child.name === 'altChunk') pieces.push({ text: '[a part of another kind stands here and was not read]' });
    else if (!skipped.has(child.name)) blockPieces(child, context, pieces);
  }
  if (carried.length > 0) paragraph({ name: 'p', attributes: {}, children: carried }, context, pieces);
  return pieces;
}

/** What was done to the end of a paragraph, and by whom. */
function endChange(node: XmlNode): { kind: 'inserted' | 'deleted'; author: string | undefined } | undefined {
  const about = element(node, 'pPr', 'rPr');
  const deleted = element(about, 'del') ?? element(about, 'moveFrom');
  const changed = deleted ?? element(about, 'ins') ?? element(about, 'moveTo');
  return changed && { kind: deleted === undefined ? 'inserted' : 'deleted', author: changed.attributes['author'] };
}

function withEnd(text: string, node: XmlNode, { changes }: BlockContext): string {
  const end = changes.clean ? undefined : endChange(node);
  const marked = withChangedEnd(text, end?.kind);
  if (end !== undefined && marked !== text) change(changes, end.kind, end.author);
  return marked;
}

function paragraph(node: XmlNode, context: BlockContext, pieces: Piece[]): void {
  const asides: (XmlNode | string)[] = [];
  const properties = element(node, 'pPr');
  const level = context.styles.headingLevel(properties);
  const aside = (content: XmlNode | string): void => void asides.push(content);
  const words = inlineText(node, { ...context, aside, ...(level !== undefined && { without: looks.bold }) });
  const text = withEnd(words, node, context);
  // Also what has no words has its number; the end of a section, or one that is hidden, has none.
  const isBare = element(properties, 'sectPr') === undefined && !isOn(element(properties, 'rPr', 'vanish'));
  const isCounted = text.trim() !== '' || isBare;
  const item = isCounted ? context.styles.listMark(properties) : undefined;
  if (text.trim() !== '') {
    if (level !== undefined) pieces.push({ text: heading(level, `${numbered(item?.mark)}${text}`) });
    else pieces.push(item === undefined ? { text: text.trim() } : { text, item });
  } else if (item !== undefined) pieces.push({ text: '', item });
  for (const one of asides) {
    if (typeof one === 'string') pieces.push({ text: one });
    else blockPieces(one, context, pieces);
  }
}

/** A bullet before a heading says nothing; a number does. */
function numbered(mark: string | undefined): string {
  return mark === undefined || mark === '-' || mark === '' ? '' : `${mark} `;
}

/** A table of one cell is a frame around what it holds. */
function tablePieces(node: XmlNode, context: BlockContext): Piece[] {
  const rows = rowsOf(node).flatMap((row) => {
    const cells = changedRow(row, context);
    return cells === undefined ? [] : [{ cells, before: gridCount(element(row, 'trPr', 'gridBefore'), 0) }];
  });
  const [first] = rows;
  if (rows.length === 1 && first?.cells.length === 1) return first.cells[0] ?? [];
  // Rows that begin further right have nothing in the columns before.
  const least = rows.reduce((most, { before }) => Math.min(most, before), mostColumns);
  const lines = rows.map(({ cells, before }) => [
    ...Array.from({ length: before - least }, () => ''),
    ...cells.map((cell) => innerCellText(cell)),
  ]);
  return [{ text: table(lines) }];
}

/** A row with what was done to it as a whole. */
function changedRow(row: XmlNode, context: BlockContext): Piece[][] | undefined {
  const inserted = element(row, 'trPr', 'ins');
  const deleted = element(row, 'trPr', 'del');
  const by = (deleted ?? inserted)?.attributes['author'];
  const isChanged = deleted !== undefined || inserted !== undefined;
  const look = isChanged ? change(context.changes, deleted === undefined ? 'inserted' : 'deleted', by) : 0;
  return look === undefined ? undefined : cellsOf(row, { ...context, look: context.look | look });
}

function rowsOf(node: XmlNode): XmlNode[] {
  return elements(node).flatMap((child) => {
    if (child.name === 'tr') return [child];
    return skipped.has(child.name) ? [] : rowsOf(child);
  });
}

const mostColumns = 64;

function gridCount(node: XmlNode | undefined, otherwise: number): number {
  return Math.min(Math.max(Number(node?.attributes['val']) || otherwise, 0), mostColumns);
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
    const span = Math.max(gridCount(element(properties, 'gridSpan'), 1), 1);
    const rest = Array.from({ length: span - 1 }, (): Piece[] => []);
    return [goesOn ? [] : blockPieces(child, context)].concat(rest);
  });
}
