// JPEG in every process: header, structure, and the same picture without its metadata. Markers are walked, the
// compressed data is only searched for the next one. Bytes between segments are skipped, as decoders do.
import { exifOrientation } from '../exif.ts';
import type { ImageFormat, ShapeResult } from '../format.ts';

/** `start` is the 0xff of the marker, `data` the first byte after the length, `end` the first byte after it all. */
type Segment = { marker: number; start: number; data: number; end: number };

const [startOfImage, endOfImage, startOfScan] = [0xd8, 0xd9, 0xda];

export const jpeg: ImageFormat = {
  type: 'image/jpeg',
  name: 'JPEG',
  label: 'a JPEG picture',
  ending: '.jpg',
  magic: ['ffd8ff'],
  canonical: true,
  lossy: true,
  header: jpegHeader,
  fault: jpegFault,
  strip: jpegStripped,
};

function jpegHeader(head: Buffer): ShapeResult {
  let orientation = 1;
  for (let at = 2; ;) {
    const segment = nextSegment(head, at);
    if (segment === undefined || segment.data > head.length) return { need: head.length + 4096 };
    if (segment.marker === startOfScan || segment.marker === endOfImage) return { fault: 'it has no frame header' };
    if (segment.end > head.length && (isFrame(segment) || isExif(head, segment))) return { need: segment.end };
    if (isExif(head, segment)) orientation = exifOrientation(head.subarray(segment.data + 6, segment.end));
    if (isFrame(segment)) {
      if (segment.end - segment.data < 6) return { fault: 'its frame header is too short' };
      const [height, width] = [head.readUInt16BE(segment.data + 1), head.readUInt16BE(segment.data + 3)];
      const rare = rareCoding(head, segment);
      const header = { width, height, orientation, animated: false };
      return { header: rare === undefined ? header : { ...header, rare } };
    }
    at = segment.end;
    if (at > head.length) return { need: at + 4096 };
  }
}

/** What is wrong with the file's structure; a picture that stops before its end marker has lost pixels. */
function jpegFault(bytes: Buffer): string | undefined {
  const end = endOf(bytes);
  return typeof end === 'string' ? end : undefined;
}

/** The same pixels and colours without camera data, places, thumbnails, comments and whatever follows the end. */
function jpegStripped(bytes: Buffer): Buffer {
  const end = endOf(bytes);
  if (typeof end === 'string') return bytes;
  const parts = [bytes.subarray(0, 2)];
  for (let at = 2; ;) {
    const segment = nextSegment(bytes, at);
    if (segment === undefined) return bytes;
    if (segment.marker === startOfScan) return Buffer.concat([...parts, bytes.subarray(segment.start, end)]);
    if (!isMetadata(bytes, segment)) parts.push(bytes.subarray(segment.start, segment.end));
    at = segment.end;
  }
}

/** Where the picture ends, or why it does not. */
function endOf(bytes: Buffer): number | string {
  let scans = 0;
  for (let at = 2; ;) {
    const segment = nextSegment(bytes, at);
    if (segment === undefined) return 'it ends before its end marker';
    if (segment.marker === endOfImage) return scans > 0 ? segment.end : 'it holds no pixels';
    if (segment.end > bytes.length) return 'it ends inside a segment';
    if (segment.end < segment.data) return 'a segment has an impossible length';
    if (segment.marker === startOfScan) scans += 1;
    at = segment.marker === startOfScan ? afterScan(bytes, segment.end) : segment.end;
  }
}

/** The next marker that is neither a stuffed byte nor a restart. */
function afterScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const code = bytes[at + 1];
    if (code !== undefined && code !== 0x00 && code !== 0xff && (code < 0xd0 || code > 0xd7)) return at;
  }
  return bytes.length;
}

function nextSegment(bytes: Buffer, from: number): Segment | undefined {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && (bytes[at + 1] === 0xff || bytes[at + 1] === 0x00)) at = bytes.indexOf(0xff, at + 1); // fill bytes
  const marker = bytes[at + 1];
  if (at < 0 || marker === undefined) return undefined;
  const alone =
    marker === endOfImage || marker === startOfImage || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
  if (alone) return { marker, start: at, data: at + 2, end: at + 2 };
  if (at + 4 > bytes.length) return undefined;
  return { marker, start: at, data: at + 4, end: at + 2 + bytes.readUInt16BE(at + 2) };
}

/** Frame headers, whatever the process; tables for Huffman and arithmetic coding and a reserved code lie among them. */
function isFrame({ marker }: Segment): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Everyone shows baseline and progressive pictures of eight bits in grey or colour; the rest is for specialists. */
function rareCoding(head: Buffer, { marker, data }: Segment): string | undefined {
  if (head[data + 5] === 4) return 'CMYK';
  if (marker > 0xc2) return 'a rare kind of JPEG';
  return head[data] === 8 ? undefined : 'more than eight bits per channel';
}

function isExif(bytes: Buffer, { marker, data }: Segment): boolean {
  return marker === 0xe1 && bytes.toString('latin1', data, data + 6) === 'Exif\u0000\u0000';
}

/** Kept: JFIF, the colour profile, and Adobe's note on how colours are coded. */
function isMetadata(bytes: Buffer, { marker, data }: Segment): boolean {
  if (marker === 0xfe) return true;
  if (marker < 0xe0 || marker > 0xef) return false;
  const name = bytes.toString('latin1', data, data + 12);
  const needed =
    (marker === 0xe0 && name.startsWith('JFIF\u0000')) ||
    (marker === 0xe2 && name.startsWith('ICC_PROFILE\u0000')) ||
    (marker === 0xee && name.startsWith('Adobe'));
  return !needed;
}
