// GIF, still or moving: header, structure, and the same picture without its metadata. Blocks are walked, never decoded.
import type { ImageFormat, ImageShape, ShapeResult } from '../format.ts';
import { mostPieces } from '../format.ts';

type Piece = { kind: 'frame' | 'control' | 'metadata' | 'end' | 'more'; start: number; end: number };

/** Extensions that change what is seen: looping, and the colour profile. */
const seen = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

export const gif: ImageFormat = {
  type: 'image/gif',
  name: 'GIF',
  label: 'a GIF picture',
  ending: '.gif',
  magic: ['474946383761', '474946383961'],
  canonical: true,
  header: gifHeader,
  fault: gifFault,
  strip: gifStripped,
};

/** The screen, or more where the first frame leaves it, as viewers do; frames are counted as far as the head reaches. */
function gifHeader(head: Buffer): ShapeResult {
  if (head.length < 13) return { need: 13 };
  const screen = [head.readUInt16LE(6), head.readUInt16LE(8)] as const;
  let [width, height] = screen;
  let [frames, endless] = [0, false];
  for (const { kind, start } of pieces(head)) {
    if (kind === 'more') endless = true;
    if (kind !== 'frame') continue;
    frames += 1;
    if (frames > 1) continue;
    width = Math.max(width, head.readUInt16LE(start + 1) + head.readUInt16LE(start + 5));
    height = Math.max(height, head.readUInt16LE(start + 3) + head.readUInt16LE(start + 7));
  }
  const header: ImageShape = { width, height, orientation: 1, animated: frames > 1 };
  if (frames > 1 && !endless) header.frames = frames;
  if (endless) header.rare = 'a film of countless frames';
  // Not every program grows its screen.
  if (width > screen[0] || height > screen[1]) header.rare = 'a frame larger than its screen';
  return { header };
}

/** What is wrong with the file's structure; without its trailer it was cut. */
function gifFault(bytes: Buffer): string | undefined {
  let frames = 0;
  for (const { kind } of pieces(bytes)) {
    if (kind === 'frame') frames += 1;
    if (kind === 'end' || kind === 'more') return frames > 0 ? undefined : 'it holds no frame';
  }
  return 'it ends before its trailer';
}

/** The same frames, timing and colours, without comments, foreign blocks and whatever follows the end. */
function gifStripped(bytes: Buffer): Buffer {
  const parts = [bytes.subarray(0, tableEnd(bytes, 10, 13))];
  for (const { kind, start, end } of pieces(bytes)) if (kind !== 'metadata') parts.push(bytes.subarray(start, end));
  return Buffer.concat(parts);
}

/** Block after block until the trailer, the end of the bytes, a block that cannot be one, or one too many. */
function* pieces(bytes: Buffer): Generator<Piece> {
  let count = 0;
  for (let start = tableEnd(bytes, 10, 13); start < bytes.length;) {
    count += 1;
    if (count > mostPieces) {
      yield { kind: 'more', start, end: start };
      return;
    }
    const code = bytes[start];
    if (code === 0x3b) {
      yield { kind: 'end', start, end: start + 1 };
      return;
    }
    const data = code === 0x2c ? tableEnd(bytes, start + 9, start + 10) + 1 : start + 2;
    const end = code === 0x2c || code === 0x21 ? afterSubBlocks(bytes, data) : undefined;
    if (end === undefined) return;
    yield { kind: code === 0x2c ? 'frame' : extensionKind(bytes, start), start, end };
    start = end;
  }
}

function extensionKind(bytes: Buffer, start: number): Piece['kind'] {
  const label = bytes[start + 1];
  if (label === 0xf9 || label === 0x01) return 'control';
  const name = bytes.toString('latin1', start + 3, start + 14);
  return label === 0xff && seen.has(name) ? 'control' : 'metadata';
}

/** Where a colour table ends whose size is packed into the byte at `flags`. */
function tableEnd(bytes: Buffer, flags: number, start: number): number {
  const packed = bytes[flags] ?? 0;
  return (packed & 0x80) === 0 ? start : start + 3 * 2 ** ((packed & 7) + 1);
}

function afterSubBlocks(bytes: Buffer, from: number): number | undefined {
  for (let at = from; at < bytes.length;) {
    const size = bytes[at] ?? 0;
    at += size + 1;
    if (size === 0) return at;
  }
  return undefined;
}
