// Pixels in, how small the writing on them is out; nothing where there is none. Writing is told from photographs by what
// stands around it: a row through small letters turns from dark to light and back many times, the rows between two lines
// hardly ever.
import type { Pixels } from './fit.ts';

/** Rows are looked at in pieces of this width, so that columns of a page do not hide each other's lines. */
const strip = 192;
/** Steps of grey that count as a turn from dark to light. */
const swing = 24;
/** The same for letters that were made too small to be read. */
const faint = 6;
/** How far above and below a row its peak is looked for. */
const reach = 24;
/** The rows of one line of letters, without what sticks out above and below: the size of their x. */
const [shortest, tallest] = [3, 48];
/** A row belongs to a line while it has this part of the turns of the line's liveliest row. */
const body = 0.42;
const fewestLines = 8;
/** Of so few lines a quarter tells too little. */
const few = 24;
const fewestTurns = 20;
const quiet = 0.25;
/** What sticks out of a line ends where hardly a turn is left. */
const still = 0.06;
/** So many pixels tell enough; of larger pictures some places are looked at, each so high at most. */
const mostPixels = 280_000;
const highest = 240;

/** The grey of what lies behind a picture that can be seen through. Which it is to a model, each vendor decides for itself. */
const [white, black] = [255, 0];

/** The size of the smaller letters on a picture: a quarter of its lines are smaller. */
export function textSizeIn(pixels: Pixels): number | undefined {
  return textSizeOn(white, pixels) ?? (pixels.channels === 4 ? textSizeOn(black, pixels) : undefined);
}

function textSizeOn(paper: number, pixels: Pixels): number | undefined {
  const across = Math.min(strip, pixels.width);
  const found = places(pixels, across).flatMap((place) =>
    linesIn(turnsByRow(pixels, place, across, paper)).filter((line) => isWhole(line, place, pixels.height)),
  );
  const closed = found.filter((line) => line.closed).length;
  const isWriting =
    found.length >= fewestLines &&
    closed * 2 >= found.length &&
    middle(found.map(({ peak }) => peak)) >= fewestTurns * (across / strip) &&
    middle(found.map(({ outside }) => outside)) <= quiet;
  if (!isWriting) return undefined;
  const square = areSquare(found);
  const sizes = found
    .map((line) => (square && line.even ? (line.size * evenHeight) / squareHeight : line.size))
    .toSorted((one, other) => one - other);
  return Number((sizes[Math.floor(sizes.length / (sizes.length < few ? 3 : 4))] ?? 0).toFixed(1));
}

/** Whether the lines are of a script in which nothing sticks out above: hardly any does otherwise, or most do not below either. */
function areSquare(lines: readonly Line[]): boolean {
  const even = lines.filter((line) => line.even);
  return even.length >= lines.length * 0.85 || even.filter((line) => line.level).length >= lines.length * 0.6;
}

/** `size`: that of its font. `peak`: the turns of its liveliest row. `outside`: how lively it is beside the line, as a part
 * of that. `closed`: it ends above and below. `even`: nothing sticks out above; `level`: nor below. */
type Line = {
  size: number;
  peak: number;
  outside: number;
  closed: boolean;
  even: boolean;
  level: boolean;
  start: number;
  rows: number;
};

type LookedAt = { left: number; top: number; rows: number };

/** Whether what stands around a line is in sight, too: of one at the edge of a place it is not. */
function isWhole({ start, rows }: Line, place: LookedAt, height: number): boolean {
  const end = start + rows;
  return (place.top === 0 || start >= rows) && (place.top + place.rows >= height || end + rows <= place.rows);
}

/** Where a picture is looked at: everywhere, or at places that are spread over it so that no row and no column of them is
 * left out. */
function places({ width, height }: Pixels, across: number): LookedAt[] {
  const bands = width * height <= mostPixels ? 1 : Math.max(1, Math.round(height / highest));
  const strips = Math.max(1, Math.floor(width / across));
  const rows = Math.floor(height / bands);
  const all = Array.from({ length: bands * strips }, (_, at): LookedAt => {
    const band = at % bands;
    const column = (Math.floor(at / bands) + band * 2) % strips;
    return { left: column * across, top: band * rows, rows };
  });
  const most = Math.max(1, Math.floor(mostPixels / (across * rows)));
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)] as LookedAt);
}

/** Where the first of so many rows stands among which most seems to be written; of nearly equal ones the upper. Many rows
 * are looked at, each in a third of its length: few whole ones may all fall between lines, or all into them. */
export function liveliestRow(pixels: Pixels, rows: number): number {
  const step = Math.max(1, Math.floor(pixels.height / 300));
  const third = Math.ceil(pixels.width / 3);
  const papers = pixels.channels === 4 ? [white, black] : [white];
  const turns = Array.from({ length: Math.floor(pixels.height / step) }, (_, at) => {
    const left = Math.min((at % 3) * third, pixels.width - third);
    return Math.max(...papers.map((paper) => turnsIn(pixels, at * step, left, third, faint, paper)));
  });
  const count = Math.max(1, Math.round(rows / step));
  let seen = turns.slice(0, count).reduce((sum, one) => sum + one, 0);
  const sums = [seen];
  for (let at = count; at < turns.length; at++) sums.push((seen += (turns[at] ?? 0) - (turns[at - count] ?? 0)));
  const most = Math.max(...sums);
  return sums.findIndex((sum) => sum >= most * 0.8) * step;
}

