// An open document in, its outline out: one line for each bookmark, deeper ones further in, with the page it leads to.
// Bounded in number and depth; an outline that bites its own tail ends where it began.
import { safeWords } from '../../content/text.ts';
import type { Pdfium } from './pdfium.ts';
import { wideString } from './pdfium.ts';

const mostLines = 100;
const mostSeen = 5000;
const deepest = 6;

/** The bookmarks as text, and how many there are beyond it; nothing when the document has none. */
export function pdfOutline(pdfium: Pdfium, document: number): string {
  const lines: string[] = [];
  const seen = new Set<number>();
  const walk = (first: number, depth: number): void => {
    for (let mark = first; mark !== 0 && !seen.has(mark); mark = pdfium.FPDFBookmark_GetNextSibling(document, mark)) {
      if (seen.size >= mostSeen) return;
      seen.add(mark);
      lines.push(`${'  '.repeat(depth)}- ${titleOf(pdfium, mark)}${placeOf(pdfium, document, mark)}`);
      if (depth < deepest) walk(pdfium.FPDFBookmark_GetFirstChild(document, mark), depth + 1);
    }
  };
  walk(pdfium.FPDFBookmark_GetFirstChild(document, 0), 0);
  const more = lines.length - mostLines;
  return [...lines.slice(0, mostLines), ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

function titleOf(pdfium: Pdfium, mark: number): string {
  const title = safeWords(wideString(pdfium, (memory, size) => pdfium.FPDFBookmark_GetTitle(mark, memory, size)));
  return title === '' ? '(untitled)' : title;
}

function placeOf(pdfium: Pdfium, document: number, mark: number): string {
  const own = pdfium.FPDFBookmark_GetDest(document, mark);
  const action = own === 0 ? pdfium.FPDFBookmark_GetAction(mark) : 0;
  const target = action === 0 ? own : pdfium.FPDFAction_GetDest(document, action);
  const page = target === 0 ? -1 : pdfium.FPDFDest_GetDestPageIndex(document, target);
  return page < 0 ? '' : ` (page ${page + 1})`;
}
