// An OpenDocument sheet in, as an archive or one flat file, plain sheets out. Its cells carry the words a person sees, so nothing has to be
// formatted. Repeated cells and rows are counted, and only made where something stands in them.
import type { Read } from '../../content/refusal.ts';
import type { ReaderOptions } from '../document/reader.ts';
import { looks, styledText, withLook } from '../document/styled.ts';
import type { Limits } from '../limits.ts';
import { odfChart } from '../office/odf-chart.ts';
import { odfFieldText } from '../office/odf-field.ts';
import { ownLook } from '../office/odf-style.ts';
import type { Attributes, XmlHandlers } from '../xml/index.ts';
import { parseXml } from '../xml/index.ts';
import type { XmlNode } from '../xml/tree.ts';
import type { Zip } from '../zip/read.ts';
import { cellLink } from './grid.ts';
import { addHidden } from './marks.ts';
import { cellName } from './range.ts';
import type { SheetDrawing, Sheet } from './workbook.ts';

export function openSheets(zip: Zip, options: ReaderOptions, lastRow: number): Read<Sheet[]> {
  const content = zip.read('content.xml');
  return content.ok ? flatSheets(content.value, options, lastRow) : content;
}

/** A chart keeps its numbers in a table of its own, which is no sheet. */
export function flatSheets(xml: Uint8Array, options: ReaderOptions, lastRow: number): Read<Sheet[]> {
  const { name, limits } = options;
  const book = newBook(limits, lastRow, options.formulas === true);
  /** What is open inside of an object, which in a flat file stands in its place. */
  const open: XmlNode[] = [];
  const handlers: XmlHandlers = {
    open(element, attributes) {
      if (open.length === 0) book.open(element, attributes);
      if (open.length === 0 && element !== 'object') return;
      const node = { name: element, attributes, children: [] };
      open.at(-1)?.children.push(node);
      open.push(node);
    },
    close(element) {
      const node = open.pop();
      if (node === undefined) book.close(element);
      else if (open.length === 0) book.chart(odfChart(node));
    },
    text: (text) => void (open.at(-1)?.children.push(text) ?? book.text(text)),
  };
  const refusal = parseXml(xml, name, handlers, limits);
  return refusal === undefined ? { ok: true, value: book.sheets } : { ok: false, refusal };
}

type Book = {
  sheets: Sheet[];
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text(text: string): void;
  /** What the object says that is drawn here. */
  chart(words: string): void;
};

