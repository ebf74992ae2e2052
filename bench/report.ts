// Sections in, text out: the same tables for the terminal and for the page in the docs.
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

export type Table = { caption: string; columns: string[]; rows: string[][] };

/** One comparison, finished: everything a reader needs, and the raw figures behind it. */
export type Section = {
  title: string;
  about: string[];
  tables: Table[];
  notes: string[];
  machine: string;
  date: string;
  raw: unknown;
};

/** Said before a comparison begins: the load is then that of others. */
export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return `${availableParallelism()} cores (${model}), ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.version}, load ${load} before the run`;
}

export function plainText(section: Section): string {
  const tables = section.tables.map(
    (table) => `${table.caption}\n${aligned([table.columns, ...table.rows]).join('\n')}`,
  );
  return [`== ${section.title} ==`, ...tables, section.notes.map((note) => `- ${note}`).join('\n')].join('\n\n');
}

export function markdown(sections: readonly Section[], command: string): string {
  const head = [
    '# Benchmarks',
    'This page is written by the benchmark run itself; do not edit it.',
    `Command: \`${command}\`. Every repetition runs in a fresh process and the candidates take turns. A figure is the ` +
      'median, with the lowest and the highest in brackets. MB are 10⁶ bytes. Where two medians differ by less than 20 %, ' +
      'the page says only that. Other work on the machine moves wall times; CPU time stands beside them for that reason. What reaches ' +
      'a model at all is another page: [What reaches the model](matrix.md).',
  ];
  return `${[...head, ...sections.flatMap(markdownSection)].join('\n\n')}\n`;
}

function markdownSection(section: Section): string[] {
  return [
    `## ${section.title}`,
    `Measured ${section.date} on ${section.machine}.`,
    ...section.about,
    ...section.tables.flatMap((table) => [`**${table.caption}**`, markdownTable(table)]),
    section.notes.map((note) => `- ${note}`).join('\n'),
  ];
}

function markdownTable({ columns, rows }: Table): string {
  return [columns, columns.map((_, index) => (index === 0 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

function aligned(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
}
