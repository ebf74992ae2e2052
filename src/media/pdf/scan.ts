// An open page in, whether it looks like a scan out: pictures cover most of it. That it has no words is known already.
import type { Pdfium } from './pdfium.ts';
import { withMemory } from './pdfium.ts';

const [image, group] = [3, 5];
const mostObjects = 1000;
const deepest = 3;
const share = 0.5;

/** Many scans come in strips, so what all pictures cover together is what counts. */
export function looksScanned(pdfium: Pdfium, page: number): boolean {
  const pageArea = pdfium.FPDF_GetPageWidthF(page) * pdfium.FPDF_GetPageHeightF(page);
  const count = Math.min(pdfium.FPDFPage_CountObjects(page), mostObjects);
  let covered = 0;
  for (let at = 0; at < count; at += 1) {
    const object = pdfium.FPDFPage_GetObject(page, at);
    if (holdsPicture(pdfium, object, 0)) covered += areaOf(pdfium, object);
  }
  return covered >= pageArea * share;
}

function holdsPicture(pdfium: Pdfium, object: number, depth: number): boolean {
  const type = pdfium.FPDFPageObj_GetType(object);
  if (type === image) return true;
  if (type !== group || depth >= deepest) return false;
  const count = Math.min(pdfium.FPDFFormObj_CountObjects(object), mostObjects);
  return Array.from({ length: count }, (_, at) => pdfium.FPDFFormObj_GetObject(object, at)).some((inner) =>
    holdsPicture(pdfium, inner, depth + 1),
  );
}

function areaOf(pdfium: Pdfium, object: number): number {
  const area = withMemory(pdfium, 16, (memory) => {
    const known = pdfium.FPDFPageObj_GetBounds(object, memory, memory + 4, memory + 8, memory + 12);
    if (!known) return 0;
    const edges = new DataView(pdfium.pdfium.HEAPU8.buffer, memory, 16);
    const edge = (at: number): number => edges.getFloat32(at * 4, true);
    return Math.abs((edge(2) - edge(0)) * (edge(3) - edge(1)));
  });
  return area ?? 0;
}
