// The only file that knows the spreadsheet library: sound bytes in, plain sheets out. Values are as a person sees them
// in Excel; a formula stands only where no value was stored. It throws what the library throws.
import type { Grid } from './grid.ts';
import { cellName } from './range.ts';
import { raisedText } from './rich-text.ts';

export type Sheet = Omit<Grid, 'rows' | 'header'> & {
  rows: string[][];
  name: string;
  hidden: boolean;
  chart: boolean;
  comments: string[];
  /** ranges of cells that are one */
  merged: string[];
  /** how many values come from formulas */
  formulas: number;
};

/** How far the rows are read, whether formulas are shown, and what opens the file. */
export type BookWish = { lastRow: number; formulas: boolean; password: string };

export async function sheetsOf(bytes: Uint8Array, { lastRow, formulas, password }: BookWish): Promise<Sheet[]> {
  const library = await import('@e965/xlsx');
  const codepages = await import('@e965/xlsx/dist/cpexcel.full.mjs');
  library.set_cptable(codepages);
  const book = library.read(bytes, {
    type: 'array',
    dense: true,
    cellHTML: false,
    cellNF: true,
    dateNF: 'yyyy-mm-dd',
    sheetRows: lastRow + 2,
    password,
  });
  const format: Format = (as, value) => String(library.SSF.format(as, value));
  return book.SheetNames.map((name, at) => {
    const sheet = book.Sheets[name] ?? {};
    const full = library.utils.decode_range(String(sheet['!fullref'] ?? sheet['!ref'] ?? 'A1'));
    const used = usedRange(sheet['!data'] ?? [], format, formulas);
    const isCut = used.rows.length + used.top > lastRow + 1;
    return {
      ...used,
      name,
      at: used.top,
      bottom: Math.max(isCut ? full.e.r + 1 : 0, used.top + used.rows.length),
      right: used.left + used.rows.reduce((most, row) => Math.max(most, row.length), 0),
      hidden: (book.Workbook?.Sheets?.[at]?.Hidden ?? 0) > 0,
      chart: sheet['!type'] === 'chart',
      merged: (sheet['!merges'] ?? []).map((range) => library.utils.encode_range(range)),
    };
  });
}

/** Excel itself allows no more in a cell. */
const maxCell = 32_767;

/** What the library gives for a cell, as far as it is used here. */
type Cell = {
  v?: string | number | boolean | Date | null;
  w?: string;
  /** the source of words that are set in several ways */
  r?: unknown;
  f?: string;
  z?: string | number;
  l?: { Target?: string };
  c?: readonly { a?: string; t?: string }[];
};
type Format = (format: string, value: number) => string;
type Used = { rows: string[][]; top: number; left: number; comments: string[]; formulas: number };

function usedRange(data: readonly (readonly Cell[] | undefined)[], format: Format, withFormulas: boolean): Used {
  const lines = new Map<number, Map<number, string>>();
  const comments: string[] = [];
  let [top, left, bottom, formulas] = [Infinity, Infinity, -1, 0];
  // The arrays have holes as wide as the sheet; only what is there is visited.
  for (const [r, row] of Object.entries(data)) {
    for (const [c, cell] of Object.entries(row ?? [])) {
      const place = { r: Number(r), c: Number(c) };
      for (const { a, t } of cell.c ?? [])
        comments.push(`- ${cellName(place.r, place.c)}${a ? ` (${a})` : ''}: ${t?.trim() ?? ''}`);
      if (cell.f !== undefined) formulas += 1;
      const text = textOf(cell, format, withFormulas);
      if (text === '') continue;
      [top, left, bottom] = [Math.min(top, place.r), Math.min(left, place.c), Math.max(bottom, place.r)];
      const line = lines.get(place.r) ?? new Map<number, string>();
      lines.set(place.r, line.set(place.c, text));
    }
  }
  if (bottom < 0) return { rows: [], top: 0, left: 0, comments, formulas };
  const rows = Array.from({ length: bottom - top + 1 }, (_, at) => {
    const line = [...(lines.get(top + at) ?? [])];
    const row: string[] = Array.from<string>({ length: Math.max(0, (line.at(-1)?.[0] ?? -1) - left + 1) }).fill('');
    for (const [column, text] of line) row[column - left] = text;
    return row;
  });
  return { rows, top, left, comments, formulas };
}

function textOf({ v, w, r, f, l, z }: Cell, format: Format, withFormulas: boolean): string {
  const date = typeof v === 'number' && (w ?? String(v)) === String(v) ? dotted(v, z, format) : undefined;
  const raised = typeof r === 'string' ? raisedText(r) : undefined;
  const shown = date ?? raised ?? w ?? (v === undefined || v === null ? '' : String(v));
  const value = (shown === '' && f !== undefined ? `=${f}` : shown).slice(0, maxCell).trim();
  const text = withFormulas && f !== undefined && shown !== '' ? `${value} {=${f.slice(0, maxCell)}}` : value;
  const target = l?.Target ?? '';
  if (text === '' || target === text || !/^(?:https?|mailto):/i.test(target)) return text;
  return `[${text}](${target.slice(0, 2000).replaceAll(/\s/g, '%20')})`;
}

/** The library knows dots between the parts of a date only when they are escaped, and many programs do not do that. */
function dotted(value: number, format: string | number | undefined, as: Format): string | undefined {
  if (typeof format !== 'string' || !/[dmy]\./i.test(format)) return undefined;
  try {
    return as(format.replaceAll(/(?<=[dmy])\./gi, '\\.'), value);
  } catch {
    return undefined; // a format nobody can follow; the number stays
  }
}
