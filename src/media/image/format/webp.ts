// WebP, lossy, lossless, extended and animated: header, structure, and the same picture without its metadata.
import { exifOrientation } from '../exif.ts';
import type { ImageFormat, ImageShape, ShapeResult } from '../format.ts';
import { mostPieces } from '../format.ts';

type Chunk = { name: string; start: number; data: number; end: number };

const kept = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L']);
const [animationFlag, exifFlag, xmpFlag] = [0x02, 0x08, 0x04];

export const webp: ImageFormat = {
  type: 'image/webp',
  name: 'WebP',
  label: 'a WebP picture',
  ending: '.webp',
  magic: ['52494646........57454250'],
  canonical: true,
  lossy: true,
  header: webpHeader,
  fault: webpFault,
  strip: webpStripped,
};

function webpHeader(head: Buffer): ShapeResult {
  if (head.length < 30) return { need: 30 };
  const header: ImageShape = { width: 0, height: 0, orientation: 1, animated: false };
  const first = head.toString('latin1', 12, 16);
  if (first === 'VP8X') {
    const flags = head.readUInt8(20);
    const size = { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    const animated = (flags & animationFlag) !== 0;
    const extended = { ...header, ...size, animated, ...(animated && { frames: frameCount(head) }) };
    return (flags & exifFlag) === 0 ? { header: extended } : oriented(head, extended);
  }
  if (first === 'VP8L') {
    if (head[20] !== 0x2f) return { fault: 'its lossless data has no signature' };
    const bits = head.readUInt32LE(21);
    return { header: { ...header, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } };
  }
  if (first !== 'VP8 ') return { fault: 'it does not begin with a picture chunk' };
  if (head.readUIntBE(23, 3) !== 0x9d012a) return { fault: 'its first frame is no key frame' };
  return { header: { ...header, width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff } };
}

/** The orientation stands in a chunk behind the pixels, so this is the one header that may need the whole file. */
function oriented(head: Buffer, header: ImageShape): ShapeResult {
  for (const chunk of chunks(head)) {
    if (chunk.name !== 'EXIF') continue;
    if (chunk.end > head.length) return { need: chunk.end };
    const exif = head.subarray(chunk.data, chunk.end);
    const tagged = exif.toString('latin1', 0, 6) === 'Exif\u0000\u0000';
    return { header: { ...header, orientation: exifOrientation(tagged ? exif.subarray(6) : exif) } };
  }
  const size = head.readUInt32LE(4) + 8;
  return size > head.length ? { need: size } : { header };
}

/** How many frames there are as far as these bytes reach. */
function frameCount(bytes: Buffer): number {
  let frames = 0;
  for (const { name } of chunks(bytes)) if (name === 'ANMF') frames += 1;
  return frames;
}

/** What is wrong with the file's structure: the sizes must add up and a picture must be inside. */
function webpFault(bytes: Buffer): string | undefined {
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return 'it is shorter than its header says';
  let [pictures, count] = [0, 0];
  for (const { name, data, end } of chunks(bytes)) {
    count += 1;
    if (count > mostPieces) return `it is made of more than ${mostPieces} chunks`;
    if (end > bytes.length) return `it ends inside a ${name.trim()} chunk`;
    if (name === 'VP8X' && end - data < 10) return 'its header chunk is too short';
    if (name === 'VP8 ' || name === 'VP8L' || name === 'ANMF') pictures += 1;
  }
  return pictures > 0 ? undefined : 'it holds no pixels';
}

/** The same pixels, colours and frames, without EXIF, XMP, unknown chunks and whatever follows the end. */
function webpStripped(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (const { name, start, end } of chunks(bytes)) {
    if (!kept.has(name)) continue;
    const part = Buffer.from(bytes.subarray(start, end + ((end - start) & 1)));
    if (name === 'VP8X' && part.length > 8) part.writeUInt8(part.readUInt8(8) & ~(exifFlag | xmpFlag), 8);
    parts.push(part);
  }
  const body = Buffer.concat(parts);
  const head = Buffer.from('RIFF\u0000\u0000\u0000\u0000WEBP', 'latin1');
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

/** Chunk after chunk as far as the container says; `end` is without the padding to even length. */
function* chunks(bytes: Buffer): Generator<Chunk> {
  const limit = Math.min(bytes.length, bytes.readUInt32LE(4) + 8);
  let count = 0;
  for (let start = 12; start + 8 <= limit && count <= mostPieces; count += 1) {
    const end = start + 8 + bytes.readUInt32LE(start + 4);
    yield { name: bytes.toString('latin1', start, start + 4), start, data: start + 8, end };
    start = end + (end & 1);
  }
}
