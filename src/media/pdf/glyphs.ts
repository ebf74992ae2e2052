// An open page in, what stands on it and where out: runs of letters and straight lines, each in the direction in which
// it is read. Bounded in letters. Runs in a child process.
import { drawingsOf, turned } from './edges.ts';
import type { Box } from './edges.ts';
import type { Edge, PageGlyphs, PageMark, LaidRun, QuarterTurn } from './layout/page.ts';
import { hardly } from './layout/words.ts';
import { commented, struckRuns } from './layout/overlaid.ts';
import type { Pdfium, RawCall } from './pdfium.ts';
import { withMemory } from './pdfium.ts';

/** More letters than any page that a person reads; such a page is read in the order of its file. */
const mostLetters = 100_000;
/** A blank beyond this, in heights of letters, ends a run: a small raised letter may stand in it. */
const widest = 0.45;
/** The same where the file begins anew to write: there cells may nearly touch. */
const widestApart = 0.3;

/** The letters of a page; nothing when it is no page of text, or one that nobody could lay out. */
export function pageGlyphs(pdfium: Pdfium, page: number, marks: readonly PageMark[]): PageGlyphs | undefined {
  const raw = pdfium.pdfium.wasmExports;
  const text = raw.FPDFText_LoadPage(page);
  if (text === 0) return undefined;
  try {
    const count = raw.FPDFText_CountChars(text);
    if (count > mostLetters) return undefined;
    const found = withMemory(pdfium, 64, (memory) => {
      const { edges, pictured } = count <= 0 ? { edges: [], pictured: false } : drawingsOf(pdfium, page, memory);
      const letters = lettersOf(pdfium, text, Math.max(0, count));
      const runs = struckRuns(runsOf(sheetOf(pdfium, text, memory, letters, edges, marks)));
      return { runs: commented(runs, marks), edges, pictured };
    });
    if (found === undefined) return undefined;
    return { ...found, width: raw.FPDF_GetPageWidthF(page), height: raw.FPDF_GetPageHeightF(page) };
  } finally {
    raw.FPDFText_ClosePage(text);
  }
}

/** A page on its way: its letters, a place of memory to be told in, and what divides words that stand on one line. */
type Sheet = {
  pdfium: Pdfium;
  /** what is asked for every word; looked up once, for the library has hundreds of functions */
  boxAt: RawCall;
  isUnmapped: RawCall;
  text: number;
  memory: number;
  floats: Float32Array;
  doubles: Float64Array;
  /** where the letters stand that are being taken; one record for all, for there are many */
  spot: Box;
  letters: Letters;
  bolds: Map<number, boolean>;
  /** lines that are drawn upright; a run never crosses one */
  bars: readonly Edge[];
  /** lines that are drawn level; one may go through words */
  levels: readonly Edge[];
  /** what lies over words; a run never reaches beyond one */
  marks: readonly PageMark[];
  /** whether every word is a run, because some of them are read from the right */
  apart: boolean;
};

type Letters = { codes: Uint16Array | Uint32Array; leftward: boolean; spelled(from: number, to: number): string };

function sheetOf(
  pdfium: Pdfium,
  text: number,
  memory: number,
  letters: Letters,
  edges: readonly Edge[],
  marks: readonly PageMark[],
): Sheet {
  const bars = edges.filter(({ x0, y0, x1, y1 }) => y1 - y0 > x1 - x0);
  const struck = marks.flatMap(({ kind, places }) => (kind === 'struck' ? places : []));
  const levels = [...edges.filter(({ x0, y0, x1, y1 }) => y1 - y0 <= x1 - x0), ...struck];
  const floats = new Float32Array(pdfium.pdfium.HEAPU8.buffer, memory, 8);
  const doubles = new Float64Array(pdfium.pdfium.HEAPU8.buffer, memory, 2);
  const spot = { left: 0, right: 0, top: 0, bottom: 0 };
  const { FPDFText_GetLooseCharBox: boxAt, FPDFText_HasUnicodeMapError: isUnmapped } = pdfium.pdfium.wasmExports;
  return {
    pdfium,
    boxAt,
    isUnmapped,
    text,
    memory,
    floats,
    doubles,
    spot,
    letters,
    bolds: new Map(),
    bars,
    levels,
    marks,
    apart: letters.leftward,
  };
}

