// An open page in, the straight lines that are drawn on it out, and how a page looks with the head turned. Bounded in
// drawings and lines. Runs in a child process.
import type { Edge, QuarterTurn } from './layout/page.ts';
import type { Pdfium } from './pdfium.ts';

const mostObjects = 5000;
const mostPoints = 20_000;
const [pathObject, imageObject] = [2, 3];
/** As a share of the page; what is smaller is a logo. */
const smallestPicture = 0.03;

export type Box = { left: number; right: number; top: number; bottom: number };

/** A box of the page (y upwards) as one sees it with the head turned along the text (y downwards). */
export function turned(left: number, top: number, right: number, bottom: number, turn: QuarterTurn): Box {
  if (turn === 1) return { left: -top, right: -bottom, top: -right, bottom: -left };
  if (turn === 2) return { left: -right, right: -left, top: bottom, bottom: top };
  if (turn === 3) return { left: bottom, right: top, top: left, bottom: right };
  return { left, right, top: -top, bottom: -bottom };
}

/** The straight lines that are drawn on a page, also those drawn as thin boxes, in the upright direction of the page; and
 * whether a picture is, larger than a sign. */
export function drawingsOf(pdfium: Pdfium, page: number, memory: number): { edges: Edge[]; pictured: boolean } {
  const raw = pdfium.pdfium.wasmExports;
  const edges: Edge[] = [];
  const count = Math.min(raw.FPDFPage_CountObjects(page), mostObjects);
  const least = raw.FPDF_GetPageWidthF(page) * raw.FPDF_GetPageHeightF(page) * smallestPicture;
  let [points, pictured] = [0, false];
  for (let at = 0; at < count && points < mostPoints; at += 1) {
    const object = raw.FPDFPage_GetObject(page, at);
    const type = raw.FPDFPageObj_GetType(object);
    if (type === imageObject && !pictured) pictured = areaOf(pdfium, object, memory) >= least;
    if (type !== pathObject) continue;
    points += raw.FPDFPath_CountSegments(object);
    addEdges(pdfium, object, memory, edges);
  }
  return { edges, pictured };
}

function areaOf(pdfium: Pdfium, object: number, memory: number): number {
  const raw = pdfium.pdfium.wasmExports;
  if (raw.FPDFPageObj_GetBounds(object, memory, memory + 4, memory + 8, memory + 12) === 0) return 0;
  const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(pdfium.pdfium.HEAPU8.buffer, memory, 4);
  return Math.abs((right - left) * (top - bottom));
}

const thin = 2.5;

function addEdges(pdfium: Pdfium, object: number, memory: number, edges: Edge[]): void {
  const raw = pdfium.pdfium.wasmExports;
  if (raw.FPDFPageObj_GetBounds(object, memory, memory + 4, memory + 8, memory + 12) === 0) return;
  const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(pdfium.pdfium.HEAPU8.buffer, memory, 4);
  if (right - left <= thin || top - bottom <= thin) {
    if (right - left > 4 || top - bottom > 4) edges.push({ x0: left, y0: bottom, x1: right, y1: top });
    return;
  }
  raw.FPDFPath_GetDrawMode(object, memory, memory + 4);
  if (new Int32Array(pdfium.pdfium.HEAPU8.buffer, memory, 2)[1] === 0) return; // a shade, not a line
  raw.FPDFPageObj_GetMatrix(object, memory);
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.from(
    new Float32Array(pdfium.pdfium.HEAPU8.buffer, memory, 6),
  );
  const segments = Math.min(raw.FPDFPath_CountSegments(object), mostPoints);
  let [x0, y0, startX, startY] = [0, 0, 0, 0];
  for (let at = 0; at < segments; at += 1) {
    const segment = raw.FPDFPath_GetPathSegment(object, at);
    if (raw.FPDFPathSegment_GetPoint(segment, memory, memory + 4) === 0) continue;
    const [px = 0, py = 0] = new Float32Array(pdfium.pdfium.HEAPU8.buffer, memory, 2);
    const [x, y] = [a * px + c * py + e, b * px + d * py + f];
    const kind = raw.FPDFPathSegment_GetType(segment);
    if (kind === 2) [startX, startY] = [x, y];
    else if (kind === 0) pushStraight(edges, x0, y0, x, y);
    if (raw.FPDFPathSegment_GetClose(segment) !== 0) pushStraight(edges, x, y, startX, startY);
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
