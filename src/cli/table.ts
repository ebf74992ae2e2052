// Rows → aligned lines. Columns are as wide as their widest cell; numbers stand to the right.
import { visibleLine } from './terminal.ts';

export type Column = { title: string; right?: boolean };

/** The header line, then one line per row, without trailing spaces. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const lines = [columns.map((column) => column.title), ...rows.map((row) => row.map(visibleLine))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)));
  return lines.map((line) =>
    columns
      .map(({ right }, at) => {
        const [cell, width] = [line[at] ?? '', widths[at] ?? 0];
        return right ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
