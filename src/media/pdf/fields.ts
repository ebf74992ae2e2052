// An open document in, the fields of its form out, page by page, as `name: value`. Passwords stay hidden. They are
// taken before a page is read, because reading makes the fields part of the page.
import { cutText } from '../../content/text.ts';
import type { Pdfium } from './pdfium.ts';
import { wideString } from './pdfium.ts';

const kinds = { button: 1, check: 2, radio: 3, choice: 4, list: 5, text: 6, signature: 7 } as const;
const widget = 20;
const passwordFlag = 1 << 13;
const mostFields = 500;
const longestValue = 1000;

type OnPage = (page: number, use: (handle: number) => string[]) => string[] | undefined;

/** The filled and the empty fields of these pages; documents without a form cost nothing. */
export function formFields(
  pdfium: Pdfium,
  document: number,
  [start, end]: readonly [number, number],
  onPage: OnPage,
): string[][] {
  const pages = Array.from({ length: end - start }, (_, at) => start + at);
  if (pdfium.FPDF_GetFormType(document) === 0) return pages.map(() => []);
  const info = pdfium.PDFiumExt_OpenFormFillInfo();
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, info);
  try {
    if (form === 0) return pages.map(() => []);
    return pages.map((page) => onPage(page, (handle) => pageFields(pdfium, form, handle)) ?? []);
  } finally {
    if (form !== 0) pdfium.PDFiumExt_ExitFormFillEnvironment(form);
    pdfium.PDFiumExt_CloseFormFillInfo(info);
  }
}

function pageFields(pdfium: Pdfium, form: number, page: number): string[] {
  const values = new Map<string, string>();
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(page), mostFields);
  for (let at = 0; at < count; at += 1) {
    const note = pdfium.FPDFPage_GetAnnot(page, at);
    if (note === 0) continue;
    const field = pdfium.FPDFAnnot_GetSubtype(note) === widget ? fieldAt(pdfium, form, note) : undefined;
    // The buttons of one choice share a name; the pressed one speaks for all.
    if (field !== undefined && (values.get(field.name) ?? '') === '') values.set(field.name, field.value);
    pdfium.FPDFPage_CloseAnnot(note);
  }
  return [...values].map(([name, value]) => `${name}: ${value === '' ? '(empty)' : value}`);
}

function fieldAt(pdfium: Pdfium, form: number, note: number): { name: string; value: string } | undefined {
  const kind = pdfium.FPDFAnnot_GetFormFieldType(form, note);
  const name = line(wideString(pdfium, (to, size) => pdfium.FPDFAnnot_GetFormFieldName(form, note, to, size)));
  if (name === '' || kind < kinds.check || kind > kinds.text) return undefined;
  if (kind === kinds.check || kind === kinds.radio) {
    const state = line(wideString(pdfium, (to, size) => pdfium.FPDFAnnot_GetStringValue(note, 'AS', to, size)));
    const pressed = state !== '' && state !== 'Off';
    if (kind === kinds.check) return { name, value: pressed ? 'checked' : 'unchecked' };
    return { name, value: pressed ? state : '' };
  }
  const hidden = kind === kinds.text && (pdfium.FPDFAnnot_GetFormFieldFlags(form, note) & passwordFlag) !== 0;
  const value = wideString(pdfium, (to, size) => pdfium.FPDFAnnot_GetFormFieldValue(form, note, to, size));
  return { name, value: hidden && value !== '' ? '(hidden)' : line(value) };
}

/** One line, well-formed, not endless. */
function line(words: string): string {
  return cutText(
    words
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim(),
    longestValue,
  );
}
