// Records of Excel 97 to 2003, for tests that make such workbooks.
export const short = (...values: number[]): Buffer => Buffer.from(new Uint16Array(values).buffer);
export const long = (...values: number[]): Buffer => Buffer.from(new Uint32Array(values).buffer);
export const biff = (type: number, ...content: Buffer[]): Buffer =>
  Buffer.concat([short(type, Buffer.concat(content).length), ...content]);
/** The beginning of a part: 5 is the book, 16 a sheet, 32 a chart. */
export const biffBegin = (kind: number): Buffer => biff(0x809, short(0x600, kind, 0, 0), Buffer.alloc(8));
/** Sheets of some records each, as a workbook; the book's own records first. */
export function biffBook(own: readonly Buffer[], sheets: readonly (readonly [kind: number, ...Buffer[]])[]): Buffer {
  const parts = sheets.map(([kind, ...records]) => Buffer.concat([biffBegin(kind), ...records, biff(0x0a)]));
  const globals = (from: number): Buffer => {
    let place = from;
    const list = parts.map((part, at) => {
      const kind = sheets[at]?.[0] === 0x20 ? 2 : 0;
      const listed = biff(0x85, long(place), Buffer.from([0, kind, 2, 0, 83, 49 + at]));
      place += part.length;
      return listed;
    });
    return Buffer.concat([biffBegin(5), ...list, ...own, biff(0x0a)]);
  };
  return Buffer.concat([globals(globals(0).length), ...parts]);
}
