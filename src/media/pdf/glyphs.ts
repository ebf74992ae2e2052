// An open page in, what stands on it and where out: runs of letters and straight lines, each in the direction in which
// it is read. Bounded in letters, drawings and lines. Runs in a child process.
import type { Edge, PageGlyphs, LaidRun, QuarterTurn } from './layout/page.ts';
import type { Pdfium } from './pdfium.ts';
import { withMemory } from './pdfium.ts';

/** More letters than any page that a person reads; such a page is read in the order of its file. */
const mostLetters = 100_000;
const mostObjects = 5000;
const mostPoints = 20_000;
const pathObject = 2;

/** The letters of a page; nothing when it is no page of text, or one that nobody could lay out. */
export function pageGlyphs(pdfium: Pdfium, page: number): PageGlyphs | undefined {
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return undefined;
  try {
    const count = pdfium.FPDFText_CountChars(text);
    if (count > mostLetters) return undefined;
    const found = withMemory(pdfium, 64, (memory) => {
      const runs = runsOf(pdfium, text, count, memory);
      return { runs, edges: runs.length === 0 ? [] : edgesOf(pdfium, page, memory) };
    });
    if (found === undefined) return undefined;
    return { ...found, width: pdfium.FPDF_GetPageWidthF(page), height: pdfium.FPDF_GetPageHeightF(page) };
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

type Box = { left: number; right: number; top: number; bottom: number };

/** A box of the page (y upwards) as one sees it with the head turned along the text (y downwards). */
function turned(left: number, top: number, right: number, bottom: number, turn: QuarterTurn): Box {
  if (turn === 1) return { left: -top, right: -bottom, top: -right, bottom: -left };
  if (turn === 2) return { left: -right, right: -left, top: bottom, bottom: top };
  if (turn === 3) return { left: bottom, right: top, top: left, bottom: right };
  return { left, right, top: -top, bottom: -bottom };
}

type Hand = { object: number; size: number; bold: boolean; turn: QuarterTurn };

function runsOf(pdfium: Pdfium, text: number, count: number, memory: number): LaidRun[] {
  const runs: LaidRun[] = [];
  const bolds = new Map<number, boolean>();
  const raw = pdfium.pdfium;
  let floats = new Float32Array(raw.HEAPU8.buffer, memory, 4);
  let hand: Hand = { object: -1, size: 0, bold: false, turn: 0 };
  let open: LaidRun | undefined;
  let spaced = true;
  for (let at = 0; at < count; at += 1) {
    const code = pdfium.FPDFText_GetUnicode(text, at);
    if (blanks.has(code)) {
      if (code === 0x20 || code === 0xa0) spaced = true;
      open = undefined;
      continue;
    }
    raw.wasmExports.FPDFText_GetLooseCharBox(text, at, memory);
    if (floats.buffer !== raw.HEAPU8.buffer) floats = new Float32Array(raw.HEAPU8.buffer, memory, 4);
    const [left, top, right, bottom] = [floats[0] ?? 0, floats[1] ?? 0, floats[2] ?? 0, floats[3] ?? 0];
    let box = turned(left, top, right, bottom, hand.turn);
    const letter = letterOf(code);
    if (open !== undefined && goesOn(open, box, hand)) {
      open.text += letter;
      open.left = Math.min(open.left, box.left);
      open.right = Math.max(open.right, box.right);
      continue;
    }
    const object = pdfium.FPDFText_GetTextObject(text, at);
    if (object !== hand.object) {
      hand = handOf(pdfium, text, at, object, memory, bolds);
      box = turned(left, top, right, bottom, hand.turn);
    }
    const base = baseOf(pdfium, text, at, memory, hand.turn);
    const size = hand.size > 0 ? hand.size : box.bottom - box.top;
    const unmapped = letter === '\ufffd' || pdfium.FPDFText_HasUnicodeMapError(text, at) === 1;
    open = { ...box, text: letter, base, size, bold: hand.bold, turn: hand.turn, spaced, unmapped };
    runs.push(open);
    spaced = false;
  }
  return runs;
}

const blanks = new Set([0x09, 0x0a, 0x0d, 0x20, 0xa0]);

/** The library's marks for hyphens are hyphens; what is no letter is one that the file gives no meaning. */
function letterOf(code: number): string {
  if (code === 2 || code === 0xfffe) return '-';
  return code < 0x20 ? '\ufffd' : String.fromCodePoint(code);
}

/** Letters of one run stand on one line, are as tall as each other and have no gap between them. */
function goesOn(run: LaidRun, box: Box, { size }: Hand): boolean {
  if (Math.abs(run.top - box.top) > 0.5 || Math.abs(run.bottom - box.bottom) > 0.5) return false;
  const reach = (size > 0 ? size : box.bottom - box.top) * 0.4;
  return box.left <= run.right + reach && box.right >= run.left - reach;
}

function handOf(
  pdfium: Pdfium,
  text: number,
  at: number,
  object: number,
  memory: number,
  bolds: Map<number, boolean>,
): Hand {
  const known = pdfium.FPDFText_GetMatrix(text, at, memory);
  const matrix = new Float32Array(pdfium.pdfium.HEAPU8.buffer, memory, 6);
  const scale = known ? Math.hypot(matrix[2] ?? 0, matrix[3] ?? 0) : 1;
  const quarter = Math.round(pdfium.FPDFText_GetCharAngle(text, at) / (Math.PI / 2)) & 3;
  const turn: QuarterTurn = quarter === 1 || quarter === 2 || quarter === 3 ? quarter : 0;
  return {
    object,
    size: pdfium.FPDFText_GetFontSize(text, at) * scale,
    bold: object !== 0 && isBold(pdfium, pdfium.FPDFTextObj_GetFont(object), bolds),
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

function baseOf(pdfium: Pdfium, text: number, at: number, memory: number, turn: QuarterTurn): number {
  pdfium.FPDFText_GetCharOrigin(text, at, memory, memory + 8);
  const origin = new DataView(pdfium.pdfium.HEAPU8.buffer, memory, 16);
  const [x, y] = [origin.getFloat64(0, true), origin.getFloat64(8, true)];
  return turned(x, y, x, y, turn).top;
}

/** The straight lines that are drawn on a page, also those drawn as thin boxes, in the upright direction of the page. */
function edgesOf(pdfium: Pdfium, page: number, memory: number): Edge[] {
  const edges: Edge[] = [];
  const count = Math.min(pdfium.FPDFPage_CountObjects(page), mostObjects);
  let points = 0;
  for (let at = 0; at < count && points < mostPoints; at += 1) {
    const object = pdfium.FPDFPage_GetObject(page, at);
    if (pdfium.FPDFPageObj_GetType(object) !== pathObject) continue;
    points += pdfium.FPDFPath_CountSegments(object);
    addEdges(pdfium, object, memory, edges);
  }
  return edges;
}

const thin = 2.5;

function addEdges(pdfium: Pdfium, object: number, memory: number, edges: Edge[]): void {
  if (!pdfium.FPDFPageObj_GetBounds(object, memory, memory + 4, memory + 8, memory + 12)) return;
  const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(pdfium.pdfium.HEAPU8.buffer, memory, 4);
  if (right - left <= thin || top - bottom <= thin) {
    if (right - left > 4 || top - bottom > 4) edges.push({ x0: left, y0: bottom, x1: right, y1: top });
    return;
  }
  pdfium.FPDFPath_GetDrawMode(object, memory, memory + 4);
  if (new Int32Array(pdfium.pdfium.HEAPU8.buffer, memory, 2)[1] === 0) return; // a shade, not a line
  pdfium.FPDFPageObj_GetMatrix(object, memory);
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.from(
    new Float32Array(pdfium.pdfium.HEAPU8.buffer, memory, 6),
  );
  const segments = Math.min(pdfium.FPDFPath_CountSegments(object), mostPoints);
  let [x0, y0, startX, startY] = [0, 0, 0, 0];
  for (let at = 0; at < segments; at += 1) {
    const segment = pdfium.FPDFPath_GetPathSegment(object, at);
    if (!pdfium.FPDFPathSegment_GetPoint(segment, memory, memory + 4)) continue;
    const [px = 0, py = 0] = new Float32Array(pdfium.pdfium.HEAPU8.buffer, memory, 2);
    const [x, y] = [a * px + c * py + e, b * px + d * py + f];
    const kind = pdfium.FPDFPathSegment_GetType(segment);
    if (kind === 2) [startX, startY] = [x, y];
    else if (kind === 0) pushStraight(edges, x0, y0, x, y);
    if (pdfium.FPDFPathSegment_GetClose(segment)) pushStraight(edges, x, y, startX, startY);
    [x0, y0] = [x, y];
  }
}

function pushStraight(edges: Edge[], x0: number, y0: number, x1: number, y1: number): void {
  const [wide, high] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
  if (Math.min(wide, high) > 1 || Math.max(wide, high) < 4) return;
  edges.push({ x0: Math.min(x0, x1), y0: Math.min(y0, y1), x1: Math.max(x0, x1), y1: Math.max(y0, y1) });
}

/** The lines of a page as one sees them with the head turned. */
export function turnedEdges(edges: readonly Edge[], turn: QuarterTurn): Edge[] {
  return edges.map(({ x0, y0, x1, y1 }) => {
    const { left, right, top, bottom } = turned(x0, y1, x1, y0, turn);
    return { x0: left, y0: top, x1: right, y1: bottom };
  });
}
