// Numbers → a bar chart as a real PNG file: pixels drawn by hand, packed with what Node has. Nothing comes in from
// outside, so nothing is refused.
import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [red: number, green: number, blue: number];
type Bar = { label: string; value: number };

const width = 640;
const height = 400;
const [left, bottom, top] = [70, 340, 80];
const ink: Colour = [55, 65, 81];
const blue: Colour = [59, 130, 246];
const green: Colour = [16, 185, 129];

/** Letters of three by five dots, each row an octal digit. */
const letters: Record<string, string> = {
  '0': '75557',
  '1': '26227',
  '2': '71747',
  '3': '71717',
  '4': '55711',
  '5': '74717',
  '6': '74757',
  '7': '71111',
  '8': '75757',
  '9': '75717',
  A: '25755',
  E: '74647',
  L: '44447',
  Q: '75573',
  S: '74717',
  ' ': '00000',
};

/** Draws the chart; the highest bar stands out. */
export function chartPng(title: string, bars: readonly Bar[]): Uint8Array {
  const pixels = new Uint8Array(width * height * 3).fill(255);
  const fill = (x: number, y: number, wide: number, high: number, colour: Colour): void => {
    for (let row = y; row < y + high; row++) {
      for (let column = x; column < x + wide; column++) pixels.set(colour, (row * width + column) * 3);
    }
  };
  const write = (text: string, x: number, y: number, dot: number): void => {
    for (const [at, letter] of text.split('').entries()) {
      for (const [row, bits] of (letters[letter] ?? '77777').split('').entries()) {
        for (let column = 0; column < 3; column++) {
          if (Number(bits) & (4 >> column)) fill(x + (at * 4 + column) * dot, y + row * dot, dot, dot, ink);
        }
      }
    }
  };
  const most = Math.max(...bars.map((bar) => bar.value));
  const step = Math.floor((width - left - 40) / bars.length);
  write(title, left, 28, 5);
  for (const [at, { label, value }] of bars.entries()) {
    const high = Math.round(((bottom - top) * value) / most);
    const x = left + 24 + at * step;
    fill(x, bottom - high, step - 48, high, value === most ? green : blue);
    write(String(value), x + 12, bottom - high - 24, 4);
    write(label, x + 24, bottom + 16, 4);
  }
  fill(left, top - 20, 3, bottom - top + 20, ink);
  fill(left, bottom, width - left - 40, 3, ink);
  return png(pixels);
}

/** Rows of red, green and blue bytes as a PNG file. */
function png(pixels: Uint8Array): Uint8Array {
  const rows = new Uint8Array(height * (width * 3 + 1)); // each row begins with its filter, 0 for none
  for (let row = 0; row < height; row++) {
    rows.set(pixels.subarray(row * width * 3, (row + 1) * width * 3), row * (width * 3 + 1) + 1);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8); // eight bits, true colour
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')]);
}

function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
