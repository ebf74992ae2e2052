// The portable pixmaps PBM, PGM, PPM and PAM, as digits and as bytes: size from the header, and the pixels of the first
// picture in the file.
import type { ImageFormat, ImageHeader, Openable, UnreadShape, ShapeResult } from '../format.ts';

type Pixmap = {
  width: number;
  height: number;
  /** numbers of one pixel: grey, grey and alpha, red green blue, or these and alpha */
  samples: number;
  /** the largest of them, and in how many bits each stands; nothing when they are written as digits */
  most: number;
  bits?: 1 | 8 | 16;
  /** 1 is black */
  inverted: boolean;
  /** where they begin */
  data: number;
};

const gap = '(?:\\s|#[^\\n]*\\n)+';
const numbers = (count: number): string => `${gap}\\d+`.repeat(count);

export const pbm: ImageFormat = portable('bitmap', 'PBM', [
  new RegExp(`^P1${numbers(2)}${gap}[01]`),
  new RegExp(`^P4${numbers(2)}\\s`),
]);
export const pgm: ImageFormat = portable('graymap', 'PGM', [
  new RegExp(`^P2${numbers(4)}`),
  new RegExp(`^P5${numbers(3)}\\s`),
]);
export const ppm: ImageFormat = portable('pixmap', 'PPM', [
  new RegExp(`^P3${numbers(4)}`),
  new RegExp(`^P6${numbers(3)}\\s`),
]);
export const pam: ImageFormat = portable('arbitrarymap', 'PAM', [
  /^P7\n(?:#[^\n]*\n)*(?:WIDTH|HEIGHT|DEPTH|MAXVAL|TUPLTYPE) /,
]);

function portable(kind: string, name: string, magic: readonly RegExp[]): ImageFormat {
  return {
    type: `image/x-portable-${kind}`,
    name,
    label: `a portable ${kind} (${name})`,
    ending: `.${name.toLowerCase()}`,
    magic,
    canonical: false,
    header: pnmHeader,
    fault: pnmFault,
    pixels: pnmPixels,
  };
}

function pnmHeader(head: Buffer): ShapeResult {
  const layout = layoutOf(head);
  if (!('data' in layout)) return layout;
  const { width, height } = layout;
  return { header: { width, height, orientation: 1, animated: false } };
}

/** What is missing at the end; digits are counted when they are read. */
function pnmFault(bytes: Buffer): string | undefined {
  const layout = layoutOf(bytes);
  if ('need' in layout) return 'it ends inside its header';
  if ('fault' in layout) return layout.fault;
  const { width, height, samples, bits, data } = layout;
  const needed = bits === undefined ? 0 : Math.ceil((width * samples * bits) / 8) * height;
  return data + needed > bytes.length ? 'it ends before its last row' : undefined;
}

/** RGBA; only for files that have no fault. */
function pnmPixels(bytes: Buffer, { width, height }: ImageHeader): Openable {
  const layout = layoutOf(bytes);
  if (!('data' in layout)) throw new Error('it has no readable header');
  const { samples, most, inverted } = layout;
  const next = layout.bits === undefined ? digits(bytes, layout) : packed(bytes, layout);
  const level = (): number => {
    const value = Math.round((Math.min(next(), most) * 255) / most);
    return inverted ? 255 - value : value;
  };
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at += 4) {
    const first = level();
    data[at] = first;
    data[at + 1] = samples >= 3 ? level() : first;
    data[at + 2] = samples >= 3 ? level() : first;
    data[at + 3] = samples % 2 === 0 ? level() : 255;
  }
  return { data, raw: { width, height, channels: 4 } };
}

/** Numbers as digits; those of a bitmap may stand without a space between them. */
function digits(bytes: Buffer, { data, inverted }: Pixmap): () => number {
  let at = data;
  return () => {
    at = afterGap(bytes, at);
    const start = at;
    let value = 0;
    const end = inverted ? at + 1 : bytes.length;
    for (; at < end && isDigit(bytes[at]); at += 1) value = value * 10 + (bytes[at] ?? 0) - 0x30;
    if (at === start) throw new Error('it ends before its last pixel');
    return value;
  };
}

/** Numbers as bits or bytes; each row of bits begins with a new byte. */
function packed(bytes: Buffer, { width, bits, data }: Pixmap): () => number {
  let [at, column] = [data, 0];
  if (bits !== 1) {
    return () => {
      const value = bits === 16 ? ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0) : (bytes[at] ?? 0);
      at += bits === 16 ? 2 : 1;
      return value;
    };
  }
  return () => {
    const bit = ((bytes[at + (column >> 3)] ?? 0) >> (7 - (column & 7))) & 1;
    column += 1;
    if (column === width) [at, column] = [at + Math.ceil(width / 8), 0];
    return bit;
  };
}

function layoutOf(head: Buffer): Pixmap | UnreadShape {
  const letter = (head[1] ?? 0) - 0x30;
  if (letter === 7) return arbitrary(head);
  const bitmap = letter === 1 || letter === 4;
  const found: number[] = [];
  let at = 2;
  while (found.length < (bitmap ? 2 : 3)) {
    at = afterGap(head, at);
    const start = at;
    while (isDigit(head[at])) at += 1;
    if (at >= head.length) return { need: head.length + 4096 };
    if (at === start) return { fault: 'its header holds something else than numbers' };
    found.push(Number(head.toString('latin1', start, at)));
  }
  const [width = 0, height = 0, most = 1] = found;
  const samples = letter === 3 || letter === 6 ? 3 : 1;
  const layout = { width, height, samples, most, inverted: bitmap, data: at + 1 };
  if (letter <= 3) return checked(layout);
  return checked({ ...layout, bits: bitmap ? 1 : bitsFor(most) });
}

/** Lines of a word and a value, in any order, until one says that it is the last. */
function arbitrary(head: Buffer): Pixmap | UnreadShape {
  const end = /\nENDHDR *\n/.exec(head.toString('latin1', 0, Math.min(head.length, mostHeader)));
  if (end === null)
    return head.length >= mostHeader ? { fault: 'its header has no end' } : { need: head.length + 4096 };
  const lines = head.toString('latin1', 0, end.index + 1);
  const value = (word: string): number => Number(new RegExp(`^${word}\\s+(\\d+)\\s*$`, 'm').exec(lines)?.[1] ?? 0);
  const [width, height, samples, most] = [value('WIDTH'), value('HEIGHT'), value('DEPTH'), value('MAXVAL')];
  if (samples < 1 || samples > 4) return { fault: `a pixel of it has ${samples} numbers` };
  return checked({
    width,
    height,
    samples,
    most,
    bits: bitsFor(most),
    inverted: false,
    data: end.index + end[0].length,
  });
}

const mostHeader = 65_536;

function bitsFor(most: number): 8 | 16 {
  return most > 255 ? 16 : 8;
}

function checked(layout: Pixmap): Pixmap | UnreadShape {
  return layout.most >= 1 && layout.most <= 65_535 ? layout : { fault: `its brightest number is ${layout.most}` };
}

/** Behind white space and comments. */
function afterGap(bytes: Buffer, from: number): number {
  let at = from;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x23) {
      const line = bytes.indexOf(0x0a, at);
      if (line < 0) return bytes.length;
      at = line;
    } else if (byte !== 0x20 && (byte < 0x09 || byte > 0x0d)) break;
  }
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
