// Pixels or a PNG as what a terminal takes. Each returns lines; the picture fills exactly as many as it says.
import type { Cells } from './graphics.ts';

/** RGB pixels, row by row. */
export type PixelData = { data: Uint8Array; width: number; height: number };

const escape = '\u001B';

/** Two pixels a character: the upper half in the text's colour, the lower in that of the ground. */
export function halfBlocks({ data, width, height }: PixelData): string[] {
  const lines: string[] = [];
  for (let y = 0; y < height; y += 2) {
    let line = '';
    let before = '';
    for (let x = 0; x < width; x++) {
      const upper = colourAt(data, (y * width + x) * 3);
      const lower = y + 1 < height ? colourAt(data, ((y + 1) * width + x) * 3) : upper;
      const style = `${escape}[38;2;${upper};48;2;${lower}m`;
      line += style === before ? '▀' : `${style}▀`;
      before = style;
    }
    lines.push(`${line}${escape}[0m`);
  }
  return lines;
}

function colourAt(data: Uint8Array, at: number): string {
  return `${data[at]};${data[at + 1]};${data[at + 2]}`;
}

const kittyChunk = 4096;

/** Kitty's graphics protocol: a PNG, scaled to the cells. `id` must be the picture's own. */
export function kitty(png: Uint8Array, { columns, rows }: Cells, id: number): string[] {
  const text = Buffer.from(png).toString('base64');
  const head = `a=T,f=100,q=2,C=1,c=${columns},r=${rows},i=${id}`;
  let sequence = '';
  for (let at = 0; at === 0 || at < text.length; at += kittyChunk) {
    const more = at + kittyChunk < text.length ? 1 : 0;
    const controls = at === 0 ? `${head},m=${more}` : `m=${more}`;
    sequence += `${escape}_G${controls};${text.slice(at, at + kittyChunk)}${escape}\\`;
  }
  return [sequence, ...emptyLines(rows - 1)];
}

/** iTerm2's inline pictures: any type the system knows, scaled to the cells. Drawn from the last line upwards. */
export function iterm2(bytes: Uint8Array, { columns, rows }: Cells): string[] {
  const up = rows > 1 ? `${escape}[${rows - 1}A` : '';
  const controls = `inline=1;size=${bytes.length};width=${columns};height=${rows};preserveAspectRatio=1`;
  const sequence = `${escape}]1337;File=${controls}:${Buffer.from(bytes).toString('base64')}\u0007`;
  return [...emptyLines(rows - 1), `${up}${sequence}`];
}

/** Six rows of pixels a band, 216 colours and a dither that does not move. */
export function sixel({ data, width, height }: PixelData): string {
  const indexed = dithered(data, width, height);
  let out = `${escape}Pq"1;1;${width};${height}`;
  const known = new Set<number>();
  for (let top = 0; top < height; top += 6) {
    const depth = Math.min(6, height - top);
    const colours = new Map<number, Uint8Array>();
    for (let y = 0; y < depth; y++) {
      for (let x = 0; x < width; x++) {
        const colour = indexed[(top + y) * width + x] ?? 0;
        const row = colours.get(colour) ?? new Uint8Array(width);
        colours.set(colour, row);
        row[x] = (row[x] ?? 0) | (1 << y);
      }
    }
    const bands = [...colours].map(([colour, row]) => {
      const definition = known.has(colour) ? '' : definitionOf(colour);
      known.add(colour);
      return `${definition}#${colour}${runs(row)}`;
    });
    out += `${top === 0 ? '' : '-'}${bands.join('$')}`;
  }
  return `${out}${escape}\\`;
}

/** The terminal library lets only lines with a picture be wider than the screen, and knows them by Kitty's sequence; an
 * empty one is passed over by every other terminal. */
const pictureMark = `${escape}_G${escape}\\`;

/** A sixel picture as lines: drawn from the last one upwards, so that those above it are already there. */
export function sixelLines(pixels: PixelData, rows: number): string[] {
  const up = rows > 1 ? `${escape}[${rows - 1}A` : '';
  return [...emptyLines(rows - 1), `${pictureMark}${escape}7${up}${sixel(pixels)}${escape}8`];
}

const levels = 6;
const thresholds = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

function dithered(data: Uint8Array, width: number, height: number): Uint8Array {
  const indexed = new Uint8Array(width * height);
  for (let at = 0; at < indexed.length; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const shift = ((thresholds[(y % 4) * 4 + (x % 4)] ?? 0) + 0.5) / 16;
    const level = (channel: number): number =>
      Math.min(levels - 1, Math.floor(((data[at * 3 + channel] ?? 0) / 255) * (levels - 1) + shift));
    indexed[at] = (level(0) * levels + level(1)) * levels + level(2);
  }
  return indexed;
}

/** Colours of sixel are percentages. */
function definitionOf(colour: number): string {
  const percent = (level: number): number => Math.round((level * 100) / (levels - 1));
  const [red, green, blue] = [
    Math.floor(colour / (levels * levels)),
    Math.floor(colour / levels) % levels,
    colour % levels,
  ];
  return `#${colour};2;${percent(red)};${percent(green)};${percent(blue)}`;
}

function runs(row: Uint8Array): string {
  let out = '';
  for (let at = 0; at < row.length;) {
    let end = at + 1;
    while (end < row.length && row[end] === row[at]) end++;
    const sign = String.fromCharCode(63 + (row[at] ?? 0));
    out += end - at > 3 ? `!${end - at}${sign}` : sign.repeat(end - at);
    at = end;
  }
  return out;
}

function emptyLines(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, () => '');
}
