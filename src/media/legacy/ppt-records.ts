// A PowerPoint 97 to 2003 stream in, its records out, one after the other or by their place. A length that reaches
// beyond its parent ends there, so no record is ever outside of the bytes.
type ByteSpan = { start: number; end: number };

export type PptRecord = ByteSpan & { type: number; instance: number; container: boolean };

/** The records that say something here, by what they are. */
export const kinds = {
  document: 0x03e8,
  slide: 0x03ee,
  notes: 0x03f0,
  persist: 0x03f3,
  slideShow: 0x03f9,
  drawingGroup: 0x040b,
  drawing: 0x040c,
  textReference: 0x0f9e,
  textHeader: 0x0f9f,
  wideText: 0x0fa0,
  textStyle: 0x0fa1,
  narrowText: 0x0fa8,
  string: 0x0fba,
  headersFooters: 0x0fd9,
  headersFootersFlags: 0x0fda,
  list: 0x0ff0,
  userEdit: 0x0ff5,
  attached: 0x138b,
  directory: 0x1772,
  comment: 0x2ee0,
  encryption: 0x2f14,
  group: 0xf003,
  shape: 0xf004,
  storedPicture: 0xf007,
  shapeOptions: 0xf00b,
  textBox: 0xf00d,
  placeInGroup: 0xf00f,
  moreShapeOptions: 0xf122,
} as const;

/** The record at a place; nothing when no whole header fits before the end. */
export function recordAt(data: Buffer, at: number, end: number = data.length): PptRecord | undefined {
  if (at < 0 || at + 8 > end || end > data.length) return undefined;
  const head = data.readUInt16LE(at);
  const start = at + 8;
  return {
    type: data.readUInt16LE(at + 2),
    instance: head >> 4,
    // What a program attached to a slide, such as its comments, is wrapped in a record that does not say so.
    container: (head & 15) === 15 || data.readUInt16LE(at + 2) === kinds.attached,
    start,
    end: Math.min(end, start + data.readUInt32LE(at + 4)),
  };
}

/** The records directly between two places. */
export function* pptRecords(data: Buffer, start: number, end: number): Generator<PptRecord> {
  for (let at = start; ;) {
    const record = recordAt(data, at, end);
    if (record === undefined) return;
    yield record;
    at = record.end;
  }
}

const maxDepth = 40;

/** How many records may still be looked at: a file can name the same place any number of times. */
export type RecordBudget = { left: number };

/** All records inside, in order, containers before what they hold. */
export function* recordsBelow(
  data: Buffer,
  { start, end }: ByteSpan,
  budget: RecordBudget,
  depth = 0,
): Generator<PptRecord> {
  for (const record of pptRecords(data, start, end)) {
    if ((budget.left -= 1) < 0) return;
    yield record;
    if (record.container && depth < maxDepth) yield* recordsBelow(data, record, budget, depth + 1);
  }
}

/** The text of a text record as it is there: paragraphs end with a return, lines in them with a vertical tab. */
export function recordText(data: Buffer, { type, start, end }: PptRecord): string {
  return data.toString(type === kinds.narrowText ? 'latin1' : 'utf16le', start, end);
}
