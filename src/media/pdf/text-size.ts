// An open page in, the size of its smaller letters out, as its text layer has it: exact, so nothing has to be guessed from
// a drawing of the page. Nothing for pages with hardly a word.
import type { Pdfium } from './pdfium.ts';
import { withMemory } from './pdfium.ts';

const fewest = 40;
/** A long page is asked at so many places. */
const most = 1000;

/** A quarter of the letters are smaller, the others as large or larger; in points. */
export function textSizeOf(pdfium: Pdfium, page: number): number | undefined {
  const handle = pdfium.FPDFText_LoadPage(page);
  if (handle === 0) return undefined;
  try {
    const count = pdfium.FPDFText_CountChars(handle);
    if (count < fewest) return undefined;
    const step = Math.max(1, Math.floor(count / most));
    const sizes = Array.from({ length: Math.floor(count / step) }, (_, at) => sizeAt(pdfium, handle, at * step));
    const known = sizes.filter((size) => size > 0).toSorted((one, other) => one - other);
    return known.length < fewest ? undefined : known[Math.floor(known.length / 4)];
  } finally {
    pdfium.FPDFText_ClosePage(handle);
  }
}

/** What the font says, as its matrix stretches it. */
function sizeAt(pdfium: Pdfium, text: number, index: number): number {
  const stretch = withMemory(pdfium, 24, (memory) => {
    if (!pdfium.FPDFText_GetMatrix(text, index, memory)) return 0;
    const matrix = new DataView(pdfium.pdfium.HEAPU8.buffer, memory, 24);
    return Math.hypot(matrix.getFloat32(8, true), matrix.getFloat32(12, true));
  });
  return pdfium.FPDFText_GetFontSize(text, index) * (stretch ?? 0);
}
