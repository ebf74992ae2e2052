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

/** 1234567 → 1,234,567, the same on every machine. */
export function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** Bytes for people: 812 B, 1.3 kB, 54 kB, 4.1 MB. */
export function byteText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [value, unit] = bytes < 999_500 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value < 9.95 ? value.toFixed(1) : grouped(Math.round(value))} ${unit}`;
}