/** Elements in which words of a cell stand; a note has words of its own. */
function newBook({ sheetColumns }: Limits, lastRow: number, withFormulas: boolean): Book {
  const sheets: Sheet[] = [];
  const hiddenStyles = new Set<string>();
  const set = cellLooks();
  let [style, row, column, repeatRow, repeatCell, look] = ['', 0, 0, 1, 1, 0];
  let [first, line]: [number, [number, string][]] = [0, []];
  let [paragraphs, target, linkFrom]: [string[], string, number] = [[], '', 0];
  let [formula, span, stored] = ['', '', ''];
  let [inParagraph, inCell, isStored] = [false, false, false];
  const fields = fieldCollector();
  const drawings = drawingCollector((drawn) => sheets.at(-1)?.drawn?.push(drawn), fields.filled);
  const notes = noteCollector((note) => sheets.at(-1)?.comments.push(`- ${cellName(row, column)}${note}`));
  const words = (text: string): void => {
    if (notes.text(text) || drawings.text(text)) return;
    if (inParagraph) paragraphs.push((paragraphs.pop() ?? '') + text);
  };
  const endCell = (): void => {
    const value = withLook((paragraphs.length === 0 ? stored : paragraphs.join('\n')).trim(), look);
    const isShown = withFormulas && formula !== '' && value !== '';
    const text = isShown ? `${value} {${formula}}` : value || (isStored && !withFormulas ? '' : formula);
    const sheet = sheets.at(-1);
    if (formula !== '' && sheet !== undefined) sheet.formulas += 1;
    if (span !== '') sheet?.merged.push(span);
    if (text !== '') {
      // A value repeated to the edge of a sheet is shown as far as columns are.
      for (let at = 0; at < Math.min(repeatCell, sheetColumns + 1); at += 1) line.push([column + at, text]);
    }
    column += repeatCell;
    inCell = false;
  };
  const endRow = (): void => {
    const sheet = sheets.at(-1);
    if (sheet !== undefined && line.length > 0) {
      if (sheet.rows.length === 0) first = row;
      const times = Math.min(repeatRow, lastRow + 2);
      for (let at = 0; at < times && row + at <= lastRow + 1; at += 1) sheet.rows[row + at - first] = dense(line);
      sheet.bottom = row + repeatRow;
    }
    row += repeatRow;
  };
  return {
    sheets,
    open(name, attributes) {
      if (notes.open(name) || fields.open(name, attributes)) return;
      if (drawings.open(name, attributes, () => (inCell ? cellName(row, column) : 'no cell'))) return;
      switch (name) {
        case 'style':
          style = attributes['name'] ?? '';
          break;
        case 'table-properties':
          if (attributes['display'] === 'false') hiddenStyles.add(style);
          break;
        case 'text-properties':
          set.style(style, attributes);
          break;
        case 'span':
          set.open(attributes['style-name'] ?? '', paragraphs.at(-1)?.length ?? 0);
          break;
        case 'table':
          [row, column] = [0, 0];
          set.table();
          sheets.push(newSheet(attributes['name'] ?? '', hiddenStyles.has(attributes['style-name'] ?? '')));
          break;
        case 'table-column':
          repeatCell = count(attributes['number-columns-repeated']);
          set.column(column, column + repeatCell, attributes);
          if (isHidden(attributes))
            addHidden(sheets.at(-1)?.hiddenParts.columns ?? [], column, column + repeatCell - 1);
          column += repeatCell;
          break;
        case 'table-row':
          [column, line, repeatRow] = [0, [], count(attributes['number-rows-repeated'])];
          set.row(attributes);
          if (isHidden(attributes)) addHidden(sheets.at(-1)?.hiddenParts.rows ?? [], row, row + repeatRow - 1);
          break;
        case 'table-cell':
        case 'covered-table-cell':
          [paragraphs, formula] = [[], (attributes['formula'] ?? '').replace(/^[a-z]+:=?/, '=')];
          repeatCell = count(attributes['number-columns-repeated']);
          [inCell, isStored] = [true, attributes['value-type'] !== undefined];
          [span, look] = [spanOf(row, column, attributes), set.cell(column, attributes)];
          stored = storedValue(attributes);
          break;
        case 'p':
          paragraphs.push('');
          inParagraph = true;
          break;
        case 's':
          words(' '.repeat(Math.min(count(attributes['c']), 100)));
          break;
        case 'tab':
        case 'line-break':
          words(name === 'tab' ? '\t' : '\n');
          break;
        case 'a':
          [target, linkFrom] = [attributes['href'] ?? '', paragraphs.at(-1)?.length ?? 0];
      }
    },
    close(name) {
      if (notes.close(name) || fields.close(name) || drawings.close(name)) return;
      if (name === 'p') inParagraph = false;
      else if (name === 'span') {
        const last = set.close(paragraphs.at(-1));
        if (last !== undefined) paragraphs[paragraphs.length - 1] = last;
      } else if (name === 'a') {
        const last = paragraphs.pop() ?? '';
        paragraphs.push(last.slice(0, linkFrom) + cellLink(last.slice(linkFrom), target));
      } else if (name === 'table-cell' || name === 'covered-table-cell') endCell();
      else if (name === 'table-row') endRow();
      else if (name === 'table') settle(sheets.at(-1), first);
    },
    text: words,
    chart: drawings.chart,
  };
}

/** The value of a cell, which some programs write without the words that show it. */
function storedValue(attributes: Attributes): string {
  for (const kind of ['string-value', 'date-value', 'time-value', 'boolean-value', 'value']) {
    const value = attributes[kind];
    if (value !== undefined) return kind === 'boolean-value' ? value.toUpperCase() : value;
  }
  return '';
}

