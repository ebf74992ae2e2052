// The stream of an old Word file in which pictures lie in, each by its place there out. A place that holds something else, such
// as the state of a field of a form, gives nothing.
import type { InnerPicture } from '../document/reader.ts';
import { storedPicture } from './ppt-pictures.ts';
import type { PptRecord } from './ppt-records.ts';
import { kinds, pptRecords, recordAt } from './ppt-records.ts';

/** What stands in the line where a picture is; the pictures that were asked for so far. */
export type WordPictures = { nameAt(place: number): string | undefined; found: InnerPicture[] };

const [shapeInFile, leastHead, storedHead] = [0x66, 0x44, 36];
/** Pictures of a file, and records that are looked through for one. */
const [mostPictures, mostRecords] = [2000, 100];

/** Looks pictures up as the text names them; one that is named again is the same. */
export function wordPictures(stream: Buffer = Buffer.alloc(0)): WordPictures {
  const found: InnerPicture[] = [];
  const names = new Map<number, string | undefined>();
  let left = stream.length; // sound pictures do not overlap
  const added = (picture: ReturnType<typeof storedPicture>): string | undefined => {
    if (picture === undefined || (left -= picture.bytes.length) < 0) return undefined;
    const name = `picture-${found.length + 1}.${picture.ending}`;
    found.push({ name, bytes: picture.bytes });
    return name;
  };
  return {
    found,
    nameAt(place) {
      if (!names.has(place) && names.size < mostPictures && left > 0) names.set(place, added(pictureAt(stream, place)));
      return names.get(place);
    },
  };
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
