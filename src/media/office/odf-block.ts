// Blocks of an OpenDocument file in, Markdown pieces in order out: headings, paragraphs, lists, tables, frames, and the words inside
// a paragraph with their links, notes, comments and breaks.
import { commentText, withChangedEnd } from '../document/changes.ts';
import type { Piece } from '../document/markdown.ts';
import {
  innerCellText,
  footnote,
  heading,
  joined,
  link,
  oneLine,
  pageSign,
  picture,
  table,
} from '../document/markdown.ts';
import { looks, styledText } from '../document/styled.ts';
import { mathmlFormula } from '../math/mathml.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, element, elements, innerText } from '../xml/tree.ts';
import { odfChart } from './odf-chart.ts';
import type { OdfChanges } from './odf-change.ts';
import type { OdfLists, OpenList } from './odf-list.ts';
import type { TextStyles } from './odf-style.ts';
import { resolved } from './package.ts';

export type OdfContext = {
  lists: OdfLists;
  styles: TextStyles;
  changes: OdfChanges;
  /** what is filled into a field of a form, by its name in the text */
  filled: (control: string) => string | undefined;
  part: (path: string) => XmlNode | undefined;
  picture: (path: string) => string;
  /** the same for a picture that stands in the file itself */
  embedded: (base64: string) => string;
  /** footnotes and endnotes, in the order in which the text names them */
  notes: Piece[];
  /** how many notes of each kind there are so far */
  noteCounts: Map<string, number>;
  /** at the head or the foot of pages */
  inMargin: boolean;
};

const skipped = new Set([
  'tracked-changes',
  'forms',
  'sequence-decls',
  'variable-decls',
  'user-field-decls',
  'event-listeners',
  'title',
  'desc',
  'glue-point',
  'enhanced-geometry',
  'notes',
  'thumbnail',
]);

/** Everything that stands under a node, in order. */
export function odfBlocks(node: XmlNode, context: OdfContext, pieces: Piece[] = []): Piece[] {
  for (const child of elements(node)) {
    if (skipped.has(child.name) || (child.name === 'section' && child.attributes['display'] === 'none')) continue;
    if (child.name === 'p' || child.name === 'h') paragraph(child, context, pieces);
    else if (child.name === 'list') list(child, undefined, context, pieces);
    else if (child.name === 'table') pieces.push({ text: odfTable(child, context) });
    else if (child.name === 'frame') for (const piece of framePieces(child, context)) pieces.push(piece);
    else odfBlocks(child, context, pieces);
  }
  return pieces;
}

/** `listed`: the number of a heading that stands in a list. */
function paragraph(node: XmlNode, context: OdfContext, pieces: Piece[], listed?: string): void {
  const style = node.attributes['style-name'] ?? '';
  const own = context.styles.paragraph(style);
  if ((own & looks.hidden) !== 0) return;
  const { text: words, frames } = odfText(node, context, own);
  const text = withChangedEnd(words, context.changes.look() === 0 ? undefined : 'inserted');
  const level = Number(node.attributes['outline-level'] ?? 1);
  if (text.trim() !== '') {
    const number = node.name === 'h' ? (listed ?? context.lists.heading(node)) : '';
    const isHeading = node.name === 'h' || context.styles.title(style);
    pieces.push({ text: isHeading ? heading(level, `${number === '' ? '' : `${number} `}${text}`) : text.trim() });
  }
  for (const frame of frames) odfBlocks({ name: '', attributes: {}, children: [frame] }, context, pieces);
}

/** What follows the first paragraph of an item stands under it; an item that only holds a list is none. */
function list(node: XmlNode, around: OpenList | undefined, context: OdfContext, pieces: Piece[]): void {
  const open = context.lists.begin(node, around);
  for (const item of elements(node)) {
    const first = elements(item)[0]?.name;
    const isItem = item.name === 'list-item' && first !== 'list';
    let mark = isItem ? context.lists.next(open, item, first === 'h') : '';
    for (const child of elements(item)) {
      if (child.name === 'list') {
        list(child, open, context, pieces);
        continue;
      }
      if (child.name === 'h') {
        paragraph(child, context, pieces, mark === '-' ? '' : mark);
        mark = '';
        continue;
      }
      for (const piece of odfBlocks({ name: '', attributes: {}, children: [child] }, context)) {
        pieces.push({ text: piece.text, item: { level: open.level, mark } });
        mark = '';
      }
    }
    // An item without words has its number all the same.
    if (mark !== '') pieces.push({ text: '', item: { level: open.level, mark } });
  }
  context.lists.end(node, open);
}

