// Bitmaps and icons of every kind, written by hand: no library here writes them.
import { rowBytes } from '../../src/media/image/format/dib.ts';

export type Shape = {
  width: number;
  height: number;
  bits: number;
  /** length of the header: 12, 40, 108, 124 and so on */
  header?: number;
  compression?: number;
  /** what stands behind a header that has no room for masks */
  masks?: readonly number[];
  /** red, green and blue of each colour */
  palette?: readonly (readonly [number, number, number])[];
};

/** The inside of a BMP file: header, masks, colours and pixels. */
export function dib(shape: Shape, pixels: Uint8Array): Buffer {
  const { width, height, bits, header = 40, compression = 0, masks = [], palette = [] } = shape;
  const head = Buffer.alloc(header);
  head.writeUInt32LE(header, 0);
  if (header === 12) {
    head.writeUInt16LE(width, 4);
    head.writeUInt16LE(height, 6);
    head.writeUInt16LE(1, 8);
    head.writeUInt16LE(bits, 10);
  } else {
    head.writeInt32LE(width, 4);
    head.writeInt32LE(height, 8);
    head.writeUInt16LE(1, 12);
    head.writeUInt16LE(bits, 14);
  }
  if (header >= 40) {
    head.writeUInt32LE(compression, 16);
    head.writeUInt32LE(palette.length, 32);
  }
  const behind = Buffer.alloc(header === 40 ? masks.length * 4 : 0);
  for (const [at, mask] of masks.entries()) {
    if (header === 40) behind.writeUInt32LE(mask, at * 4);
    else head.writeUInt32LE(mask, 40 + at * 4);
  }
  const end = header === 12 ? [] : [0];
  const colours = Buffer.from(palette.flatMap(([red, green, blue]) => [blue, green, red, ...end]));
  return Buffer.concat([head, behind, colours, pixels]);
}

/** A whole BMP file. */
export function bmp(shape: Shape, pixels: Uint8Array): Buffer {
  const inside = dib(shape, pixels);
  const head = Buffer.alloc(14);
  head.write('BM', 'latin1');
  head.writeUInt32LE(14 + inside.length, 2);
  head.writeUInt32LE(14 + inside.length - pixels.length, 10);
  return Buffer.concat([head, inside]);
}

/** Rows of numbers packed at some depth, each row padded to four bytes. */
export function packed(rows: readonly (readonly number[])[], bits: number): Buffer {
  const stride = rowBytes({ width: rows[0]?.length ?? 0, bits });
  return Buffer.concat(
    rows.map((row) => {
      const line = Buffer.alloc(stride);
      for (const [x, value] of row.entries()) {
        if (bits >= 8) line.writeUIntLE(value, (x * bits) / 8, bits / 8);
        else line[(x * bits) >> 3] = (line[(x * bits) >> 3] ?? 0) | (value << (8 - bits - ((x * bits) % 8)));
      }
      return line;
    }),
  );
}

/** An icon file with these pictures in it; the sizes are what its list says. */
export function ico(...pictures: { width: number; height: number; bytes: Uint8Array }[]): Buffer {
  const list = Buffer.alloc(6 + pictures.length * 16);
  list.writeUInt16LE(1, 2);
  list.writeUInt16LE(pictures.length, 4);
  let at = list.length;
  for (const [index, { width, height, bytes }] of pictures.entries()) {
    const entry = 6 + index * 16;
    list.set([width % 256, height % 256, 0, 0, 1, 0, 32, 0], entry);
    list.writeUInt32LE(bytes.length, entry + 8);
    list.writeUInt32LE(at, entry + 12);
    at += bytes.length;
  }
  return Buffer.concat([list, ...pictures.map(({ bytes }) => bytes)]);
}