const firstLeftward = 0x590;

function hasLeftward(codes: Letters['codes']): boolean {
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code >= firstLeftward && (code < 0x900 || (code >= 0xfb1d && code < 0xfefd))) return true;
  }
  return false;
}

/** All letters at once where the library has one unit of text for each; else one by one. */
function lettersOf(pdfium: Pdfium, text: number, count: number): Letters {
  const raw = pdfium.pdfium;
  const units = withMemory(pdfium, count * 4 + 2, (memory) => {
    const written = raw.wasmExports.FPDFText_GetText(text, 0, count, memory) - 1;
    return written === count ? new Uint16Array(raw.HEAPU8.slice(memory, memory + count * 2).buffer) : undefined;
  });
  const highest = units === undefined ? surrogates : tidied(units);
  if (units !== undefined && highest < surrogates) {
    const all = highest < 0x100 ? Buffer.from(units).toString('latin1') : utf16.decode(units);
    const leftward = highest >= firstLeftward && hasLeftward(units);
    return { codes: units, leftward, spelled: (from, to) => all.slice(from, to) };
  }
  const codes = Uint32Array.from({ length: count }, (_, at) => letterOf(raw.wasmExports.FPDFText_GetUnicode(text, at)));
  const spelled = (from: number, to: number): string =>
    Array.from(codes.subarray(from, to), (code) => String.fromCodePoint(code)).join('');
  return { codes, leftward: hasLeftward(codes), spelled };
}

/** Each unit as `letterOf` has it, in place; the highest of them comes back, or the highest there is when some letters
 * have two units. */
function tidied(units: Uint16Array): number {
  let highest = 0;
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at] ?? 0;
    if (unit >= 0x20 && unit < 0x7f) continue;
    if ((unit & 0xf800) === 0xd800) return surrogates;
    const letter = letterOf(unit);
    units[at] = letter;
    if (letter > highest) highest = letter;
  }
  return highest;
}

const surrogates = 0x1_0000;

const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true });
const [hole, blank] = [0xfffd, 0x20];

/** One kind of blank and one of line end; the library's marks for hyphens are hyphens; what is no letter is one that the
 * file gives no meaning. */
function letterOf(code: number): number {
  if (code === 2 || code === 0xfffe) return 0x2d;
  if (code === 0xa0) return blank;
  if (code === 0x09 || code === 0x0d) return 0x0a;
  return (code < 0x20 && code !== 0x0a) || code > 0x10ffff ? hole : code;
}

type Hand = { object: number; size: number; bold: boolean; turn: QuarterTurn };

/** The run that is being written, with which letters, and what stood before the next one. */
type Pen = {
  run: LaidRun | undefined;
  from: number;
  end: number;
  hand: Hand;
  spaced: boolean;
  broken: boolean;
  /** whether more than one blank stands somewhere in the run */
  wide: boolean;
};

/** The letters in the order of the file as runs. Where all letters of a word belong together, its ends tell its place. */
function runsOf(sheet: Sheet): LaidRun[] {
  const { text, letters, pdfium } = sheet;
  const { FPDFText_GetTextObject: objectAt } = pdfium.pdfium.wasmExports;
  const { codes } = letters;
  const runs: LaidRun[] = [];
  const hand: Hand = { object: -1, size: 0, bold: false, turn: 0 };
  const pen: Pen = { run: undefined, from: 0, end: 0, hand, spaced: true, broken: true, wide: false };
  const objects = lineObjects(sheet);
  for (let at = 0; at < codes.length;) {
    const code = codes[at] ?? 0;
    if (code === blank || code === 0x0a) {
      if (code === blank) pen.spaced = true;
      else pen.broken = true;
      at += 1;
      continue;
    }
    let end = at + 1;
    while (end < codes.length && codes[end] !== blank && codes[end] !== 0x0a) end += 1;
    const known = objects(at);
    const object = known ?? objectAt(text, at);
    const whole = known !== undefined || end - at === 1 || objectAt(text, end - 1) === object;
    if (!whole || !take(sheet, pen, runs, at, end, object)) {
      for (let letter = at; letter < end; letter += 1) {
        take(sheet, pen, runs, letter, letter + 1, objectAt(text, letter));
      }
    }
    at = end;
  }
  finish(sheet, pen);
  return runs;
}

