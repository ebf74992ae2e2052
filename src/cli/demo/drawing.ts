// Pictures drawn by hand, dot by dot, and packed with what Node has. Nothing comes in from outside, so nothing is refused.
import { crc32, deflateSync } from 'node:zlib';

export type InkColour = readonly [red: number, green: number, blue: number];

/** A white sheet of paper. */
export type DrawnSheet = {
  fill: (x: number, y: number, wide: number, high: number, colour: InkColour) => void;
  /** Capital letters and digits of so many pixels a dot. */
  write: (text: string, x: number, y: number, dot: number) => void;
  /** What was drawn, as a PNG file. */
  png: () => Uint8Array;
};

export const ink: InkColour = [55, 65, 81];

/** Letters of three by five dots, each row an octal digit. */
const letters: Record<string, string> = {
  '0': '75557', '1': '26227', '2': '71747', '3': '71717', '4': '55711', '5': '74717', '6': '74757', '7': '71111',
  '8': '75757', '9': '75717', A: '25755', B: '65656', C: '34443', D: '65556', E: '74647', F: '74644', G: '34553',
  H: '55755', I: '72227', J: '11152', K: '55655', L: '44447', M: '57755', N: '57775', O: '25552', P: '65644',
  Q: '75573', R: '65655', S: '74717', T: '72222', U: '55557', V: '55552', W: '55775', X: '55255', Y: '55222',
  Z: '71247', '-': '00700', ' ': '00000',
}; // prettier-ignore

/** Opens a sheet to draw on. */
export function openSheet(width: number, height: number): DrawnSheet {
  const pixels = new Uint8Array(width * height * 3).fill(255);
  const fill: DrawnSheet['fill'] = (x, y, wide, high, colour) => {
    for (let row = y; row < y + high; row++) {
      for (let column = x; column < x + wide; column++) pixels.set(colour, (row * width + column) * 3);
    }
  };
  return {
    fill,
    write(text, x, y, dot) {
      for (const [at, letter] of text.split('').entries()) {
        for (const [row, bits] of (letters[letter] ?? '77777').split('').entries()) {
          for (let column = 0; column < 3; column++) {
            if (Number(bits) & (4 >> column)) fill(x + (at * 4 + column) * dot, y + row * dot, dot, dot, ink);
          }
        }
      }
    },
    png: () => png(pixels, width, height),
  };
}

/** Rows of red, green and blue bytes as a PNG file. */
function png(pixels: Uint8Array, width: number, height: number): Uint8Array {
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
