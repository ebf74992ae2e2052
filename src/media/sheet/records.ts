// The records of an old workbook: a type, a length, the content, and the next. The library reads over gaps between them
// and then shows sheets without what was in them; a file with gaps is damaged.
const maxRecord = 8224;
const endOfPart = 10;

/** Whether every record ends where the next begins, up to the end or to the zeros that fill the last sector. */
export function hasSoundRecords(stream: Buffer): boolean {
  let [at, last] = [0, 0];
  while (at + 4 <= stream.length) {
    const [type, length] = [stream.readUInt16LE(at), stream.readUInt16LE(at + 2)];
    if (type === 0 && length === 0) break;
    if (length > maxRecord) return false;
    last = type;
    at += 4 + length;
  }
  return last === endOfPart && at <= stream.length;
}
