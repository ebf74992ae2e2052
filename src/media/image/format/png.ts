// PNG, animated or not: header, structure, and the same picture without its metadata. Chunks are walked, never decoded.
import { crc32 } from 'node:zlib';
import { exifOrientation } from '../exif.ts';
import type { ImageFormat, ShapeResult } from '../format.ts';
import { mostPieces } from '../format.ts';

type Chunk = { name: string; start: number; data: number; end: number };

/** What a picture looks like depends on these; every other optional chunk is metadata. */
const kept = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' '),
);
const tooMany = `it is made of more than ${mostPieces} chunks`;
const depths: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

export const png: ImageFormat = {
  type: 'image/png',
  name: 'PNG',
  label: 'a PNG picture',
  ending: '.png',
  magic: ['89504e470d0a1a0a'],
  canonical: true,
  header: pngHeader,
  fault: pngFault,
  strip: pngStripped,
};

export function pngHeader(head: Buffer): ShapeResult {
  if (head.length < 33) return { need: 33 };
  const start = nextChunk(head, 8);
  if (start === undefined || start.name !== 'IHDR') return { fault: 'it does not begin with its header chunk' };
  let [frames, orientation, count] = [1, 1, 0];
  for (let at = start.end; ;) {
    count += 1;
    if (count > mostPieces) return { fault: tooMany };
    if (at + 8 > head.length) return { need: at + 8 };
    const chunk = nextChunk(head, at);
    if (chunk === undefined || chunk.name === 'IDAT' || chunk.name === 'IEND') break;
    const read = chunk.name === 'acTL' || chunk.name === 'eXIf';
    if (read && chunk.end > head.length) return { need: chunk.end };
    if (chunk.name === 'acTL') frames = head.readUInt32BE(chunk.data);
    if (chunk.name === 'eXIf') orientation = exifOrientation(head.subarray(chunk.data, chunk.end - 4));
    at = chunk.end;
  }
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)];
  const header = { width, height, orientation, animated: frames > 1 };
  return { header: frames > 1 ? { ...header, frames } : header };
}

/** What is wrong with the file's structure: order, sizes and checksums of its chunks. */
export function pngFault(bytes: Buffer): string | undefined {
  let [data, count] = [0, 0];
  for (let at = 8; ;) {
    count += 1;
    if (count > mostPieces) return tooMany;
    const chunk = nextChunk(bytes, at);
    if (chunk === undefined) return at < bytes.length ? 'a chunk has no name' : 'it ends before its last chunk';
    if (chunk.end > bytes.length) return `it ends inside its ${chunk.name} chunk`;
    if (isCritical(chunk) && !kept.has(chunk.name)) return `it needs a ${chunk.name} chunk that no decoder knows`;
    if (isNeeded(chunk) && !isIntact(bytes, chunk)) return `the checksum of its ${chunk.name} chunk is wrong`;
    if (chunk.name === 'IHDR' && !isPossible(bytes)) return 'its header asks for an impossible kind of pixel';
    if (chunk.name === 'IDAT') data += 1;
    if (chunk.name === 'IEND') return data > 0 ? undefined : 'it holds no pixels';
    at = chunk.end;
  }
}

/** The same pixels, colours and frames, without words, dates, places and whatever follows the end. */
function pngStripped(bytes: Buffer): Buffer {
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; ;) {
    const chunk = nextChunk(bytes, at);
    if (chunk === undefined || chunk.end > bytes.length) break;
    // What is needed is known to be intact: `pngFault` has refused the file otherwise.
    if (kept.has(chunk.name) && (isNeeded(chunk) || isIntact(bytes, chunk)))
      parts.push(bytes.subarray(chunk.start, chunk.end));
    if (chunk.name === 'IEND') break;
    at = chunk.end;
  }
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return length === bytes.length ? bytes : Buffer.concat(parts);
}

/** The name of nearly all chunks of a picture, as a number. */
const idat = 0x49444154;

function nextChunk(bytes: Buffer, start: number): Chunk | undefined {
  if (start + 8 > bytes.length) return undefined;
  const name = bytes.readUInt32BE(start + 4) === idat ? 'IDAT' : bytes.toString('latin1', start + 4, start + 8);
  return /^[A-Za-z]{4}$/.test(name)
    ? { name, start, data: start + 8, end: start + 12 + bytes.readUInt32BE(start) }
    : undefined;
}

function isCritical({ name }: Chunk): boolean {
  return name.charAt(0) < 'a';
}

/** Pixels of any frame; a damaged note about colours is only left out. */
function isNeeded(chunk: Chunk): boolean {
  return isCritical(chunk) || chunk.name === 'acTL' || chunk.name === 'fcTL' || chunk.name === 'fdAT';
}

function isIntact(bytes: Buffer, { start, end }: Chunk): boolean {
  return crc32(bytes.subarray(start + 4, end - 4)) === bytes.readUInt32BE(end - 4);
}

function isPossible(bytes: Buffer): boolean {
  const [depth, colour, , , interlace] = bytes.subarray(24, 29);
  return depths[colour ?? -1]?.includes(depth ?? -1) === true && (interlace === 0 || interlace === 1);
}
