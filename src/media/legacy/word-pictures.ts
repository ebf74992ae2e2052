// The stream of an old Word file in which pictures lie in, each by its place there out, and those that words flow around. A
// place that holds something else gives nothing; one may hold the state of a box in a form.
import type { InnerPicture } from '../document/reader.ts';
import { storedPicture } from './ppt-pictures.ts';
import type { PptRecord } from './ppt-records.ts';
import { kinds, pptRecords, recordAt } from './ppt-records.ts';
import type { FloatingPicture } from './word-floating.ts';

/** What stands in the line where a picture is; the pictures that were asked for so far. */
export type WordPictures = { nameAt(place: PicturePlace): string | undefined; found: InnerPicture[] };

/** A place in the stream of pictures, or where one that words flow around lies. */
export type PicturePlace = number | FloatingPicture;

const [shapeInFile, leastHead, storedHead] = [0x66, 0x44, 36];
/** Pictures of a file, and records that are looked through for one. */
const [mostPictures, mostRecords] = [2000, 100];

/** Looks pictures up as the text names them; one that is named again is the same. */
export function wordPictures(stream: Buffer = Buffer.alloc(0), fileSize: number = stream.length): WordPictures {
  const found: InnerPicture[] = [];
  const names = new Map<PicturePlace, string | undefined>();
  let left = fileSize; // sound pictures do not overlap
  const added = (picture: ReturnType<typeof storedPicture>): string | undefined => {
    if (picture === undefined || (left -= picture.bytes.length) < 0) return undefined;
    const name = `picture-${found.length + 1}.${picture.ending}`;
    found.push({ name, bytes: picture.bytes });
    return name;
  };
  return {
    found,
    nameAt(place) {
      if (!names.has(place) && names.size < mostPictures && left > 0)
        names.set(place, added(typeof place === 'number' ? pictureAt(stream, place) : floating(place)));
      return names.get(place);
    },
  };
}

function floating({ bytes, at }: FloatingPicture): ReturnType<typeof storedPicture> {
  const record = recordAt(bytes, at);
  return record && storedPicture(bytes, record);
}

const [boxKind, untouched] = [1, 25];

/** Whether a box of a form is ticked whose state lies at this place; nothing where something else lies there. */
export function boxAt(stream: Buffer = Buffer.alloc(0), place: PicturePlace | undefined): boolean | undefined {
  if (typeof place !== 'number' || place + leastHead + 10 > stream.length) return undefined;
  const from = place + stream.readUInt16LE(place + 4);
  if (from + 12 > stream.length || stream.readUInt32LE(from) !== 0xffffffff) return undefined;
  const bits = stream.readUInt16LE(from + 4);
  if ((bits & 3) !== boxKind) return undefined;
  const state = (bits >> 2) & 31;
  if (state !== untouched) return state === 1;
  // As it was before anybody touched it; that stands behind its name.
  const usual = from + 10 + 2 + stream.readUInt16LE(from + 10) * 2 + 2;
  return usual + 2 <= stream.length ? stream.readUInt16LE(usual) === 1 : undefined;
}

/** A head that says how long everything is, perhaps the name of a file, a shape, then the picture itself. */
function pictureAt(stream: Buffer, place: number): ReturnType<typeof storedPicture> {
  if (place + leastHead > stream.length) return undefined;
  const [length, head] = [stream.readUInt32LE(place), stream.readUInt16LE(place + 4)];
  const end = Math.min(place + length, stream.length);
  if (head < leastHead || place + head > end) return undefined;
  const named = stream.readUInt16LE(place + 6) === shapeInFile ? 1 + (stream[place + head] ?? 0) : 0;
  let looked = 0;
  for (const record of pptRecords(stream, place + head + named, end)) {
    if ((looked += 1) > mostRecords) break;
    const inner = record.type === kinds.storedPicture ? innerPicture(stream, record) : record;
    const picture = inner && storedPicture(stream, inner);
    if (picture !== undefined) return picture;
  }
  return undefined;
}

function innerPicture(stream: Buffer, { start, end }: PptRecord): PptRecord | undefined {
  return recordAt(stream, start + storedHead + (stream[start + 33] ?? 0), end);
}
