// The part of a workbook that holds the cells of a sheet in; out, without reading it as XML, what has to be known before a library does:
// how far it goes, and whether it has formulas that nobody computed.

export function isWorksheet(path: string): boolean {
  return /^xl\/worksheets\/[^/]+\.xml$/i.test(path);
}

const words = /<(?:\w+:)?[vt]\b[^<>]*>\s*[^<\s]/;
const formula = /<(?:\w+:)?f\b/;
/** A formula, and behind it an empty value or none: what programs write that compute nothing (openpyxl, Apache POI). A string
 * that is empty was computed. */
const unvalued =
  /<(?:\w+:)?c\b(?![^<>]*\st=["']str["'])[^<>]*>\s*<(?:\w+:)?f\b(?:[^<>]*\/>|[^<>]*>[^<]*<\/(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*\/>\s*|<(?:\w+:)?v>\s*<\/(?:\w+:)?v>\s*)?<\/(?:\w+:)?c>/;

export function hasUnvalued(sheet: Uint8Array): boolean {
  return unvalued.test(Buffer.from(sheet.buffer, sheet.byteOffset, sheet.byteLength).toString('latin1'));
}

/** Behind the last row that shows something. The range that a sheet says it has may be too wide, too narrow or missing. */
export function bottomOf(sheet: Uint8Array, withFormulas: boolean): number {
  const bytes = Buffer.from(sheet.buffer, sheet.byteOffset, sheet.byteLength);
  const first = bytes.indexOf('sheetData');
  const prefix = bytes.toString('latin1', bytes.lastIndexOf('<', first) + 1, Math.max(0, first));
  let end = bytes.lastIndexOf(`</${prefix}sheetData`);
  if (first < 0 || end < first) return 0;
  const begin = `<${prefix}row`;
  for (let row = bytes.lastIndexOf(begin, end); row > first; row = bytes.lastIndexOf(begin, row - 1)) {
    const text = bytes.toString('latin1', row, end);
    if (words.test(text) || (withFormulas ? formula : unvalued).test(text)) return numberOf(row, text);
    end = row;
  }
  return 0;

  /** As it is written at the row, or counted. */
  function numberOf(row: number, text: string): number {
    const named = Number(/^[^>]*\sr=["'](\d{1,7})["']/.exec(text)?.[1] ?? 0);
    if (named > 0) return named;
    let count = 0;
    for (let at = first; at >= 0 && at <= row; at = bytes.indexOf(begin, at + 1)) count += 1;
    return count - 1;
  }
}
