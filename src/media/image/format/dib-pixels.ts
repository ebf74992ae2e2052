// A device-independent bitmap in, its pixels as RGBA rows from the top out. Missing rows are found before decoding;
// what a run-length coding writes outside the picture is dropped, as every viewer does.
import type { Dib } from './dib.ts';
import { rowBytes } from './dib.ts';

/** What is wrong with the data of a bitmap; run-length codings may leave pixels out. */
export function dibFault(bytes: Buffer, dib: Dib, at: number): string | undefined {
  if (dib.palette.at + dib.palette.bytes > bytes.length) return 'it ends inside its header';
  const needed = dib.packing === 'plain' ? rowBytes(dib) * dib.height : 2;
  return at + needed > bytes.length ? 'it ends before its last row' : undefined;
}

/** Every pixel as red, green, blue and alpha. `alpha` keeps a fourth byte that no mask announces, as icons do. */
export function dibPixels(bytes: Buffer, dib: Dib, at: number, alpha = false): Uint8Array {
  const rows = dib.packing === 'plain' ? bytes.subarray(at) : unpacked(bytes.subarray(at), dib);
  const shape = dib.packing === 'plain' ? dib : { ...dib, bits: 8 };
  const out = new Uint8Array(dib.width * dib.height * 4);
  const write = shape.bits <= 8 ? indexed(bytes, shape) : direct(shape, alpha);
  const stride = shape === dib ? rowBytes(dib) : dib.width;
  for (let row = 0; row < dib.height; row += 1) {
    const y = dib.topDown ? row : dib.height - 1 - row;
    write(rows.subarray(row * stride, (row + 1) * stride), out, y * dib.width * 4);
  }
  return shape.bits === 16 || shape.bits === 32 ? shown(out) : out;
}

type WriteRow = (row: Buffer, out: Uint8Array<ArrayBuffer>, to: number) => void;

/** Pixels that are numbers of colours; a number without a colour is black. */
function indexed(bytes: Buffer, { width, bits, palette }: Dib): WriteRow {
  const colours = new Uint8Array(256 * 4);
  for (let index = 0; index < 256; index += 1) {
    const at = palette.at + index * palette.bytes;
    const known = index < palette.colours && at + 3 <= bytes.length;
    colours.set(known ? [bytes[at + 2] ?? 0, bytes[at + 1] ?? 0, bytes[at] ?? 0, 255] : [0, 0, 0, 255], index * 4);
  }
  const whole = new Uint32Array(colours.buffer); // a pixel at once, in whatever order this machine has its bytes
  const [perByte, mask] = [8 / bits, 2 ** bits - 1];
  return (row, out, to) => {
    const line = new Uint32Array(out.buffer, to, width);
    for (let x = 0; x < width; x += 1) {
      const byte = row[bits === 8 ? x : Math.floor(x / perByte)] ?? 0;
      line[x] = whole[bits === 8 ? byte : (byte >> (8 - bits - (x % perByte) * bits)) & mask] ?? 0;
    }
  };
}

/** Pixels that are colours. */
function direct({ width, bits, masks }: Dib, alpha: boolean): WriteRow {
  const size = bits / 8;
  if (bits === 24) {
    return (row, out, to) => {
      for (let x = 0; x < width; x += 1) {
        const from = x * 3;
        out[to + x * 4] = row[from + 2] ?? 0;
        out[to + x * 4 + 1] = row[from + 1] ?? 0;
        out[to + x * 4 + 2] = row[from] ?? 0;
        out[to + x * 4 + 3] = 255;
      }
    };
  }
  const announced =
    alpha && bits === 32 && masks[3] === 0 ? ([masks[0], masks[1], masks[2], 0xff00_0000] as const) : masks;
  const channels = announced.map(channel);
  return (row, out, to) => {
    for (let x = 0; x < width; x += 1) {
      const pixel = row.readUIntLE(x * size, size);
      for (let at = 0; at < 4; at += 1) out[to + x * 4 + at] = channels[at]?.(pixel) ?? 255;
    }
  };
}

/** One channel of a masked pixel, stretched to eight bits; no mask gives nothing. */
function channel(mask: number): ((pixel: number) => number) | undefined {
  if (mask === 0) return undefined;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return (pixel) => Math.round((((pixel & mask) >>> shift) / most) * 255);
}

/** An alpha channel that hides everything was never meant as one. */
function shown(pixels: Uint8Array): Uint8Array {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 0) return pixels;
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  return pixels;
}

/** Run-length coded rows, written out as one byte for each pixel. Ends with the data, the end code or the last row. */
function unpacked(data: Buffer, { width, height, packing }: Dib): Buffer {
  const out = Buffer.alloc(width * height);
  const half = packing === 'rle4';
  let [x, y] = [0, 0];
  const put = (colour: number): void => {
    if (x < width && y < height) out[y * width + x] = colour;
    x += 1;
  };
  for (let at = 0; at + 1 < data.length && y < height;) {
    const [count, value] = [data[at] ?? 0, data[at + 1] ?? 0];
    at += 2;
    if (count > 0) {
      for (let step = 0; step < count; step += 1) put(half ? nibble(value, step) : value);
    } else if (value === 0) {
      [x, y] = [0, y + 1];
    } else if (value === 1) {
      break;
    } else if (value === 2) {
      [x, y] = [x + (data[at] ?? 0), y + (data[at + 1] ?? 0)];
      at += 2;
    } else {
      for (let step = 0; step < value; step += 1) {
        put(half ? nibble(data[at + (step >> 1)] ?? 0, step) : (data[at + step] ?? 0));
      }
      const length = half ? Math.ceil(value / 2) : value;
      at += length + (length & 1);
    }
  }
  return out;
}

function nibble(byte: number, step: number): number {
  return (step & 1) === 0 ? byte >> 4 : byte & 15;
}
