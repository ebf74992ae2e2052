// The stream of pictures of a PowerPoint 97 to 2003 file in, each with its name and its place out; a sealed one opened.
import type { InnerPicture } from '../document/reader.ts';
import type { PptRecord } from './ppt-records.ts';
import { pptRecords, recordAt } from './ppt-records.ts';
import type { OpenBlock } from './rc4.ts';

/** By the record that holds a picture: the ending of its name. */
const endings = new Map([
  [0xf01a, 'emf'],
  [0xf01b, 'wmf'],
  [0xf01c, 'pict'],
  [0xf01d, 'jpg'],
  [0xf01e, 'png'],
  [0xf01f, 'dib'],
  [0xf029, 'tiff'],
  [0xf02a, 'jpg'],
]);

/** `at` is where slides look for it. */
export type PptPicture = InnerPicture & { at: number };

export function pptPictures(stream: Buffer = Buffer.alloc(0)): PptPicture[] {
  const found: PptPicture[] = [];
  for (const record of pptRecords(stream, 0, stream.length)) {
    const stored = storedPicture(stream, record);
    if (stored === undefined) continue;
    found.push({ at: record.start - 8, name: `picture-${found.length + 1}.${stored.ending}`, bytes: stored.bytes });
  }
  return found;
}

/** The picture that a record holds, and how its name ends; nothing for any other record. */
export function storedPicture(
  stream: Buffer,
  { type, instance, start, end }: PptRecord,
): { ending: string; bytes: Uint8Array } | undefined {
  const ending = endings.get(type);
  if (ending === undefined) return undefined;
  return { ending, bytes: new Uint8Array(stream.subarray(start + headSize(type, instance), end)) };
}

const hash = 16;

/** One hash or two, then what is said of the picture. */
function headSize(type: number, instance: number): number {
  return hashes(instance) * hash + aboutSize(type);
}

function hashes(instance: number): number {
  return (instance & 1) === 1 ? 2 : 1;
}

function aboutSize(type: number): number {
  return type <= 0xf01c ? 34 : 1;
}

/** Every field of a picture is sealed by itself, each as if it were the first bytes of all. */
export function openedPictures(sealed: Buffer, open: OpenBlock): Buffer {
  const out = Buffer.from(sealed);
  for (let at = 0; at + 8 <= out.length;) {
    open(0, sealed.subarray(at, at + 8)).copy(out, at);
    const record = recordAt(out, at);
    if (record === undefined) break;
    const { type, instance, end } = record;
    at = record.start;
    const fields = [...Array.from({ length: hashes(instance) }, () => hash), aboutSize(type), out.length];
    for (const size of fields) {
      const to = Math.min(at + size, end);
      open(0, sealed.subarray(at, to)).copy(out, at);
      at = to;
    }
  }
  return out;
}

const [pictureOption, descriptionOption, isLong] = [0x104, 0x381, 0x8000];

/** Which picture a shape shows; 0 for none. */
export function pictureNumber(data: Buffer, { instance, start, end }: PptRecord): number {
  for (let at = start; at + 6 <= Math.min(end, start + instance * 6); at += 6)
    if ((data.readUInt16LE(at) & 0x3fff) === pictureOption) return data.readUInt32LE(at + 2);
  return 0;
}

/** What a shape is said to show; what is longer than a number lies behind all options, in their order. */
export function shapeWords(data: Buffer, { instance, start, end }: PptRecord): string {
  const last = Math.min(end, start + instance * 6);
  let from = last;
  for (let at = start; at + 6 <= last; at += 6) {
    const [option, value] = [data.readUInt16LE(at), data.readUInt32LE(at + 2)];
    if ((option & isLong) === 0) continue;
    const to = Math.min(end, from + value);
    if ((option & 0x3fff) === descriptionOption) return data.toString('utf16le', from, to).replaceAll('\0', '').trim();
    from = to;
  }
  return '';
}
