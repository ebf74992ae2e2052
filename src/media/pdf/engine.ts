// PDF bytes in; page count, words, page pictures and page subsets out. Every handle that is opened here is closed here.
// Runs in a child process.
import type { PageRange } from '../../content/block.ts';
import type { Drawn } from '../image/codec.ts';
import type { PageFields } from './fields.ts';
import { formFields } from './fields.ts';
import { pageGlyphs } from './glyphs.ts';
import type { PageGlyphs, PageMark } from './layout/page.ts';
import type { PageMarks } from './marks.ts';
import { hasTooManyNotes, pageMarks } from './marks.ts';
import { mendedPdf } from './mend.ts';
import { pdfOutline } from './outline.ts';
import type { Pdfium } from './pdfium.ts';
import { dropPdfium, loadPdfium, wideAt, withMemory } from './pdfium.ts';
import { looksScanned } from './scan.ts';
import { withStableId } from './stable.ts';
import { textSizeOf } from './text-size.ts';

export { loadPdfium } from './pdfium.ts';

/** Why a document did not open. */
export type PdfFault = 'password' | 'damaged' | 'security' | 'hostile';

/** An open document. Page numbers are 0-based. What fails on one page fails for that page only. After `text` or `draw`
 * the open document is no longer as it was, so copies of it are taken first. */
export type Pdf = {
  pages: number;
  encrypted: boolean;
  /** the words of a page in the order of the file */
  text(page: number): string | undefined;
  /** its letters and lines and where they stand; nothing when there are too many to lay out */
  glyphs(page: number): PageGlyphs | undefined;
  /** how many notes on a page that was read were not looked at */
  unmarked(page: number): number;
  /** the bookmarks, a line for each; empty when there are none */
  outline(): string;
  /** the form fields of each page; to be taken before the words, which make them part of the page */
  fields(range: PageRange): PageFields[];
  /** whether pictures cover most of a page */
  scanned(page: number): boolean;
  /** RGBA pixels of a page, at a resolution that keeps the long edge inside the bound */
  draw(page: number, dpi: number, maxEdge: number): DrawnPage | undefined;
  /** the pages as a document of their own */
  subset(start: number, end: number): Uint8Array | undefined;
  /** the whole document without its encryption */
  unlocked(): Uint8Array | undefined;
  opens(page: number): boolean;
  /** whether nothing is drawn on a page, nor laid over it */
  blank(page: number): boolean;
};

/** Opens a document for the time of `use`; the fault comes back as a value. */
export async function withPdf<T>(
  bytes: Uint8Array,
  password: string,
  use: (pdf: Pdf) => Promise<T>,
): Promise<T | PdfFault> {
  try {
    const result = await withOpen(bytes, password, use);
    const mended = result === 'damaged' ? mendedPdf(bytes) : undefined;
    return mended === undefined ? result : await withOpen(mended, password, use);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
    dropPdfium(); // it ran out of memory or stack and cannot be trusted with another document
    return 'hostile';
  }
}

async function withOpen<T>(bytes: Uint8Array, password: string, use: (pdf: Pdf) => Promise<T>): Promise<T | PdfFault> {
  const pdfium = await loadPdfium();
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const memory = malloc(bytes.length);
  if (memory === 0) return 'damaged';
  pdfium.pdfium.HEAPU8.set(bytes, memory);
  let document = pdfium.FPDF_LoadMemDocument(memory, bytes.length, password);
  if (document === 0) document = pdfium.FPDF_LoadMemDocument(memory, bytes.length, prepared(password));
  try {
    if (document === 0) return faults[pdfium.FPDF_GetLastError()] ?? 'damaged';
    return await use(open(pdfium, document));
  } finally {
    if (document !== 0) pdfium.FPDF_CloseDocument(document);
    free(memory);
  }
}

/** Newer encryption wants a password without invisible characters and with each letter in its plain form (SASLprep). */
function prepared(password: string): string {
  return password
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/\p{Zs}/gu, ' ')
    .normalize('NFKC');
}

const faults: Record<number, PdfFault> = { 4: 'password', 5: 'security' };

