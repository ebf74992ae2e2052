// A table element in, Markdown out: a real table as a table, one that only arranges a page as the blocks in its cells.
import { table } from '../document/markdown.ts';
import type { Element, Node } from './tree.ts';

const maxColumns = 200;

/** What stands in a cell, as blocks and as one paragraph. */
type Writers = { blocks: (nodes: readonly Node[]) => string[]; paragraph: (nodes: readonly Node[]) => string };

/** What a table says, as the kind of block it is meant as. */
export function tableBlocks(one: Element, { blocks, paragraph }: Writers): string[] {
  const rows = rowsOf(one);
  const before = captions(one).flatMap((caption) => blocks(caption.children));
  const single = rows.every((row) => cellsOf(row).length < 2);
  if (one.hasTable || single) {
    return [...before, ...rows.flatMap((row) => cellsOf(row).flatMap((cell) => blocks(cell.children)))];
  }
  return [...before, table(spread(rows, paragraph))].filter((block) => block !== '');
}

/** Cells at their places: one that spans several is followed by empty ones. */
function spread(rows: readonly Element[], paragraph: Writers['paragraph']): string[][] {
  let below = new Map<number, number>();
  return rows.map((row) => {
    const line: string[] = [];
    const next = new Map<number, number>();
    const skip = (): void => {
      for (let left = below.get(line.length); left !== undefined; left = below.get(line.length)) {
        if (left > 1) next.set(line.length, left - 1);
        line.push('');
      }
    };
    for (const cell of cellsOf(row)) {
      skip();
      if (line.length >= maxColumns) break;
      const columns = Math.min(span(cell, 'colspan'), maxColumns - line.length);
      const height = span(cell, 'rowspan');
      for (let at = 0; at < columns; at += 1) {
        if (height > 1) next.set(line.length, height - 1);
        line.push(at === 0 ? paragraph(cell.children).replaceAll(/\n+/g, '\n') : '');
      }
    }
    skip();
    below = next;
    return line;
  });
}

function span(cell: Element, name: string): number {
  const value = Number.parseInt(cell.attributes.get(name) ?? '1', 10);
  return value >= 1 ? Math.min(value, 1000) : 1;
}

function isElement(node: Node): node is Element {
  return typeof node !== 'string';
}

function captions(one: Element): Element[] {
  return one.children.filter(isElement).filter(({ name }) => name === 'caption');
}

function rowsOf(one: Element): Element[] {
  return one.children.filter(isElement).flatMap((child) => {
    if (child.name === 'tr') return [child];
    if (['thead', 'tbody', 'tfoot'].includes(child.name)) return rowsOf(child);
    // Cells or words without a row around them are a row of their own.
    return child.name === 'td' || child.name === 'th' ? [{ ...one, name: 'tr', children: [child] }] : [];
  });
}

function cellsOf(row: Element): Element[] {
  return row.children.filter(isElement).filter(({ name }) => name === 'td' || name === 'th');
}
