// Rows → aligned lines. Columns are as wide as their widest cell; numbers stand to the right. On a terminal that is too
// narrow the widest words are shortened, and what can be spared is left out; a pipe gets everything.
import { screenWidth, visibleLine } from './terminal.ts';

export type Column = {
  title: string;
  right?: boolean;
  /** Names that differ at their end are shortened at their beginning. */
  keepsEnd?: boolean;
  /** It may be left out; the highest number goes first. */
  spare?: number;
};

type Cell = { text: string; width: number };
type Fitted = Column & { at: number; width: number };

/** The header line, then one line per row, without trailing spaces. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  room: number = screenWidth(process.stdout),
): string[] {
  const titles = columns.map(({ title }) => title);
  const lines = [titles, ...rows.map((row) => row.map(visibleLine))].map((line) => line.map(cellOf));
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.width ?? 0)));
  const fitted = fit(
    columns.map((column, at) => ({ ...column, at, width: widths[at] ?? 0 })),
    room,
  );
  return lines.map((line) =>
    fitted
      .map(({ at, right, width, keepsEnd = false }) => {
        const cell = shortened(line[at] ?? { text: '', width: 0 }, width, keepsEnd);
        const space = ' '.repeat(width - cell.width);
        return right ? space + cell.text : cell.text + space;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Words may be shortened down to this before a column is spared, and to that when none is left to spare. */
const [least, shortest] = [18, 8];

function fit(columns: Fitted[], room: number): Fitted[] {
  const total = (width: (column: Fitted) => number): number =>
    columns.reduce((sum, column) => sum + width(column) + 2, -2);
  if (total(({ width, right }) => (right ? width : Math.min(width, least))) > room) {
    const spared = columns.reduce((most, { spare = 0 }) => Math.max(most, spare), 0);
    if (spared > 0)
      return fit(
        columns.filter(({ spare }) => spare !== spared),
        room,
      );
  }
  for (let over = total(({ width }) => width) - room; over > 0; over--) {
    const words = columns.filter(({ right, width }) => !right && width > shortest);
    const [widest] = words.toSorted((one, other) => other.width - one.width);
    if (!widest) break;
    widest.width--;
  }
  return columns;
}

/** More than these are no single character on a terminal. */
const mostUnits = 16;

function shortened(cell: Cell, width: number, keepsEnd: boolean): Cell {
  if (cell.width <= width) return cell;
  const room = width * mostUnits; // of a text that is far too long not all is looked at
  const letters = Array.from(keepsEnd ? cell.text.slice(-room) : cell.text.slice(0, room));
  while (letters.length > 0 && cellsOf(letters.join('')) > width - 1) {
    if (keepsEnd) letters.shift();
    else letters.pop();
  }
  return cellOf(keepsEnd ? `…${letters.join('')}` : `${letters.join('')}…`);
}

function cellOf(text: string): Cell {
  return { text, width: cellsOf(text) };
}

const plain = /^[\u0020-\u02ff…–·×]*$/;
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/u;

/** How many columns of a terminal a text takes. */
export function cellsOf(text: string): number {
  if (plain.test(text)) return text.length;
  let cells = 0;
  for (const letter of text) {
    if (/\p{M}|\u200d|\ufe0f/u.test(letter)) continue;
    cells += wide.test(letter) || /\p{Emoji_Presentation}/u.test(letter) ? 2 : 1;
  }
  return cells;
}

/** One line as several where a terminal is too narrow; all but the first begin further in. */
export function wrapped(line: string, indent: number, room: number): string[] {
  if (cellsOf(line) <= room || room < indent + 20) return [line];
  const lines: string[] = [];
  let now = '';
  for (const word of line.split(/(?<=\S) (?=\S)/)) {
    const longer = now === '' ? word : `${now} ${word}`;
    if (now !== '' && cellsOf(longer) > room) {
      lines.push(now);
      now = `${' '.repeat(indent)}${word}`;
    } else now = longer;
  }
  return [...lines, now];
}
