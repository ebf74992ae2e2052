// A table or a workbook in, its rows as JSON out, for questions about all of them: each row a record by the words of the
// first row, numbers as numbers; a workbook has such a list for each of its sheets. Runs in a child process.
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { DocumentKind } from '../document/kinds.ts';
import type { Limits } from '../limits.ts';
import { decodeLoosely } from '../text/decode.ts';
import { allRows } from './csv.ts';
import { columnName } from './range.ts';
import { sheetsIn } from './read.ts';

export type TableInput = { bytes: Uint8Array; kind: DocumentKind; name: string; limits: Limits };

/** So many rows of a sheet are asked about at most. */
const mostRows = 1_048_576;

export async function tableRecords({ bytes, kind, name, limits }: TableInput): Promise<Read<string>> {
  if (kind === 'csv' || kind === 'tsv') {
    const decoded = decodeLoosely(bytes);
    if (decoded === undefined) return refuse('unsupported', `${name} is no text`, 'Save it as UTF-8 text.');
    return { ok: true, value: JSON.stringify(recordsOf(allRows(decoded.text, name, limits))) };
  }
  const options = { name, pictures: false, limits: { ...limits, sheetRows: mostRows } };
  const sheets = await sheetsIn(bytes, options);
  if (!sheets.ok) return sheets;
  return {
    ok: true,
    value: JSON.stringify(Object.fromEntries(sheets.value.map((one) => [one.name, recordsOf(one.rows)]))),
  };
}

function recordsOf(rows: readonly (readonly string[])[]): Record<string, string | number>[] {
  const filled = rows.filter((row) => row.some((cell) => cell !== ''));
  const names = namesOf(filled[0] ?? []);
  return filled
    .slice(1)
    .map((row) => Object.fromEntries(row.map((cell, at) => [names[at] ?? columnName(at), valueOf(cell)])));
}

/** Two columns of one name, and those without, get the letters that stand over them. */
function namesOf(header: readonly string[]): string[] {
  const seen = new Set<string>();
  return header.map((cell, at) => {
    const words = cell.trim();
    const name = words === '' || seen.has(words) ? `${words}${words === '' ? '' : ' '}${columnName(at)}` : words;
    seen.add(name);
    return name;
  });
}

/** A number where a person reads one without doubt; what begins with a zero is a name. */
function valueOf(cell: string): string | number {
  const words = cell.trim();
  const plain = /^-?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/.test(words) ? words.replaceAll(',', '') : '';
  return plain === '' || plain.length > 15 ? cell : Number(plain);
}
