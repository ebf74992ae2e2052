// The head of a device-independent bitmap (the inside of BMP and ICO files) in, its shape out: size, direction of its
// rows, depth, packing, masks, and where colours and pixels lie. Every number is checked before it is used.
import type { UnreadShape } from '../format.ts';

type Packing = 'plain' | 'rle8' | 'rle4';

export type Dib = {
  width: number;
  height: number;
  /** rows are stored from the top; they usually begin at the bottom */
  topDown: boolean;
  bits: number;
  packing: Packing;
  /** where red, green, blue and alpha lie in a pixel of 16 or 32 bits */
  masks: readonly [red: number, green: number, blue: number, alpha: number];
  /** the colour table: its place, how many colours, and the bytes of one */
  palette: { at: number; colours: number; bytes: 3 | 4 };
  /** the first byte behind header, masks and colours */
  end: number;
};

const depths: Record<Packing, readonly number[]> = { plain: [1, 4, 8, 16, 24, 32], rle8: [8], rle4: [4] };
/** How long the header of a bitmap may be. */
export const headerLengths: readonly number[] = [12, 16, 40, 52, 56, 64, 108, 124];
/** Behind the usual header stand three masks or four; longer headers hold them themselves. */
const maskBytes: Record<number, number> = { 3: 12, 6: 16 };
const defaults: Record<number, Dib['masks']> = {
  16: [0x7c00, 0x03e0, 0x001f, 0],
  32: [0x00ff_0000, 0x0000_ff00, 0x0000_00ff, 0],
};

/** The shape of the bitmap whose header begins at `at`. */
export function parseDib(head: Buffer, at: number): { dib: Dib } | UnreadShape {
  if (at + 4 > head.length) return { need: at + 4 };
  const size = head.readUInt32LE(at);
  if (!headerLengths.includes(size)) return { fault: `its header has an unknown length of ${size} bytes` };
  if (at + size > head.length) return { need: at + size };
  const [width, height, bits] = size === 12 ? core(head, at) : info(head, at);
  if (width <= 0 || height === 0) return { fault: `its size is ${width}×${height}` };
  const code = size >= 40 ? head.readUInt32LE(at + 16) : 0;
  const packing = packingOf(code, size);
  if (packing === undefined) return { fault: 'its pixels are packed in a way that nobody reads' };
  if (!depths[packing].includes(bits)) return { fault: `it cannot have ${bits} bits per pixel` };
  const outside = size === 40 ? (maskBytes[code] ?? 0) : 0;
  if (at + size + outside > head.length) return { need: at + size + outside };
  const masks = masksOf(head, at, size, code) ?? defaults[bits] ?? [0, 0, 0, 0];
  const most = bits <= 8 ? 2 ** bits : 0;
  const used = size >= 40 ? head.readUInt32LE(at + 32) : 0;
  const colours = used === 0 ? most : Math.min(used, 256);
  const palette = { at: at + size + outside, colours, bytes: size === 12 ? 3 : 4 } as const;
  const end = palette.at + palette.colours * palette.bytes;
  return {
    dib: { width, height: Math.abs(height), topDown: height < 0, bits, packing, masks, palette, end },
  };
}

/** Bytes from one row of pixels to the next: rows begin at multiples of four. */
export function rowBytes({ width, bits }: Pick<Dib, 'width' | 'bits'>): number {
  return Math.ceil((width * bits) / 32) * 4;
}

function core(head: Buffer, at: number): [width: number, height: number, bits: number] {
  return [head.readUInt16LE(at + 4), head.readUInt16LE(at + 6), head.readUInt16LE(at + 10)];
}

function info(head: Buffer, at: number): [width: number, height: number, bits: number] {
  return [head.readInt32LE(at + 4), head.readInt32LE(at + 8), head.readUInt16LE(at + 14)];
}

/** Code 3 means masks, but for OS/2 (64 bytes of header) a fax coding that nobody uses. */
function packingOf(code: number, size: number): Packing | undefined {
  if (code === 1) return 'rle8';
  if (code === 2) return 'rle4';
  const masked = (code === 3 || code === 6) && size !== 64;
  return code === 0 || masked ? 'plain' : undefined;
}

function masksOf(head: Buffer, at: number, size: number, code: number): Dib['masks'] | undefined {
  if (code !== 3 && code !== 6) return undefined;
  const mask = (index: number): number => head.readUInt32LE(at + 40 + index * 4);
  const alpha = size >= 56 || (size === 40 && code === 6) ? mask(3) : 0;
  return [mask(0), mask(1), mask(2), alpha];
}