/** Takes comments out of the cells they are about, with the names of those who wrote them. Each tells whether it took it. */
function noteCollector(take: (note: string) => void): {
  open(name: string): boolean;
  close(name: string): boolean;
  text(text: string): boolean;
} {
  let [isOpen, within, author]: [boolean, string, string] = [false, '', ''];
  let paragraphs: string[] = [];
  return {
    open(name) {
      if (name === 'annotation') [isOpen, author, paragraphs] = [true, '', []];
      if (!isOpen) return false;
      if (name === 'p' || name === 'creator') within = name;
      if (name === 'p') paragraphs.push('');
      else if (name === 's' || name === 'tab' || name === 'line-break') paragraphs.push(`${paragraphs.pop() ?? ''} `);
      return true;
    },
    close(name) {
      if (!isOpen) return false;
      if (name === within) within = '';
      if (name !== 'annotation') return true;
      isOpen = false;
      const [words, by] = [paragraphs.join(' ').trim(), author.trim()];
      if (words !== '') take(`${by === '' ? '' : ` (${by})`}: ${words}`);
      return true;
    },
    text(text) {
      if (within === 'p') paragraphs.push((paragraphs.pop() ?? '') + text);
      else if (within === 'creator') author += text;
      return isOpen;
    },
  };
}

const drawnKinds = new Set(
  'frame custom-shape g rect ellipse circle line connector path polygon polyline caption control'.split(' '),
);

/** Takes what is filled into forms, which stand before what shows them. Each tells whether it took it. */
function fieldCollector(): {
  open(name: string, attributes: Attributes): boolean;
  close(name: string): boolean;
  filled: (control: string) => string;
} {
  const fields = new Map<string, XmlNode>();
  let [isOpen, last]: [boolean, XmlNode | undefined] = [false, undefined];
  return {
    open(name, attributes) {
      isOpen ||= name === 'forms';
      const node = { name, attributes, children: [] };
      if (isOpen && name === 'option') last?.children.push(node);
      else if (isOpen && attributes['id'] !== undefined) fields.set(attributes['id'], (last = node));
      return isOpen;
    },
    close(name) {
      const wasOpen = isOpen;
      isOpen &&= name !== 'forms';
      return wasOpen;
    },
    filled(control) {
      const field = fields.get(control);
      return (field && odfFieldText(field)) ?? '';
    },
  };
}

/** Takes what is drawn on a sheet out of its cells, whose words those of a shape are not. Each tells whether it took it. */
function drawingCollector(
  take: (drawn: SheetDrawing) => void,
  filled: (control: string) => string,
): {
  open(name: string, attributes: Attributes, at: () => string): boolean;
  close(name: string): boolean;
  text(text: string): boolean;
  chart: (words: string) => void;
} {
  let [depth, inWords, inDescription] = [0, false, false];
  let own: SheetDrawing = { at: '', words: '', object: '', image: '', described: '' };
  return {
    open(name, attributes, at) {
      const isDrawn = drawnKinds.has(name);
      if (isDrawn && depth === 0) own = { at: at(), words: '', object: '', image: '', described: '' };
      if (isDrawn) depth += 1;
      if (name === 'control') own.words += filled(attributes['control'] ?? '');
      if (depth === 0) return false;
      const href = attributes['href'] ?? '';
      if (name === 'object') own.object = href;
      else if (name === 'image' && own.image === '') own.image = href;
      else if (name === 'p' && own.object === '')
        [inWords, own.words] = [true, own.words === '' ? '' : `${own.words}\n`];
      inDescription = name === 'desc' || (inDescription && name !== 'p');
      return true;
    },
    close(name) {
      if (depth === 0) return false;
      if (name === 'p') inWords = false;
      if (name === 'desc') inDescription = false;
      if (!drawnKinds.has(name)) return true;
      depth -= 1;
      if (depth === 0) take(own);
      return true;
    },
    text(text) {
      if (depth === 0) return false;
      if (inDescription) own.described += text;
      else if (inWords && own.words.length < longestCell) own.words += text;
      return true;
    },
    chart: (words) => void (own.words += words),
  };
}

/** No program lets more stand in a cell. */
const longestCell = 32_767;