/** Which drawn text a letter belongs to, where it is known without asking: the letters of one text stand together, so that a
 * line belongs to one when its first letter and its last do. */
function lineObjects({ text, letters: { codes }, apart, pdfium }: Sheet): (at: number) => number | undefined {
  const { FPDFText_GetTextObject: objectAt } = pdfium.pdfium.wasmExports;
  let [until, known]: [number, number | undefined] = [0, undefined];
  return (at) => {
    if (at < until || apart) return known;
    const next = codes.indexOf(0x0a, at);
    until = next === -1 ? codes.length : next;
    let last = until - 1;
    while (last > at && codes[last] === blank) last -= 1;
    const object = objectAt(text, at);
    known = objectAt(text, last) === object ? object : undefined;
    return known;
  };
}

/** Takes letters into the open run or begins another with them; false, and nothing taken, when they stand on two lines. */
function take(sheet: Sheet, pen: Pen, runs: LaidRun[], from: number, to: number, object: number): boolean {
  const { spot } = sheet;
  let parted = false;
  if (pen.run !== undefined && !pen.spaced && !pen.broken) {
    if (!place(sheet, from, to, pen.hand.turn)) return false;
    parted = isParted(sheet, pen, from, object);
    if (!parted && goesOn(sheet, pen.run, pen.hand)) {
      pen.end = to;
      return true;
    }
  }
  const hand = object === pen.hand.object ? pen.hand : handOf(sheet, from, object);
  if (!place(sheet, from, to, hand.turn)) return false;
  const unmapped = sheet.letters.codes[from] === hole || sheet.isUnmapped(sheet.text, from) === 1;
  if (pen.run?.unmapped === unmapped && pen.spaced && !pen.broken && adjoins(sheet, pen.run, pen.hand, hand)) {
    pen.run.opening ??= pen.run.right - pen.run.left;
    if (from - pen.end > 1) pen.wide = true;
    if (spot.right > pen.run.right) pen.run.right = spot.right;
  } else {
    finish(sheet, pen);
    pen.run = runAt(sheet, from, hand, pen.spaced || parted, unmapped);
    pen.from = from;
    pen.wide = false;
    runs.push(pen.run);
  }
  pen.end = to;
  pen.hand = hand;
  pen.spaced = false;
  pen.broken = false;
  return true;
}

function finish(sheet: Sheet, { run, from, end, hand: { turn }, wide }: Pen): void {
  if (run === undefined) return;
  const text = sheet.apart && end - from > 1 ? asRead(sheet, from, end, turn) : sheet.letters.spelled(from, end);
  run.text = wide ? text.replaceAll(/ {2,}/g, ' ') : text;
}

/** Lam and alef are one sign in this order alone; where a font calls the sign by its own name, the library has it so already. */
const alefLam = /^([\u0622\u0623\u0625\u0627])(\u0644)$/;

/** Letters that are read from the right. */
const fromRight = /^[\u0590-\u08ff\ufb1d-\ufefc]+$/;

/** A word of a page that is read from the right, where the library turns around what is not to be turned: words that are
 * read from the left, and the letters of one sign. */
function asRead(sheet: Sheet, from: number, end: number, turn: QuarterTurn): string {
  const next = { ...sheet.spot };
  const signs: { text: string; left: number; right: number }[] = [];
  for (let at = from; at < end; at += 1) {
    place(sheet, at, at + 1, turn);
    const { left, right } = sheet.spot;
    const [text, before] = [sheet.letters.spelled(at, at + 1), signs.at(-1)];
    const isSame = before?.left === left && before.right === right;
    // Letters that a file says for one sign get a part of its place each, and stand there as one reads.
    const isPart = before?.right === left && fromRight.test(before.text) && fromRight.test(text);
    if (before !== undefined && (isSame || isPart)) {
      before.text = text + before.text;
      before.right = right;
    } else signs.push({ text, left, right });
  }
  Object.assign(sheet.spot, next);
  const leftward = hasLeftward(sheet.letters.codes.subarray(from, end));
  const ordered = leftward ? signs : signs.toSorted((one, other) => one.left - other.left);
  return ordered.map(({ text }) => text.replace(alefLam, '$2$1')).join('');
}

