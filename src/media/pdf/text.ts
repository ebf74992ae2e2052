// The words of some pages in, one text out: notes that say what follows, then page after page. Pure.
import type { PageRange } from '../../content/block.ts';
import { cutText } from '../../content/text.ts';
import { pageHeading } from '../../content/words.ts';
import type { PdfReading } from '../child/job.ts';
import { grouped } from '../limits.ts';
import { pagesShown } from './pages.ts';

const noteRoom = 160;

/** Stands before what is left of a file that stops too early. */
export const lostEndNote =
  '[This PDF is damaged or cut off: its end is missing. What could be read follows; pages or parts of them may be lost.]';

type Pages = Omit<PdfReading, 'unlocked'>;

/** Every page under its number, counted from one; pages without words are left out, unreadable ones are named. */
export function pageText(reading: Pages): string {
  const pages = sections(reading);
  return pages.length === 0 ? '' : joined([...outlineOf(reading), ...repeatedOf(reading), ...pages]);
}

/** What has to be known before the pages: which they are, how to go on, and what is odd about them. */
export function pdfNotes(
  { pages, range, scanned = [], lost = [], doubtful = [], unread = [], pictured = [], cut }: Pages,
  warnPages: number,
): string[] {
  const notes = [pagesShown(range, pages)];
  if (cut) notes.push(lostEndNote);
  if (pages > warnPages) {
    notes.push(`[This PDF has ${pages} pages; above ${warnPages} some models do not take it whole. Read it in parts.]`);
  }
  if (scanned.length > 0) notes.push(scannedNote(scanned));
  if (lost.length > 0) notes.push(lostNote(lost));
  if (doubtful.length > 0) notes.push(doubtfulNote(doubtful));
  if (unread.length > 0) notes.push(unreadNote(unread));
  if (pictured.length > 0) notes.push(picturesNote(pictured));
  return notes;
}

/** What a reading of a PDF prints: the notes first, so that no cut can lose them. */
export function pdfOutput(name: string, reading: Pages, warnPages: number, maxCharacters: number): string {
  const notes = pdfNotes(reading, warnPages);
  const pages = sections(reading);
  if (reading.texts.every((words) => words === ''))
    notes.push(`[PDF: ${name}, ${pagesText(reading.pages)}, no extractable text]`);
  const parts = [...outlineOf(reading), ...repeatedOf(reading), ...pages];
  const text = joined(parts);
  if (text === '') return notes.join('\n');
  const room = maxCharacters - notes.join('\n').length - 2;
  if (text.length <= room) return `${notes.join('\n')}\n\n${text}`;
  const shown = cutText(text, Math.max(0, room - noteRoom));
  return [...notes, cutNote(parts, reading.range, shown.length, text.length), '', shown].join('\n');
}

export function pagesText(pages: number): string {
  return pages === 1 ? '1 page' : `${pages} pages`;
}

type Section = { page: number; text: string };

/** Where the text stops, and the page from which it can be read on. */
function cutNote(parts: readonly Section[], range: PageRange, shown: number, length: number): string {
  let end = 0;
  const page = parts.find(({ text }) => (end += text.length + 2) > shown)?.page ?? range[1];
  const next = page - 1 > range[0] ? ` Use page_start=${page - 1} to read on from there.` : '';
  return `[The text is cut after ${grouped(shown)} of ${grouped(length)} characters, in page ${page}.${next}]`;
}

function scannedNote(scanned: readonly number[]): string {
  return scanned.length === 1
    ? `[Page ${runs(scanned)} looks scanned: a picture without text. ${shownBy(scanned)}]`
    : `[Pages ${runs(scanned)} look scanned: pictures without text. ${shownBy(scanned)}]`;
}

function lostNote(lost: readonly number[]): string {
  return `[Page ${runs(lost)}: the fonts do not say which letters these are, so the words are left out. ${shownBy(lost)}]`;
}

function doubtfulNote(doubtful: readonly number[]): string {
  return `[Page ${runs(doubtful)}: the letters in the file form no words and may differ from what the page shows. ${shownBy(doubtful)}]`;
}

function unreadNote(unread: readonly number[]): string {
  return `[Page ${runs(unread)}: more notes and links than are read; some are left out. ${shownBy(unread)}]`;
}

function picturesNote(pages: readonly number[]): string {
  return pages.length === 1
    ? `[Page ${runs(pages)} has pictures beside its words. ${shownBy(pages)}]`
    : `[Pages ${runs(pages)} have pictures beside their words. ${shownBy(pages)}]`;
}

/** The call that shows pages as pictures; of several stretches it shows the first. */
function shownBy(pages: readonly number[]): string {
  const spans = runs(pages).split(', ');
  const what = spans.length > 1 ? 'shows the first of them' : pages.length > 1 ? 'shows them' : 'shows it';
  return `as="image" with pages="${spans[0] ?? ''}" ${what}.`;
}

/** Pages counted from zero as a person writes them: 1-3, 7. */
function runs(pages: readonly number[]): string {
  const spans: { first: number; last: number }[] = [];
  for (const page of pages) {
    const open = spans.at(-1);
    if (open?.last === page) open.last = page + 1;
    else spans.push({ first: page + 1, last: page + 1 });
  }
  return spans.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}

function outlineOf({ range, outline = '' }: Pages): Section[] {
  return outline === '' ? [] : [{ page: range[0] + 1, text: `[Outline]\n${outline}` }];
}

/** Heads and feet, once for all pages. */
function repeatedOf({ range, repeated = [] }: Pages): Section[] {
  return repeated.length === 0 ? [] : [{ page: range[0] + 1, text: `[On each page]\n${repeated.join('\n')}` }];
}

function sections({ range, texts, fields = [] }: Pages): Section[] {
  return texts.flatMap((words, at) => {
    const page = range[0] + at + 1;
    const text = withFields(words ?? '[this page could not be read]', fields[at] ?? []);
    return text === '' ? [] : [{ page, text: `${pageHeading(page)}\n${text}` }];
  });
}

/** The words of a page with the fields of its form below them. */
function withFields(words: string, fields: readonly string[]): string {
  if (fields.length === 0) return words;
  return [...(words === '' ? [] : [words, '']), '[Form fields]', ...fields].join('\n');
}

function joined(parts: readonly Section[]): string {
  return parts.map(({ text }) => text).join('\n\n');
}
