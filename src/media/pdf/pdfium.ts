// The PDF library itself: loaded when first needed, its memory taken and given back. The only file that imports it.
// Everything else in this folder speaks to it through what is handed out here. Runs in a child process.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { SightlineError } from '../../content/refusal.ts';

/** What the package wraps in checks of each argument is called as it is where it is called for every page, letter or line. */
export type RawCall = (...numbers: number[]) => number;
type Direct = (typeof direct)[number];
type Raw = { HEAPU8: Uint8Array; wasmExports: Record<Direct, RawCall> };

const direct = [
  'FPDF_LoadPage',
  'FPDF_ClosePage',
  'FPDF_GetPageWidthF',
  'FPDF_GetPageHeightF',
  'FPDFPage_GetAnnotCount',
  'FPDFText_LoadPage',
  'FPDFText_ClosePage',
  'FPDFText_CountChars',
  'FPDFText_GetUnicode',
  'FPDFText_GetText',
  'FPDFText_GetLooseCharBox',
  'FPDFText_GetTextObject',
  'FPDFText_HasUnicodeMapError',
  'FPDFText_GetCharOrigin',
  'FPDFText_GetMatrix',
  'FPDFText_GetCharAngle',
  'FPDFText_GetFontSize',
  'FPDFTextObj_GetFont',
  'FPDFPage_CountObjects',
  'FPDFPage_GetObject',
  'FPDFPageObj_GetType',
  'FPDFPageObj_GetBounds',
  'FPDFPageObj_GetMatrix',
  'FPDFPath_CountSegments',
  'FPDFPath_GetDrawMode',
  'FPDFPath_GetPathSegment',
  'FPDFPathSegment_GetPoint',
  'FPDFPathSegment_GetType',
  'FPDFPathSegment_GetClose',
] as const;

export type Pdfium = WrappedPdfiumModule & { pdfium: Raw };

let library: Promise<Pdfium> | undefined;

/** Loads the library ahead of the first document. */
export function loadPdfium(): Promise<Pdfium> {
  library ??= startLibrary();
  return library;
}

/** The next document gets a library of its own. */
export function dropPdfium(): void {
  library = undefined;
}

async function startLibrary(): Promise<Pdfium> {
  const { resolve } = createRequire(import.meta.url);
  const [{ init }, wasm] = await Promise.all([
    import('@embedpdf/pdfium'),
    readFile(resolve('@embedpdf/pdfium/pdfium.wasm')),
  ]);
  const wasmBinary = new Uint8Array(wasm).buffer;
  const pdfium = await init({ wasmBinary });
  if (!hasMemory(pdfium)) throw new SightlineError('bug', 'The PDF library no longer shows its memory.');
  pdfium.PDFiumExt_Init();
  return pdfium;
}

/** The package types its module after an ambient type it does not ship; what we use of it is checked instead. */
function hasMemory(pdfium: WrappedPdfiumModule): pdfium is Pdfium {
  return 'HEAPU8' in pdfium.pdfium && direct.every((name) => name in pdfium.pdfium.wasmExports);
}

/** Memory of the library for the time of `use`; nothing when there is none left. */
export function withMemory<T>(pdfium: Pdfium, size: number, use: (memory: number) => T): T | undefined {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const memory = malloc(size);
  if (memory === 0) return undefined;
  try {
    return use(memory);
  } finally {
    free(memory);
  }
}

/** Longest string that is worth taking out of a document outside its pages, in bytes. */
const mostBytes = 64 * 1024;

/** A string that the library writes as UTF-16 with a zero at its end; `write` is called for its length first. */
export function wideString(pdfium: Pdfium, write: (memory: number, size: number) => number): string {
  const size = write(0, 0);
  if (size <= 2 || size > mostBytes) return '';
  return withMemory(pdfium, size, (memory) => (write(memory, size), wideAt(pdfium, memory, size - 2))) ?? '';
}

const utf16 = new TextDecoder('utf-16le');

/** UTF-16 out of the library's memory. */
export function wideAt(pdfium: Pdfium, memory: number, size: number): string {
  return utf16.decode(pdfium.pdfium.HEAPU8.subarray(memory, memory + size));
}
