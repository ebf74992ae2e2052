// The records of an old workbook: a type, a length, the content, and the next. The library reads over gaps between them
// and then shows sheets without what was in them; a file with gaps is damaged.
const maxRecord = 8224;
const endOfPart = 10;
/** How a workbook of Excel 5 and later begins, and how formulas were marked before it: in such a one they are damage, and
 * the library takes what follows for a formula without end. */
const laterBegin = 0x0809;
const earlierFormulas: ReadonlySet<number> = new Set([0x0206, 0x0406]);

/** Whether every record ends where the next begins, up to the end or to the zeros that fill the last sector. */
export function hasSoundRecords(stream: Buffer): boolean {
  let [at, last] = [0, 0];
  const isLater = stream.length >= 2 && stream.readUInt16LE(0) === laterBegin;
  while (at + 4 <= stream.length) {
    const [type, length] = [stream.readUInt16LE(at), stream.readUInt16LE(at + 2)];
    if (type === 0 && length === 0) break;
    if (length > maxRecord || (isLater && earlierFormulas.has(type))) return false;
    last = type;
    at += 4 + length;
  }
  return last === endOfPart && at <= stream.length;
}