/** Finds where letters of one line stand, from the first and the last of them; false when they are not on one line. */
function place(sheet: Sheet, from: number, to: number, turn: QuarterTurn): boolean {
  const { boxAt, text, memory, spot } = sheet;
  boxAt(text, from, memory);
  if (to - from > 1) boxAt(text, to - 1, memory + 16);
  const { floats } = told(sheet);
  turnInto(spot, floats, 0, turn);
  if (to - from === 1) return true;
  const { left, right, top, bottom } = spot;
  turnInto(spot, floats, 4, turn);
  if (Math.abs(spot.top - top) > 0.5 || Math.abs(spot.bottom - bottom) > 0.5) return false;
  if (left < spot.left) spot.left = left;
  if (right > spot.right) spot.right = right;
  spot.top = top;
  spot.bottom = bottom;
  return true;
}

/** What the library wrote last; its memory is another one after it grew, and a look at the old one is then empty. */
function told(sheet: Sheet): Sheet {
  if (sheet.floats.length > 0) return sheet;
  const { buffer } = sheet.pdfium.pdfium.HEAPU8;
  sheet.floats = new Float32Array(buffer, sheet.memory, 8);
  sheet.doubles = new Float64Array(buffer, sheet.memory, 2);
  return sheet;
}

/** A box as the library writes it (left, top, right, bottom; y upwards) as one sees it along the text. */
function turnInto(spot: Box, floats: Float32Array, at: number, turn: QuarterTurn): void {
  const left = floats[at] ?? 0;
  const top = floats[at + 1] ?? 0;
  const right = floats[at + 2] ?? 0;
  const bottom = floats[at + 3] ?? 0;
  if (turn === 0) {
    spot.left = left;
    spot.right = right;
    spot.top = -top;
    spot.bottom = -bottom;
  } else Object.assign(spot, turned(left, top, right, bottom, turn));
}

/** Letters of one word stand on one line, are as tall as each other and have no gap between them. */
function goesOn(sheet: Sheet, run: LaidRun, { size, turn }: Hand): boolean {
  const { spot: box } = sheet;
  if (Math.abs(run.top - box.top) > 0.5 || Math.abs(run.bottom - box.bottom) > 0.5) return false;
  const reach = (size > 0 ? size : box.bottom - box.top) * 0.4;
  if (box.left > run.right + reach || box.right < run.left - reach) return false;
  if (strikeAt(sheet, turn, run.size) !== run.strike) return false;
  if (box.left < run.left) run.left = box.left;
  if (box.right > run.right) run.right = box.right;
  return true;
}

/** Whether digits are of another number than those before them, though no blank stands between them. */
function isParted({ letters: { codes }, spot }: Sheet, pen: Pen, from: number, object: number): boolean {
  if (pen.run === undefined || object === pen.hand.object || spot.left - pen.run.right < pen.run.size * hardly)
    return false;
  return isDigit(codes[pen.end - 1]) && isDigit(codes[from]);
}

function isDigit(code = 0): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Words of one run are set alike and have a blank between them that is no gap, and no line. */
function adjoins(sheet: Sheet, run: LaidRun, before: Hand, hand: Hand): boolean {
  const { bars, apart, marks, spot: box } = sheet;
  if (apart || hand.size !== before.size || hand.bold !== before.bold || hand.turn !== before.turn) return false;
  if (Math.abs(run.top - box.top) > 0.5 || Math.abs(run.bottom - box.bottom) > 0.5) return false;
  const way = box.left - run.right;
  if (way < run.size * -0.3 || way > run.size * (hand.object === before.object ? widest : widestApart)) return false;
  if (marks.length > 0 && markAt(sheet, hand.turn) !== run.mark) return false;
  if (strikeAt(sheet, hand.turn, run.size) !== run.strike) return false;
  if (bars.length === 0) return true;
  const [left, right] = [Math.min(run.right, box.left) - 1, Math.max(run.right, box.left) + 1];
  return (
    hand.turn === 0 && !bars.some(({ x0, y0, x1, y1 }) => x1 > left && x0 < right && -y1 < run.base && -y0 > run.top)
  );
}