function isHidden({ visibility }: Attributes): boolean {
  return visibility === 'collapse' || visibility === 'filter';
}

/** What bold and slanted words say in a text, they do not say in a sheet. */
const telling = looks.struck | looks.raised | looks.lowered;

/** How the styles set the words of cells, and words in them. */
function cellLooks(): {
  style(name: string, properties: Attributes): void;
  /** a sheet begins; a column or a row of it says how cells are set that say nothing themselves */
  table(): void;
  column(from: number, end: number, attributes: Attributes): void;
  row(attributes: Attributes): void;
  cell(column: number, attributes: Attributes): number;
  open(styleName: string, from: number): void;
  /** the words of the paragraph with those of the last span as they are set; nothing where they are plain */
  close(words: string | undefined): string | undefined;
} {
  const styles = new Map<string, number>();
  const spans: { look: number; from: number }[] = [];
  let columns: { from: number; end: number; look: number }[] = [];
  let ofRow: string | undefined;
  return {
    style(name, properties) {
      const look = ownLook(properties)[0] & telling;
      if (look !== 0) styles.set(name, look);
    },
    table: () => void ([columns, ofRow] = [[], undefined]),
    column(from, end, { 'default-cell-style-name': name = '' }) {
      const look = styles.get(name);
      if (look !== undefined) columns.push({ from, end, look });
    },
    row: ({ 'default-cell-style-name': name }) => void (ofRow = name),
    cell(column, { 'style-name': name = ofRow }) {
      if (name !== undefined) return styles.get(name) ?? 0;
      return columns.find(({ from, end }) => column >= from && column < end)?.look ?? 0;
    },
    open: (styleName, from) => void spans.push({ look: styles.get(styleName) ?? 0, from }),
    close(words) {
      const { look, from } = spans.pop() ?? { look: 0, from: 0 };
      if (look === 0 || words === undefined || words.length > longestCell) return undefined;
      const text = styledText();
      text.write(words.slice(0, from));
      text.write(words.slice(from), look);
      return text.text();
    },
  };
}

function newSheet(name: string, hidden: boolean): Sheet {
  const place = { at: 0, top: 0, left: 0, bottom: 0, right: 0 };
  return {
    name,
    hidden,
    hiddenParts: { rows: [], columns: [] },
    chart: false,
    rows: [],
    ...place,
    comments: [],
    merged: [],
    formulas: 0,
    drawn: [],
  };
}

function count(value: string | undefined): number {
  return Math.min(Math.max(Number.parseInt(value ?? '1', 10) || 1, 1), 2_000_000);
}

/** A row with its empty cells; those beyond what is ever shown only count. */
function dense(line: readonly (readonly [number, string])[]): string[] {
  const last = line.at(-1)?.[0] ?? -1;
  const row = Array.from<string>({ length: Math.min(last + 1, 20_000) }).fill('');
  for (const [column, text] of line) if (column < row.length) row[column] = text;
  return row;
}

/** Cells that are one, as a range; nothing for a cell by itself. */
function spanOf(row: number, column: number, attributes: Attributes): string {
  const columns = count(attributes['number-columns-spanned']);
  const rows = count(attributes['number-rows-spanned']);
  return columns * rows === 1 ? '' : `${cellName(row, column)}:${cellName(row + rows - 1, column + columns - 1)}`;
}

/** Once a sheet is whole: holes become rows, empty columns at the left are cut off. */
function settle(sheet: Sheet | undefined, first: number): void {
  if (sheet === undefined || sheet.bottom === 0) return;
  let left = Infinity;
  for (const row of sheet.rows) {
    const filled = row?.findIndex((cell) => cell !== '') ?? -1;
    if (filled >= 0) left = Math.min(left, filled);
  }
  left = Number.isFinite(left) ? left : 0;
  sheet.rows = Array.from(sheet.rows, (row) => (row ?? []).slice(left));
  sheet.right = left + sheet.rows.reduce((most, row) => Math.max(most, row.length), 0);
  const top = sheet.rows.length === 0 ? 0 : first; // of one that begins further down nobody has looked
  [sheet.at, sheet.top, sheet.left] = [top, top, left];
}
