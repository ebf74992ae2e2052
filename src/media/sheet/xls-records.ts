// The stream of an Excel 97 to 2003 workbook in, its records out, and their bytes one after the other. Numbers in the file are only
// believed as far as bytes exist for them.
export type XlsRecord = { type: number; at: number; start: number; end: number };

/** The records that more than one file looks at. */
export const xlsKinds = { goesOn: 0x3c, sheet: 0x85, begin: 0x809 } as const;

const sealed = 0x2f;

/** The records of a workbook of Excel 97 to 2003; nothing of another, or where their bytes are sealed. */
export function plainRecords(stream: Buffer): XlsRecord[] | undefined {
  if (stream.length < 8 || stream.readUInt16LE(0) !== xlsKinds.begin || stream.readUInt16LE(4) !== 0x0600)
    return undefined;
  const records = [...recordsOf(stream)];
  return records.some(({ type }) => type === sealed) ? undefined : records;
}

/** Where each sheet begins, as they are listed. */
export function sheetPlaces(stream: Buffer, records: readonly XlsRecord[]): number[] {
  return records
    .filter(({ type, start, end }) => type === xlsKinds.sheet && end - start >= 4)
    .map(({ start }) => stream.readUInt32LE(start));
}

function* recordsOf(stream: Buffer): Generator<XlsRecord> {
  for (let at = 0; at + 4 <= stream.length;) {
    const start = at + 4;
    const end = Math.min(stream.length, start + stream.readUInt16LE(at + 2));
    yield { type: stream.readUInt16LE(at), at, start, end };
    at = end;
  }
}

/** Bytes that lie in several records as if they were one row; `letters` knows that each record says anew how wide they are. */
export type XlsReader = {
  byte(): number;
  short(): number;
  long(): number;
  skip(count: number): void;
  letters(count: number, wide: boolean): string;
};

const ended = 'fewer bytes than were promised';

export function readerOf(stream: Buffer, parts: readonly XlsRecord[]): XlsReader {
  let [part, at] = [0, parts[0]?.start ?? 0];
  const rest = (): number => (parts[part]?.end ?? 0) - at;
  const next = (): void => {
    part += 1;
    const own = parts[part];
    if (own === undefined) throw new RangeError(ended);
    at = own.start;
  };
  const byte = (): number => {
    while (rest() <= 0) next();
    at += 1;
    return stream[at - 1] ?? 0;
  };
  const short = (): number => byte() | (byte() << 8);
  return {
    byte,
    short,
    long: () => short() + short() * 0x1_0000,
    skip(count) {
      for (let left = count; left > 0;) {
        while (rest() <= 0) next();
        const step = Math.min(left, rest());
        at += step;
        left -= step;
      }
    },
    letters(count, wide) {
      let [text, isWide, left] = ['', wide, count];
      while (left > 0) {
        if (rest() <= 0) {
          next();
          isWide = ((stream[at] ?? 0) & 1) === 1;
          at += 1;
        }
        const width = isWide ? 2 : 1;
        const step = Math.min(left, Math.floor(rest() / width));
        if (step <= 0) throw new RangeError(ended);
        text += stream.toString(isWide ? 'utf16le' : 'latin1', at, at + step * width);
        at += step * width;
        left -= step;
      }
      return text;
    },
  };
}
