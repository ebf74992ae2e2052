// The inside of an OpenDocument paragraph in, its words out: links, notes, comments, breaks. Pictures stand in the
// line; what else is framed is handed back, because it is a block of its own.
import { joined, link, oneLine } from '../document/markdown.ts';
import type { XmlNode } from '../xml/tree.ts';
import { element, innerText } from '../xml/tree.ts';
import type { OdfContext } from './odf-block.ts';
import { framePieces, odfBlocks } from './odf-block.ts';

const skipped = new Set(['tracked-changes', 'ruby-text', 'annotation-end', 'event-listeners', 'bookmark']);
const drawn = new Set(['custom-shape', 'g', 'rect', 'ellipse', 'line', 'connector', 'path', 'polygon', 'polyline']);
const maxSpaces = 100;

export function odfText(paragraph: XmlNode, context: OdfContext): { text: string; frames: XmlNode[] } {
  const frames: XmlNode[] = [];
  const visit = (node: XmlNode): string => {
    const { name, attributes } = node;
    if (skipped.has(name)) return '';
    if (drawn.has(name)) {
      frames.push(node);
      return '';
    }
    switch (name) {
      case 's':
        return ' '.repeat(Math.min(Number(attributes['c'] ?? 1) || 1, maxSpaces));
      case 'tab':
        return '\t';
      case 'line-break':
        return '\n';
      case 'a':
        return link(walk(node), attributes['href'] ?? '');
      case 'note':
        return noted(oneLine(innerText(element(node, 'note-citation'))), '', element(node, 'note-body'), context);
      case 'annotation': {
        const by = oneLine(innerText(element(node, 'creator')));
        return noted(undefined, `Comment${by === '' ? '' : ` by ${by}`}: `, comment(node), context);
      }
      case 'frame': {
        if (element(node, 'text-box') === undefined && element(node, 'table') === undefined) {
          const pieces = framePieces(node, context);
          if (!joined(pieces).includes('\n')) return joined(pieces);
        }
        frames.push(node);
        return '';
      }
      default:
        return walk(node);
    }
  };
  const walk = (node: XmlNode): string =>
    node.children.map((child) => (typeof child === 'string' ? child.replaceAll(/\s+/g, ' ') : visit(child))).join('');
  return { text: walk(paragraph), frames };
}

/** A comment without the lines that say who wrote it and when. */
function comment(node: XmlNode): XmlNode {
  const about = new Set(['creator', 'date', 'creator-initials', 'date-string']);
  return { ...node, children: node.children.filter((child) => typeof child === 'string' || !about.has(child.name)) };
}

/** Leaves a mark in the line and the note at the end. */
function noted(citation: string | undefined, lead: string, body: XmlNode | undefined, context: OdfContext): string {
  const taken = context.notes.some(({ text }) => text.startsWith(`[^${citation}]:`));
  const mark =
    citation === undefined || citation === '' || taken
      ? `n${context.notes.length + 1}`
      : citation.replaceAll(/\W/g, '') || `n${context.notes.length + 1}`;
  const text =
    body === undefined ? '' : joined(odfBlocks(body, context).map((piece) => ({ text: piece.text, tight: true })));
  if (text === '') return '';
  context.notes.push({ text: `[^${mark}]: ${lead}${text.replaceAll('\n', '\n  ')}`, tight: true });
  return `[^${mark}]`;
}
