// An open page in, what others laid over it out: links with their targets, comments, and words they struck, each with the places it belongs
// to. Bounded in number and length. To be taken before a page is flattened, which makes most of them part of it.
import { cutText } from '../../content/text.ts';
import type { Edge, PageMark } from './layout/page.ts';
import type { Pdfium } from './pdfium.ts';
import { wideString, withMemory } from './pdfium.ts';

const kinds = { link: 2, freeText: 3, struck: 12, popup: 16, widget: 20 } as const;
const uriAction = 3;
/** Marks of a page that are read, and places of one mark. */
const [mostMarks, mostPlaces] = [1000, 50];
/** More than this on a page, and they are not made part of it: that alone would take minutes. */
const mostFlattened = 5000;
const [longestComment, longestTarget] = [2000, 2000];

/** `drawn`: whether some of them show more than a link, so that the page is read with them on it; `more`: how many were
 * not looked at. */
export type PageMarks = { marks: PageMark[]; drawn: boolean; more: number };

/** The links and comments of a page in the order of the file. */
export function pageMarks(pdfium: Pdfium, document: number, page: number): PageMarks {
  const total = Math.max(0, pdfium.pdfium.wasmExports.FPDFPage_GetAnnotCount(page));
  const marks: PageMark[] = [];
  let drawn = false;
  for (let at = 0; at < total && at < mostFlattened && marks.length < mostMarks; at += 1) {
    const note = pdfium.FPDFPage_GetAnnot(page, at);
    if (note === 0) continue;
    const kind = pdfium.FPDFAnnot_GetSubtype(note);
    drawn ||= kind !== kinds.link && kind !== kinds.popup;
    const mark = markOf(pdfium, document, note, kind);
    if (mark !== undefined) marks.push(mark);
    if (kind === kinds.struck) marks.push({ kind: 'struck', places: placesOf(pdfium, note) });
    pdfium.FPDFPage_CloseAnnot(note);
  }
  const more = marks.length === mostMarks || total > mostFlattened ? total - marks.length : 0;
  return { marks, drawn: (drawn || more > 0) && total <= mostFlattened, more };
}

/** Whether so many notes lie on a page that drawing them is not worth the time. */
export function hasTooManyNotes(pdfium: Pdfium, page: number): boolean {
  return pdfium.FPDFPage_GetAnnotCount(page) > mostFlattened;
}

function markOf(pdfium: Pdfium, document: number, note: number, kind: number): PageMark | undefined {
  if (kind === kinds.link) {
    const to = targetOf(pdfium, document, note);
    return to === '' ? undefined : { kind: 'link', to, places: placesOf(pdfium, note) };
  }
  if (kind === kinds.freeText || kind === kinds.popup || kind === kinds.widget) return undefined;
  const said = (key: string): string =>
    wideString(pdfium, (memory, size) => pdfium.FPDFAnnot_GetStringValue(note, key, memory, size)).toWellFormed();
  const words = cutText(said('Contents').trim(), longestComment);
  return words === '' ? undefined : { kind: 'comment', words, author: said('T'), places: placesOf(pdfium, note) };
}

/** Where a link leads outside the document; nothing for other actions, and for addresses that are none. */
function targetOf(pdfium: Pdfium, document: number, note: number): string {
  const link = pdfium.FPDFAnnot_GetLink(note);
  const action = link === 0 ? 0 : pdfium.FPDFLink_GetAction(link);
  if (action === 0 || pdfium.FPDFAction_GetType(action) !== uriAction) return '';
  const size = pdfium.FPDFAction_GetURIPath(document, action, 0, 0);
  if (size <= 1 || size > longestTarget) return '';
  const uri = withMemory(pdfium, size, (memory) => {
    pdfium.FPDFAction_GetURIPath(document, action, memory, size);
    return Buffer.from(pdfium.pdfium.HEAPU8.subarray(memory, memory + size - 1)).toString('utf8');
  });
  return /^(?:https?|mailto|tel|ftp):[^\p{Cc}\s]+$/iu.test(uri ?? '') ? (uri ?? '') : '';
}

/** The stretches of words a mark lies on; where it has none, its own box. */
function placesOf(pdfium: Pdfium, note: number): Edge[] {
  const places = withMemory(pdfium, 32, (memory) => {
    const found: Edge[] = [];
    const count = Math.min(pdfium.FPDFAnnot_CountAttachmentPoints(note), mostPlaces);
    for (let at = 0; at < count; at += 1) {
      if (!pdfium.FPDFAnnot_GetAttachmentPoints(note, at, memory)) continue;
      const points = Array.from(new Float32Array(pdfium.pdfium.HEAPU8.buffer, memory, 8));
      found.push(around(points));
    }
    if (found.length === 0 && pdfium.FPDFAnnot_GetRect(note, memory)) {
      found.push(around(Array.from(new Float32Array(pdfium.pdfium.HEAPU8.buffer, memory, 4))));
    }
    return found;
  });
  return places ?? [];
}

function around(points: readonly number[]): Edge {
  const [xs, ys] = [points.filter((_, at) => at % 2 === 0), points.filter((_, at) => at % 2 === 1)];
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
}
