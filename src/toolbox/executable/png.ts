// A picture without a library: pixels in, a PNG out.
import { crc32, deflateSync } from 'node:zlib';

/** A colour, each part from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/**
 * A PNG of `width` × `height`; `pixel` gives the colour at each place, every part from 0 to 255.
 *
 * @example
 * const red = png(64, 64, () => [255, 0, 0]);
 */
export function png(width: number, height: number, pixel: (x: number, y: number) => Colour): Uint8Array {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(pixel(x, y), y * (1 + width * 3) + 1 + x * 3);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8); // eight bits for each of red, green and blue
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')]);
}

function chunk(kind: string, data: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(kind), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