function runAt(sheet: Sheet, at: number, hand: Hand, spaced: boolean, unmapped: boolean): LaidRun {
  const { left, right, top, bottom } = sheet.spot;
  const { bold, turn } = hand;
  const size = hand.size > 0 ? hand.size : bottom - top;
  const base = baseOf(sheet, at, turn);
  const index = markAt(sheet, turn);
  const mark = index === undefined ? undefined : sheet.marks[index];
  const link = mark?.kind === 'link' ? mark.to : undefined;
  const strike = strikeAt(sheet, turn, size);
  return {
    text: '',
    left,
    right,
    top,
    bottom,
    base,
    size,
    opening: undefined,
    bold,
    turn,
    spaced,
    unmapped,
    mark: index,
    link,
    strike,
  };
}

/** The line through the middle of the letters that are being taken; what lies higher or lower is above or below them. */
function strikeAt({ levels, spot }: Sheet, turn: QuarterTurn, size: number): Edge | undefined {
  if (levels.length === 0 || turn !== 0) return undefined;
  const [x, y] = [(spot.left + spot.right) / 2, -(spot.top + spot.bottom) / 2];
  return levels.find(({ x0, y0, x1, y1 }) => x > x0 && x < x1 && Math.abs((y0 + y1) / 2 - y) < size * 0.22);
}

/** Which mark lies on the middle of the letters that are being taken. */
function markAt({ marks, spot }: Sheet, turn: QuarterTurn): number | undefined {
  if (marks.length === 0) return undefined;
  const [along, across] = [(spot.left + spot.right) / 2, (spot.top + spot.bottom) / 2];
  const x = turn === 0 ? along : turn === 1 ? -across : turn === 2 ? -along : across;
  const y = turn === 0 ? -across : turn === 1 ? -along : turn === 2 ? across : along;
  const found = marks.findIndex(
    ({ kind, places }) =>
      kind !== 'struck' && places.some(({ x0, y0, x1, y1 }) => x >= x0 && x <= x1 && y >= y0 && y <= y1),
  );
  return found === -1 ? undefined : found;
}

function handOf(sheet: Sheet, at: number, object: number): Hand {
  const { pdfium, text, memory, bolds } = sheet;
  const raw = pdfium.pdfium.wasmExports;
  const known = raw.FPDFText_GetMatrix(text, at, memory) !== 0;
  const { floats: matrix } = told(sheet);
  const c = matrix[2] ?? 0;
  const d = matrix[3] ?? 0;
  const scale = !known ? 1 : c === 0 ? Math.abs(d) : Math.hypot(c, d);
  const level = known && c === 0 && (matrix[0] ?? 0) > 0;
  const quarter = level ? 0 : Math.round(raw.FPDFText_GetCharAngle(text, at) / (Math.PI / 2)) & 3;
  const turn: QuarterTurn = quarter === 1 || quarter === 2 || quarter === 3 ? quarter : 0;
  return {
    object,
    size: raw.FPDFText_GetFontSize(text, at) * scale,
    bold: object !== 0 && isBold(pdfium, raw.FPDFTextObj_GetFont(object), bolds),
    turn,
  };
}

function isBold(pdfium: Pdfium, font: number, known: Map<number, boolean>): boolean {
  const before = known.get(font);
  if (before !== undefined) return before;
  const longest = 128;
  const name = withMemory(pdfium, longest, (memory) => {
    const size = Math.min(pdfium.FPDFFont_GetBaseFontName(font, memory, longest), longest);
    return Buffer.from(pdfium.pdfium.HEAPU8.slice(memory, memory + Math.max(0, size - 1))).toString('latin1');
  });
  const bold = /bold|black|heavy|demi|,b\b|cmbx|-bd\b/i.test(name ?? '');
  known.set(font, bold);
  return bold;
}

function baseOf(sheet: Sheet, at: number, turn: QuarterTurn): number {
  const { pdfium, text, memory } = sheet;
  pdfium.pdfium.wasmExports.FPDFText_GetCharOrigin(text, at, memory, memory + 8);
  const { doubles: origin } = told(sheet);
  const x = origin[0] ?? 0;
  const y = origin[1] ?? 0;
  return turn === 0 ? -y : turned(x, y, x, y, turn).top;
}
