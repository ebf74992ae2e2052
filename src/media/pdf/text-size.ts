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
    const sizes = new Float64Array(Math.floor(count / step));
    withMemory(pdfium, 24, (memory) => {
      for (let at = 0; at < sizes.length; at += 1) sizes[at] = sizeAt(pdfium, handle, at * step, memory);
    });
    const known = sizes.filter((size) => size > 0).toSorted();
    return known.length < fewest ? undefined : known[Math.floor(known.length / 4)];
  } finally {
    pdfium.FPDFText_ClosePage(handle);
  }
}

/** What the font says, as its matrix stretches it. */
function sizeAt({ pdfium }: Pdfium, text: number, index: number, memory: number): number {
  const raw = pdfium.wasmExports;
  if (raw.FPDFText_GetMatrix(text, index, memory) === 0) return 0;
  const [, , c = 0, d = 0] = new Float32Array(pdfium.HEAPU8.buffer, memory, 4);
  return raw.FPDFText_GetFontSize(text, index) * Math.hypot(c, d);
}
