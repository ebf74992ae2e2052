// Words, cells and paragraph ends in, blocks of Markdown out. One for the text of a Rich Text document and one for each
// of its notes.
import { heading, link, table } from '../document/markdown.ts';
import { squeeze } from '../web/markdown.ts';

export type Page = {
  words(text: string): void;
  /** One that stands in a table belongs to the next cell. */
  endParagraph(level: number | undefined, inTable: boolean): void;
  endCell(): void;
  endRow(): void;
  /** a place in the paragraph, and a link over everything since then */
  mark(): number;
  linkFrom(mark: number, url: string): void;
  blocks(): string[];
};

export function newPage(): Page {
  const blocks: string[] = [];
  let line: string[] = [];
  let cell: string[] = [];
  let row: string[] = [];
  let rows: string[][] = [];
  const take = (): string => {
    const text = squeeze(line.join('')).trim();
    line = [];
    return text;
  };
  const endTable = (): void => {
    const words = table(rows);
    if (words !== '') blocks.push(words);
    for (const block of cell) blocks.push(block); // of a cell that never ended
    [rows, cell] = [[], []];
  };
  const page: Page = {
    words: (text) => void line.push(text),
    endParagraph(level, inTable) {
      const text = take();
      if (inTable || row.length > 0) {
        if (text !== '') cell.push(text);
        return;
      }
      if (text === '') return;
      endTable();
      blocks.push(level === undefined ? text : heading(level + 1, text));
    },
    endCell() {
      row.push([...cell, take()].filter((text) => text !== '').join('\n'));
      cell = [];
    },
    endRow() {
      if (row.length > 0) rows.push(row);
      row = [];
    },
    mark: () => line.length,
    linkFrom(mark, url) {
      const text = line.slice(mark).join('');
      if (text.trim() !== '') line.splice(mark, line.length - mark, link(text, url));
    },
    blocks() {
      page.endRow();
      endTable();
      page.endParagraph(undefined, false);
      return blocks;
    },
  };
  return page;
}