const maxRepeated = 64;

function odfTable(node: XmlNode, context: OdfContext): string {
  const rows = rowsOf(node).map((row) =>
    elements(row).flatMap((cell) => {
      if (cell.name !== 'table-cell' && cell.name !== 'covered-table-cell') return [];
      const text = innerCellText(odfBlocks(cell, context));
      const times = Math.min(Math.max(Number(cell.attributes['number-columns-repeated'] ?? 1) || 1, 1), maxRepeated);
      return Array.from({ length: times }, () => text);
    }),
  );
  return table(rows);
}

function rowsOf(node: XmlNode): XmlNode[] {
  return elements(node).flatMap((child) => {
    if (child.name === 'table-row') return [child];
    return child.name.startsWith('table-row') || child.name === 'table-header-rows' ? rowsOf(child) : [];
  });
}

/** A frame holds one thing, often in several forms; the first one with words or a name counts. */
function framePieces(frame: XmlNode, context: OdfContext): Piece[] {
  const box = element(frame, 'text-box');
  if (box !== undefined) return odfBlocks(box, context);
  const grid = element(frame, 'table');
  if (grid !== undefined) return [{ text: odfTable(grid, context) }];
  const object = objectText(element(frame, 'object'), context);
  if (object !== '') return [{ text: object }];
  const words = innerText(element(frame, 'desc') ?? element(frame, 'title'));
  const image = element(frame, 'image');
  const href = image?.attributes['href'];
  const inside = innerText(element(image, 'binary-data'));
  if (href === undefined) return inside === '' ? [] : [{ text: picture(words, context.embedded(inside)) }];
  return [{ text: picture(words, /^\w+:\/\//.test(href) ? href : context.picture(resolved('', href))) }];
}

/** Charts keep their numbers as a table; formulas keep their source. */
function objectText(object: XmlNode | undefined, context: OdfContext): string {
  const href = object?.attributes['href'];
  const inner = href === undefined ? object : context.part(`${resolved('', href)}/content.xml`);
  if (inner === undefined) return '';
  const chart = odfChart(inner);
  if (chart !== '') return chart;
  const formula = inner.name === 'math' ? inner : descendants(inner, 'math')[0];
  return formula === undefined ? '' : mathmlFormula(formula);
}

const skippedInLine = new Set(['tracked-changes', 'ruby-text', 'annotation-end', 'event-listeners', 'bookmark']);
const drawn = new Set(['custom-shape', 'g', 'rect', 'ellipse', 'line', 'connector', 'path', 'polygon', 'polyline']);
const maxSpaces = 100;

/** Pictures stand in the line; what else is framed is handed back, because it is a block of its own. */
function odfText(whole: XmlNode, context: OdfContext, own: number): { text: string; frames: XmlNode[] } {
  const frames: XmlNode[] = [];
  const out = styledText();
  const { changes } = context;
  // A heading is set apart already.
  const without = whole.name === 'h' ? looks.bold : 0;
  let look = own;
  // Programs write a link in pieces, one for each way in which its words are set: it ends where something else follows.
  let linked: { href: string; start: number } | undefined;
  const endLink = (): void => {
    const { href, start } = linked ?? { href: '', start: -1 };
    linked = undefined;
    if (start >= 0) out.wrap(start, (inner) => link(inner, href));
  };
  const write = (text: string): void => {
    endLink();
    out.write(text, (look & ~without) | changes.look());
  };
  const walk = (node: XmlNode): void => {
    for (const child of node.children) {
      if (typeof child === 'string') write(child.replaceAll(/\s+/g, ' '));
      else visit(child);
    }
  };
  const visit = (node: XmlNode): void => {
    const { name, attributes } = node;
    if (skippedInLine.has(name)) return;
    const words = fixedText(node) ?? notedText(node, context);
    if (words !== undefined) return write(words);
    if (drawn.has(name)) {
      frames.push(node);
      return;
    }
    switch (name) {
      case 'span': {
        const before = look;
        look |= context.styles.span(attributes['style-name'] ?? '');
        if ((look & looks.hidden) === 0) walk(node);
        look = before;
        return;
      }
      case 'a': {
        const href = attributes['href'] ?? '';
        if (linked?.href !== href) endLink();
        const start = linked?.start ?? out.mark();
        linked = undefined;
        walk(node);
        linked = { href, start };
        return;
      }
      case 'change-start':
      case 'change-end':
      case 'change':
        endLink();
        return out.write(changes.at(node), changes.deletedLook);
      case 'page-number': {
        const number = innerText(node);
        return write(context.inMargin || number === '0' ? pageSign : number);
      }
      case 'fieldmark':
        return write(markText(node));
      case 'control': {
        const filled = context.filled(attributes['control'] ?? '');
        return filled === undefined ? undefined : write(filled);
      }
      case 'frame': {
        const inLine = element(node, 'text-box') === undefined && element(node, 'table') === undefined;
        const shown = inLine ? joined(framePieces(node, context)) : '\n';
        if (shown.includes('\n')) frames.push(node);
        else write(shown);
        return;
      }
      default:
        walk(node);
    }
  };
  walk(whole);
  endLink();
  return { text: out.text(), frames };
}

/** What was chosen in a field of a form. */
function markText({ attributes, children }: XmlNode): string {
  const said = (name: string): string[] =>
    children.flatMap((one) =>
      typeof one !== 'string' && one.attributes['name'] === name ? [one.attributes['value'] ?? ''] : [],
    );
  const kind = attributes['type'] ?? '';
  if (kind.endsWith('FORMCHECKBOX')) return said('Checkbox_Checked')[0] === 'true' ? '[x]' : '[ ]';
  return kind.endsWith('FORMDROPDOWN')
    ? (said('Dropdown_ListEntry')[Number(said('Dropdown_Selected')[0] ?? 0)] ?? '')
    : '';
}

/** Words that an element stands for; nothing for one that holds words of its own. */
function fixedText({ name, attributes }: XmlNode): string | undefined {
  if (name === 's') return ' '.repeat(Math.min(Number(attributes['c'] ?? 1) || 1, maxSpaces));
  if (name === 'tab') return '\t';
  return name === 'line-break' ? '\n' : undefined;
}

/** The mark of a note, or a comment in its place. */
function notedText(node: XmlNode, context: OdfContext): string | undefined {
  if (node.name === 'note') {
    return noted(citationOf(node, context), element(node, 'note-body'), context);
  }
  if (node.name !== 'annotation') return undefined;
  const words = joined(odfBlocks(comment(node), context));
  return commentText(context.changes.told, innerText(element(node, 'creator')), words);
}

/** The mark of a note as a reader sees it; a program that never laid out the pages wrote zero for those it did not count. */
function citationOf(note: XmlNode, { noteCounts }: OdfContext): string {
  const kind = note.attributes['note-class'] ?? '';
  const citation = element(note, 'note-citation');
  const own = citation?.attributes['label'] === undefined;
  const count = (noteCounts.get(kind) ?? 0) + (own ? 1 : 0);
  noteCounts.set(kind, count);
  const shown = oneLine(innerText(citation));
  return own && shown === '0' ? `${kind === 'endnote' ? 'e' : ''}${count}` : shown;
}

/** A comment without the lines that say who wrote it and when. */
function comment(node: XmlNode): XmlNode {
  const about = new Set(['creator', 'date', 'creator-initials', 'date-string']);
  return { ...node, children: node.children.filter((child) => typeof child === 'string' || !about.has(child.name)) };
}

/** Leaves a mark in the line and the note at the end. */
function noted(citation: string, body: XmlNode | undefined, context: OdfContext): string {
  const taken = context.notes.some(({ text }) => text.startsWith(`[^${citation}]:`));
  const own = taken ? '' : citation.replaceAll(/\W/g, '');
  const mark = own === '' ? `n${context.notes.length + 1}` : own;
  const text = body === undefined ? '' : joined(odfBlocks(body, context));
  if (text === '') return '';
  context.notes.push({ text: footnote(mark, text), tight: true });
  return `[^${mark}]`;
}