/** How often each row of a place turns from dark to light or back. */
function turnsByRow(pixels: Pixels, { left, top, rows }: LookedAt, across: number, paper: number): Uint16Array {
  const turns = new Uint16Array(rows);
  for (let row = 0; row < rows; row++) turns[row] = turnsIn(pixels, top + row, left, across, swing, paper);
  return turns;
}

/** How often a part of a row turns from dark to light or back by more than some steps of grey. The first swing only tells which
 * of both it does: `sign` is 1 while it rises, -1 while it falls. `far` is the lightest grey since it began to rise, or the
 * darkest since it began to fall, with that sign. */
function turnsIn(
  { data, width, channels }: Pixels,
  row: number,
  left: number,
  across: number,
  least: number,
  paper: number,
): number {
  const start = (row * width + left) * channels;
  const end = start + across * channels;
  let low = 255;
  let high = 0;
  let sign = 0;
  let far = 0;
  let count = 0;
  let at = start;
  for (; at < end && sign === 0; at += channels) {
    const grey = greyAt(data, at, channels, paper);
    if (grey > high) high = grey;
    if (grey < low) low = grey;
    sign = high - grey > least ? -1 : grey - low > least ? 1 : 0;
    far = Math.imul(grey, sign);
  }
  // Where a picture is lively a processor guesses every second branch wrong, so there is none: all bits of `further` and
  // `turned` are set where it goes on, or back by more than the least.
  for (; at < end; at += channels) {
    const here = Math.imul(greyAt(data, at, channels, paper), sign);
    const back = far - here;
    const further = back >> 31;
    const turned = (least - back) >> 31;
    far -= back & further;
    far ^= (far ^ -here) & turned;
    sign = (sign ^ turned) - turned;
    count -= turned;
  }
  return count;
}

function greyAt(data: Uint8Array, at: number, channels: number, paper: number): number {
  const grey = ((data[at] as number) + 2 * (data[at + 1] as number) + (data[at + 2] as number)) >> 2;
  if (channels === 3) return grey;
  const alpha = data[at + 3] as number;
  return alpha === 255 ? grey : Math.trunc(paper + ((grey - paper) * alpha) / 255);
}

/** The lines of letters in a strip. */
function linesIn(turns: Uint16Array): Line[] {
  const lines: Line[] = [];
  const least = fewestTurns * body;
  let [start, peak] = [-1, 0];
  for (let row = 0; row <= turns.length; row++) {
    const here = turns[row] ?? 0;
    if (here >= least && here >= body * largest(turns, row - reach, row + reach)) {
      if (start < 0) [start, peak] = [row, 0];
      peak = Math.max(peak, here);
    } else if (start >= 0) {
      const rows = row - start;
      if (rows >= shortest && rows <= tallest) lines.push(lineOf(turns, start, rows, peak));
      start = -1;
    }
  }
  return lines;
}

function lineOf(turns: Uint16Array, start: number, rows: number, peak: number): Line {
  const end = start + rows;
  const outside = (smallest(turns, start - rows, start - 1) + smallest(turns, end, end + rows - 1)) / 2 / peak;
  const above = rowsUntilStill(turns, start - 1, -1, rows, peak);
  const below = rowsUntilStill(turns, end, 1, rows, peak);
  const closed = above !== undefined && below !== undefined;
  const even = closed && above < 0.2 * rows;
  const level = closed && below < 0.2 * rows;
  const size = closed ? sizeOf(rows, above, below) : rows / xHeight;
  return { size, peak, outside, closed, even, level, start, rows };
}

/** The height of an x as a part of the font's size, as most fonts have it. */
const xHeight = 0.56;
/** The same for letters without anything that sticks out above, such as figures and capitals. */
const evenHeight = 0.7;
/** The same where nearly all lines are so: between figures, and Chinese, Japanese and Korean. */
const squareHeight = 0.82;
/** From top to bottom, in scripts where most of a letter sticks out, as in Arabic. */
const wholeHeight = 0.95;

/** The size of a font whose line has so many lively rows, and so many above and below them in which something sticks out. */
function sizeOf(rows: number, above: number, below: number): number {
  const whole = rows + above + below;
  if (above < 0.2 * rows) return whole / evenHeight;
  return whole > 2.15 * rows ? whole / wholeHeight : rows / xHeight;
}

function rowsUntilStill(
  turns: Uint16Array,
  from: number,
  step: 1 | -1,
  rows: number,
  peak: number,
): number | undefined {
  for (let count = 0; count <= rows * 2; count++) if ((turns[from + step * count] ?? 0) <= still * peak) return count;
  return undefined;
}

function largest(turns: Uint16Array, from: number, to: number): number {
  const end = Math.min(to, turns.length - 1);
  let found = 0;
  for (let row = Math.max(0, from); row <= end; row++) {
    const here = turns[row] as number;
    if (here > found) found = here;
  }
  return found;
}

/** Beyond the edge of a picture nothing is written. */
function smallest(turns: Uint16Array, from: number, to: number): number {
  if (from < 0 || to >= turns.length) return 0;
  let found = Infinity;
  for (let row = from; row <= to; row++) found = Math.min(found, turns[row] as number);
  return found;
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
