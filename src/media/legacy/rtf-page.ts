// Words, cells and paragraph ends in, blocks of Markdown out. One for the text of a Rich Text document and one for each
// of its notes.
import { withChangedEnd } from '../document/changes.ts';
import type { Piece } from '../document/markdown.ts';
import { heading, joined, link, table } from '../document/markdown.ts';
import { styledText } from '../document/styled.ts';
import { squeeze } from '../web/markdown.ts';

/** What is known of a paragraph when it ends. One that stands in a table belongs to the next cell. */
export type ParagraphEnd = {
  heading?: number | undefined;
  inTable?: boolean;
  item?: Piece['item'];
  indent?: number;
  /** what was done to the end itself */
  changed?: 'inserted' | 'deleted' | undefined;
};

export type Page = {
  words(text: string, look?: number): void;
  endParagraph(end?: ParagraphEnd): void;
  /** a cell, with the mark of the item that its last paragraph is */
  endCell(item?: Piece['item']): void;
  /** cells and rows of a table that stands in a cell: a line for each row */
  endInnerCell(): void;
  endInnerRow(): void;
  /** `edges`: where each of its cells ends on the right, where that is known */
  endRow(edges?: readonly number[]): void;
  /** a place in the paragraph, and a link over everything since then */
  mark(): number;
  linkFrom(mark: number, url: string): void;
  pieces(): Piece[];
};

/** A sign, a tab and words: how a list is written by programs that know none. */
const written = /^(?<sign>[•–—·▪◦○§]|\d{1,3}[.)]|\(?[a-zA-Z]{1,4}[.)]) ?\t\s*(?<rest>\S[^]*)$/;

export function newPage(): Page {
  const pieces: Piece[] = [];
  let line = styledText();
  let cell: Piece[] = [];
  let row: string[] = [];
  let innerRow: string[] = [];
  let rows: TableRow[] = [];
  const take = (): string => {
    const text = squeeze(line.text()).trim();
    line = styledText();
    return text;
  };
  const endTable = (): void => {
    const words = table(inColumns(rows));
    if (words !== '') pieces.push({ text: words });
    for (const piece of cell) pieces.push(piece); // of a cell that never ended
    [rows, cell] = [[], []];
  };
  const page: Page = {
    words: (text, look = 0) => line.write(text, look),
    endParagraph({ heading: level, inTable = false, item, indent = 0, changed } = {}) {
      const tabbed = line.text().trim();
      const text = withChangedEnd(take(), changed);
      if (text === '') return;
      const piece = item === undefined ? writtenItem(tabbed, text, indent) : { text, item };
      if (inTable || row.length > 0) {
        cell.push(piece);
        return;
      }
      endTable();
      // A bullet before a heading says nothing; a number does.
      const number = /[\p{L}\p{N}]/u.test(item?.mark ?? '') ? `${item?.mark} ` : '';
      pieces.push(level === undefined ? piece : { text: heading(level + 1, `${number}${text}`) });
    },
    endCell(item) {
      page.endInnerRow();
      const last = take();
      row.push(joined(last === '' ? cell : [...cell, item === undefined ? { text: last } : { text: last, item }]));
      cell = [];
    },
    endInnerCell: () => void innerRow.push(take()),
    endInnerRow() {
      if (innerRow.some((words) => words !== '')) cell.push({ text: innerRow.join(' / ') });
      innerRow = [];
    },
    endRow(edges = []) {
      if (row.length > 0) rows.push({ cells: row, edges });
      row = [];
    },
    mark: () => line.mark(),
    linkFrom: (mark, url) => line.wrap(mark, (inner) => (inner.trim() === '' ? inner : link(inner, url))),
    pieces() {
      page.endRow();
      endTable();
      page.endParagraph();
      return pieces;
    },
  };
  return page;
}

type TableRow = { cells: string[]; edges: readonly number[] };

/** Edges this close to each other, in twentieths of a point, are one. */
const sameEdge = 40;
/** More columns than a row has cells, beyond this, are none: such rows stand by themselves. */
const mostBeyond = 2;

/** The cells of all rows in the columns they stand in: one that is as wide as several has empty ones behind it. */
function inColumns(rows: readonly TableRow[]): string[][] {
  const plain = rows.map(({ cells }) => cells);
  if (rows.some(({ cells, edges }) => cells.length !== edges.length)) return plain;
  const columns: number[] = [];
  for (const edge of rows.flatMap(({ edges }) => edges).toSorted((one, other) => one - other)) {
    if (edge - (columns.at(-1) ?? -Infinity) > sameEdge) columns.push(edge);
  }
  const most = Math.max(...plain.map((cells) => cells.length));
  if (columns.length === most ? plain.every((cells) => cells.length === most) : columns.length > most + mostBeyond)
    return plain;
  const columnOf = (edge: number): number => columns.findLastIndex((one) => one <= edge);
  return rows.map(({ cells, edges }) => {
    const own = columns.map(() => '');
    for (const [at, text] of cells.entries()) own[at === 0 ? 0 : columnOf(edges[at - 1] ?? 0) + 1] = text;
    return own;
  });
}

function writtenItem(tabbed: string, text: string, indent: number): Piece {
  const { sign = '', rest = '' } = indent > 0 ? (written.exec(tabbed)?.groups ?? {}) : {};
  if (sign === '') return { text };
  return { text: squeeze(rest).trim(), item: { level: indent, mark: /^[^\p{L}\p{N}(]/u.test(sign) ? '-' : sign } };
}
