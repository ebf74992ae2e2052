// An open document in, the fields of its form out, page by page: as `label: value`, and where they stand. Passwords stay
// hidden. They are taken before a page is read, because reading makes the fields part of the page.
import { cutText } from '../../content/text.ts';
import type { FilledField } from './layout/page.ts';
import type { Pdfium } from './pdfium.ts';
import { wideString, withMemory } from './pdfium.ts';

const kinds = { button: 1, check: 2, radio: 3, choice: 4, list: 5, text: 6, signature: 7 } as const;
const widget = 20;
const passwordFlag = 1 << 13;
const mostFields = 500;
const longestValue = 1000;
/** Fields named in a line of those that say nothing. */
const mostNames = 60;
const unticked = 'unchecked';

/** What a page says of all its fields in lines, of those that do not stand on it, and what is to stand where the others are. */
export type PageFields = { lines: string[]; others: string[]; filled: FilledField[] };

type OnPage = (page: number, use: (handle: number) => PageFields) => PageFields | undefined;

const none: PageFields = { lines: [], others: [], filled: [] };

/** The filled and the empty fields of these pages; documents without a form cost nothing. */
export function formFields(
  pdfium: Pdfium,
  document: number,
  [start, end]: readonly [number, number],
  onPage: OnPage,
): PageFields[] {
  const pages = Array.from({ length: end - start }, (_, at) => start + at);
  if (pdfium.FPDF_GetFormType(document) === 0) return pages.map(() => none);
  const info = pdfium.PDFiumExt_OpenFormFillInfo();
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, info);
  try {
    if (form === 0) return pages.map(() => none);
    return pages.map((page) => onPage(page, (handle) => pageFields(pdfium, form, handle)) ?? none);
  } finally {
    if (form !== 0) pdfium.PDFiumExt_ExitFormFillEnvironment(form);
    pdfium.PDFiumExt_CloseFormFillInfo(info);
  }
}

type Field = { name: string; label: string; value: string; ticked?: boolean; isChoice?: true; hidden?: true };

function pageFields(pdfium: Pdfium, form: number, page: number): PageFields {
  const fields = new Map<string, Field>();
  const filled: FilledField[] = [];
  const shown = new Set<string>();
  const total = pdfium.FPDFPage_GetAnnotCount(page);
  for (let at = 0; at < Math.min(total, mostFields); at += 1) {
    const note = pdfium.FPDFPage_GetAnnot(page, at);
    if (note === 0) continue;
    const field = pdfium.FPDFAnnot_GetSubtype(note) === widget ? fieldAt(pdfium, form, note) : undefined;
    if (field !== undefined) {
      // The buttons of one choice share a name; the pressed one speaks for all.
      if ((fields.get(field.name)?.value ?? '') === '') fields.set(field.name, field);
      const place = standing(pdfium, note, field);
      if (place !== undefined) filled.push(place);
      if (place !== undefined && field.value !== '') shown.add(field.name);
    }
    pdfium.FPDFPage_CloseAnnot(note);
  }
  const all = [...fields.values()];
  const more = total > mostFields ? total - mostFields : 0;
  return {
    lines: lines(all, more),
    others: lines(
      all.filter(({ name }) => !shown.has(name)),
      more,
    ),
    filled,
  };
}

/** Those with a value one below the other, the empty ones and those that are not ticked in one line each. */
function lines(fields: readonly Field[], more: number): string[] {
  const said = fields.filter(({ value }) => value !== '' && value !== unticked);
  const listed = (head: string, some: readonly Field[]): string[] => {
    const names = some.slice(0, mostNames).map(({ label }) => label);
    const rest = some.length - names.length;
    return some.length === 0 ? [] : [`${head}: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`];
  };
  const empty = fields.filter(({ value }) => value === '');
  const open = fields.filter(({ value }) => value === unticked);
  return [
    ...said.map(({ label, value }) => `${label}: ${value}`),
    ...listed('Empty', empty),
    ...listed('Unchecked', open),
    ...(more > 0 ? [`(${more} more fields or notes are not listed)`] : []),
  ];
}

function standing(
  pdfium: Pdfium,
  note: number,
  { label, value, ticked, isChoice, hidden }: Field,
): FilledField | undefined {
  const text = ticked === undefined ? value : ticked ? '[x]' : '[ ]';
  if (text === '' || hidden === true) return undefined;
  const place = withMemory(pdfium, 16, (memory) => {
    if (!pdfium.FPDFAnnot_GetRect(note, memory)) return undefined;
    const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(pdfium.pdfium.HEAPU8.buffer, memory, 4);
    return { x0: left, y0: Math.min(top, bottom), x1: right, y1: Math.max(top, bottom) };
  });
  // One of several buttons is called by what pressing it means.
  const named = isChoice === true ? [label, value].filter((part) => part !== '').join(' = ') : label;
  return place && { place, text, label: named, ...(ticked !== undefined && { ticked }) };
}

function fieldAt(pdfium: Pdfium, form: number, note: number): Field | undefined {
  const kind = pdfium.FPDFAnnot_GetFormFieldType(form, note);
  const name = line(wideString(pdfium, (to, size) => pdfium.FPDFAnnot_GetFormFieldName(form, note, to, size)));
  if (name === '' || kind < kinds.check || kind > kinds.text) return undefined;
  const said = line(wideString(pdfium, (to, size) => pdfium.FPDFAnnot_GetFormFieldAlternateName(form, note, to, size)));
  const label = said === '' ? plainName(name) : said;
  if (kind === kinds.check || kind === kinds.radio) {
    const state = line(wideString(pdfium, (to, size) => pdfium.FPDFAnnot_GetStringValue(note, 'AS', to, size)));
    const ticked = state !== '' && state !== 'Off';
    if (kind === kinds.check) return { name, label, ticked, value: ticked ? 'checked' : unticked };
    return { name, label, ticked, isChoice: true, value: ticked ? state : '' };
  }
  const secret = kind === kinds.text && (pdfium.FPDFAnnot_GetFormFieldFlags(form, note) & passwordFlag) !== 0;
  const value = line(wideString(pdfium, (to, size) => pdfium.FPDFAnnot_GetFormFieldValue(form, note, to, size)));
  return secret && value !== '' ? { name, label, value: '(hidden)', hidden: true } : { name, label, value };
}

/** The last part of a name that leads through the form, without its number: `form1[0].Page1[0].City[0]` is a City. */
function plainName(name: string): string {
  const last =
    name
      .split('.')
      .at(-1)
      ?.replaceAll(/\[\d+\]/g, '') ?? '';
  return last === '' ? name : last;
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
