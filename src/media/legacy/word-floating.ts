// The drawings of a Word 97 to 2003 file in; by the story and the place in it to which they are tied, the pictures that words flow
// around out.
import { pictureNumber } from './ppt-pictures.ts';
import type { PptRecord } from './ppt-records.ts';
import { kinds, pptRecords, recordAt, recordsBelow } from './ppt-records.ts';

/** Where the record of a picture begins, and in which bytes. */
export type FloatingPicture = { bytes: Buffer; at: number };

/** Where it is said to which places of the text, and of the headers and footers, drawings are tied. */
const anchorsFields = { body: 0x1da, headers: 0x1e2 } as const;
const [drawingsField, anchorSize] = [0x22a, 26];
const [store, drawing, shapeAbout] = [0xf001, 0xf002, 0xf00a];
/** What is said of a stored picture before the picture itself. */
const [storedHead, nameLengthAt, elsewhereAt] = [36, 33, 28];
const [mostAnchors, mostRecords] = [2000, 100_000];

/** By the place in a story. */
type Tied = ReadonlyMap<number, readonly FloatingPicture[]>;

/** Each picture is one value, however often it is shown. */
export function floatingPictures(stream: Buffer, tables: Buffer): ReadonlyMap<string, Tied> {
  const all = Object.entries(anchorsFields).map(([story, field]) => [story, part(stream, tables, field)] as const);
  if (all.every(([, anchors]) => anchors.length <= 4)) return new Map();
  const drawn = drawnIn(part(stream, tables, drawingsField), stream);
  return new Map(all.map(([story, anchors]) => [story, tiedBy(anchors, drawn)]));
}

function tiedBy(anchors: Buffer, drawn: ReadonlyMap<number, FloatingPicture[]>): Tied {
  const found = new Map<number, FloatingPicture[]>();
  const all = Math.floor((anchors.length - 4) / (4 + anchorSize));
  for (let index = 0; index < Math.min(mostAnchors, all); index += 1) {
    const shape = anchors.readUInt32LE((all + 1) * 4 + index * anchorSize);
    const pictures = drawn.get(shape);
    if (pictures !== undefined) found.set(anchors.readUInt32LE(index * 4), pictures);
  }
  return found;
}

function part(stream: Buffer, tables: Buffer, field: number): Buffer {
  const from = stream.readUInt32LE(field);
  return tables.subarray(from, from + stream.readUInt32LE(field + 4));
}

/** By the number of a shape: the pictures it shows, or those in it when it is a group. */
function drawnIn(drawings: Buffer, stream: Buffer): Map<number, FloatingPicture[]> {
  const found = new Map<number, FloatingPicture[]>();
  const group = recordAt(drawings, 0);
  if (group === undefined) return found;
  const stored = storedIn(drawings, group, stream);
  const budget = { left: mostRecords };
  // Before each drawing a byte says where it belongs.
  for (let at = group.end + 1; budget.left > 0;) {
    const page = recordAt(drawings, at);
    if (page?.type !== drawing) break;
    at = page.end + 1;
    for (const patriarch of pptRecords(drawings, page.start, page.end)) {
      if (patriarch.type !== kinds.group) continue;
      for (const shape of pptRecords(drawings, patriarch.start, patriarch.end)) {
        let number: number | undefined;
        const pictures: FloatingPicture[] = [];
        for (const record of recordsBelow(drawings, shape, budget)) {
          if (record.type === shapeAbout && record.end - record.start >= 4)
            number ??= drawings.readUInt32LE(record.start);
          const picture = record.type === kinds.shapeOptions ? stored[pictureNumber(drawings, record)] : undefined;
          if (picture !== undefined) pictures.push(picture);
        }
        if (number !== undefined && pictures.length > 0) found.set(number, pictures);
      }
    }
  }
  return found;
}

/** The pictures of a file by their number, counted from one; some lie in a stream beside what is drawn. */
export function storedIn(drawings: Buffer, group: PptRecord, stream: Buffer): (FloatingPicture | undefined)[] {
  const stored: (FloatingPicture | undefined)[] = [undefined];
  for (const record of pptRecords(drawings, group.start, group.end)) {
    if (record.type !== store) continue;
    for (const { type, start, end } of pptRecords(drawings, record.start, record.end)) {
      const isWhole = type === kinds.storedPicture && end - start >= storedHead;
      const inside = isWhole ? start + storedHead + (drawings[start + nameLengthAt] ?? 0) : end;
      if (inside < end) stored.push({ bytes: drawings, at: inside });
      else stored.push(isWhole ? { bytes: stream, at: drawings.readUInt32LE(start + elsewhereAt) } : undefined);
    }
  }
  return stored;
}
