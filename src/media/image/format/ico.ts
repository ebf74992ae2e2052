// Icons and cursors: the largest picture in the file, which is a PNG or a bitmap with a mask. Size and structure
// without decoding, and the picture itself as PNG bytes or as pixels.
import type { Dib } from './dib.ts';
import { parseDib, rowBytes } from './dib.ts';
import { dibFault, dibPixels } from './dib-pixels.ts';
import type { ImageFormat, ImageShape, Openable, UnreadShape, ShapeResult } from '../format.ts';
import { pngFault, pngHeader } from './png.ts';

type Entry = { at: number; end: number; entries: number };
type Picture = { dib: Dib; at: number } | { png: ImageShape };

export const ico: ImageFormat = {
  type: 'image/x-icon',
  name: 'ICO',
  label: 'an icon (ICO)',
  ending: '.ico',
  magic: ['00000100'],
  canonical: false,
  parts: 'sizes',
  header: icoHeader,
  fault: icoFault,
  pixels: (bytes, { width, height }) => icoPicture(bytes, { width, height, channels: 4 }),
};

/** A cursor is an icon with a hot spot. */
export const cur: ImageFormat = {
  ...ico,
  type: 'image/x-win-bitmap',
  name: 'CUR',
  label: 'a cursor (CUR)',
  ending: '.cur',
  magic: ['00000200'],
};

function icoHeader(head: Buffer): ShapeResult {
  const entry = largest(head);
  if (!('at' in entry)) return entry;
  const picture = pictureIn(head, entry);
  if ('need' in picture || 'fault' in picture) return picture;
  const { width, height } = 'png' in picture ? picture.png : picture.dib;
  return {
    header: { width, height, orientation: 1, animated: false, pages: entry.entries },
  };
}

/** What is wrong with the largest picture of the file. */
function icoFault(bytes: Buffer): string | undefined {
  const entry = largest(bytes);
  if (!('at' in entry)) return 'fault' in entry ? entry.fault : 'it ends inside its list of pictures';
  if (entry.at >= bytes.length) return 'its largest picture lies beyond its end';
  const picture = pictureIn(bytes, entry);
  if ('fault' in picture) return picture.fault;
  if ('need' in picture) return 'it ends inside the header of its largest picture';
  const inside = bytes.subarray(entry.at, entry.end);
  return 'png' in picture ? pngFault(inside) : dibFault(bytes.subarray(0, entry.end), picture.dib, picture.at);
}

/** The largest picture as a PNG file, or as RGBA pixels; only for files that have no fault. */
function icoPicture(bytes: Buffer, raw: NonNullable<Openable['raw']>): Openable {
  const entry = largest(bytes);
  if (!('at' in entry)) throw new Error('it has no readable list of pictures');
  const picture = pictureIn(bytes, entry);
  if ('png' in picture) return { data: bytes.subarray(entry.at, entry.end) };
  if (!('dib' in picture)) throw new Error('its largest picture has no readable header');
  const { dib, at } = picture;
  const pixels = dibPixels(bytes.subarray(0, entry.end), dib, at, true);
  const hidden = dib.bits === 32 && hides(pixels);
  const inverts = bytes[2] === 2 && dib.bits <= 8;
  if (!hidden) cutOut(pixels, bytes.subarray(at + rowBytes(dib) * dib.height, entry.end), dib, inverts);
  return { data: pixels, raw };
}

/** The entry with the most pixels, of those the one with the most bytes: the finest colours. */
function largest(head: Buffer): Entry | UnreadShape {
  if (head.length < 6) return { need: 6 };
  const entries = head.readUInt16LE(4);
  if (entries === 0) return { fault: 'it lists no picture' };
  if (6 + entries * 16 > head.length) return { need: 6 + entries * 16 };
  let best = { pixels: 0, bytes: -1, at: 0 };
  for (let entry = 0; entry < entries; entry += 1) {
    const from = 6 + entry * 16;
    const pixels = (head[from] || 256) * (head[from + 1] || 256);
    const [bytes, at] = [head.readUInt32LE(from + 8), head.readUInt32LE(from + 12)];
    if (pixels > best.pixels || (pixels === best.pixels && bytes > best.bytes)) best = { pixels, bytes, at };
  }
  return { at: best.at, end: best.at + best.bytes, entries };
}

/** A bitmap in an icon claims twice its height, because its mask lies behind it. */
function pictureIn(head: Buffer, { at, end }: Entry): Picture | UnreadShape {
  if (at + 8 > head.length) return { need: at + 64 };
  if (head.readUInt32BE(at) === 0x8950_4e47) {
    const result = pngHeader(head.subarray(at, end));
    if ('header' in result) return { png: result.header };
    return 'need' in result ? { need: at + result.need } : result;
  }
  const result = parseDib(head, at);
  if (!('dib' in result)) return result;
  const dib = { ...result.dib, height: Math.floor(result.dib.height / 2) };
  return dib.packing === 'plain' ? { dib, at: dib.end } : { fault: 'its largest picture is packed' };
}

function hides(pixels: Uint8Array): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return true;
  return false;
}

/**
 * Makes transparent what the mask of one bit per pixel says; a mask that is cut hides nothing. A cursor may turn over what
 * lies under it, as the bar in a text does: what is masked and not black is shown as it would look on white paper.
 */
function cutOut(pixels: Uint8Array, mask: Buffer, { width, height, topDown }: Dib, inverts: boolean): void {
  const stride = rowBytes({ width, bits: 1 });
  for (let row = 0; row < height; row += 1) {
    const y = topDown ? row : height - 1 - row;
    for (let x = 0; x < width; x += 1) {
      const byte = mask[row * stride + (x >> 3)] ?? 0;
      if (((byte >> (7 - (x & 7))) & 1) === 0) continue;
      const at = (y * width + x) * 4;
      const black = pixels[at] === 0 && pixels[at + 1] === 0 && pixels[at + 2] === 0;
      if (inverts && !black) for (let part = at; part < at + 3; part += 1) pixels[part] = 255 - (pixels[part] ?? 0);
      else pixels[at + 3] = 0;
    }
  }
}