function open(pdfium: Pdfium, document: number): Pdf {
  const { FPDF_LoadPage: load, FPDF_ClosePage: close } = pdfium.pdfium.wasmExports;
  const onPage = <T>(page: number, use: (handle: number) => T | undefined): T | undefined => {
    const handle = load(document, page);
    if (handle === 0) return undefined;
    try {
      return use(handle);
    } finally {
      close(handle);
    }
  };
  // Notes and filled-in fields lie beside the page; only once they are part of it are they read and drawn with it.
  const marked = new Map<number, PageMarks>();
  const onFlatPage = <T>(
    page: number,
    use: (handle: number, marks: readonly PageMark[]) => T | undefined,
  ): T | undefined => {
    let flattened = false;
    const result = onPage(page, (handle) => {
      const known = marked.get(page) ?? pageMarks(pdfium, document, handle);
      marked.set(page, known);
      if (!known.drawn) return use(handle, known.marks);
      flattened = true;
      pdfium.FPDFPage_Flatten(handle, 0);
      marked.set(page, { ...known, drawn: false });
      return undefined;
    });
    // a page that was changed has to be loaded anew
    return flattened ? onPage(page, (handle) => use(handle, marked.get(page)?.marks ?? [])) : result;
  };
  return {
    pages: pdfium.FPDF_GetPageCount(document),
    encrypted: pdfium.EPDF_IsEncrypted(document),
    opens: (page) => onPage(page, () => true) ?? false,
    blank: (page) => onPage(page, (handle) => isBlank(pdfium, handle)) ?? true,
    text: (page) => onFlatPage(page, (handle) => textOf(pdfium, handle)),
    glyphs: (page) => onFlatPage(page, (handle, marks) => pageGlyphs(pdfium, handle, marks)),
    unmarked: (page) => marked.get(page)?.more ?? 0,
    outline: () => pdfOutline(pdfium, document),
    fields: (range) => formFields(pdfium, document, range, onPage),
    scanned: (page) => onPage(page, (handle) => looksScanned(pdfium, handle)) ?? false,
    draw: (page, dpi, maxEdge) => onFlatPage(page, (handle) => draw(pdfium, handle, dpi, maxEdge)),
    subset: (from, to) => subset(pdfium, document, from, to),
    unlocked: () => (pdfium.EPDF_RemoveEncryption(document) ? save(pdfium, document) : undefined),
  };
}

function isBlank({ pdfium }: Pdfium, page: number): boolean {
  const { FPDFPage_CountObjects: drawn, FPDFPage_GetAnnotCount: over } = pdfium.wasmExports;
  return drawn(page) <= 0 && over(page) <= 0;
}

function textOf(pdfium: Pdfium, page: number): string | undefined {
  const handle = pdfium.FPDFText_LoadPage(page);
  if (handle === 0) return undefined;
  try {
    const count = pdfium.FPDFText_CountChars(handle);
    if (count <= 0) return '';
    return withMemory(pdfium, count * 4 + 2, (memory) => {
      const written = pdfium.FPDFText_GetText(handle, 0, count, memory) - 1;
      return tidy(wideAt(pdfium, memory, Math.max(0, written) * 2));
    });
  } finally {
    pdfium.FPDFText_ClosePage(handle);
  }
}

/** One kind of line end and one form of each character, hyphens for the library's marks, nothing that is no character. */
function tidy(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\u0002', '-')
    .replaceAll('\ufffe', '-')
    .replaceAll('\u0000', '')
    .replaceAll(/[ \t]+$/gm, '')
    .toWellFormed()
    .normalize('NFC')
    .trim();
}

/** `scale`: how many pixels a point became; `points`: how large the smaller letters are, nothing when it has no words. */
export type DrawnPage = Drawn & { scale: number; points: number | undefined };

function draw(pdfium: Pdfium, page: number, dpi: number, maxEdge: number): DrawnPage | undefined {
  const [wide, high] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)];
  const scale = Math.min(dpi / 72, maxEdge / Math.max(wide, high));
  const [width, height] = [Math.max(1, Math.round(wide * scale)), Math.max(1, Math.round(high * scale))];
  const [rgba, reverseByteOrder] = [4, 0x10];
  const annotations = hasTooManyNotes(pdfium, page) ? 0 : 0x01;
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, rgba, 0, 0);
  if (bitmap === 0) return undefined;
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, annotations | reverseByteOrder);
    const at = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const data = pdfium.pdfium.HEAPU8.slice(at, at + width * height * 4);
    return { data, width, height, scale, points: textSizeOf(pdfium, page) };
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

function subset(pdfium: Pdfium, document: number, start: number, end: number): Uint8Array | undefined {
  const copy = pdfium.FPDF_CreateNewDocument();
  if (copy === 0) return undefined;
  try {
    const count = end - start;
    const imported = withMemory(pdfium, count * 4, (memory) => {
      const indices = new DataView(pdfium.pdfium.HEAPU8.buffer, memory, count * 4);
      for (let at = 0; at < count; at += 1) indices.setInt32(at * 4, start + at, true);
      return pdfium.FPDF_ImportPagesByIndex(copy, document, memory, count, 0);
    });
    pdfium.EPDF_SetMetaText(copy, 'CreationDate', 0);
    return imported === true ? save(pdfium, copy) : undefined;
  } finally {
    pdfium.FPDF_CloseDocument(copy);
  }
}

function save(pdfium: Pdfium, document: number): Uint8Array | undefined {
  const writer = pdfium.PDFiumExt_OpenFileWriter();
  try {
    if (pdfium.PDFiumExt_SaveAsCopy(document, writer) === 0) return undefined;
    const size = pdfium.PDFiumExt_GetFileWriterSize(writer);
    return withMemory(pdfium, size, (memory) => {
      pdfium.PDFiumExt_GetFileWriterData(writer, memory, size);
      return withStableId(pdfium.pdfium.HEAPU8.slice(memory, memory + size));
    });
  } finally {
    pdfium.PDFiumExt_CloseFileWriter(writer);
  }
}
