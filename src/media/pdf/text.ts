// The words of some pages in, one text out: a note that says what follows, then page after page. Pure.
import type { PageRange } from '../../content/block.ts';
import { cutText } from '../../content/text.ts';
import { grouped } from '../limits.ts';

const noteRoom = 160;

type Pages = { pages: number; range: PageRange; texts: readonly (string | null)[] };

/** Every page under its number, counted from one; pages without words are left out, unreadable ones are named. */
export function pageText(reading: Pages): string {
  return sections(reading)
    .map(({ text }) => text)
    .join('\n\n');
}

/** What a reading of a PDF prints: the notes first, so that no cut can lose them. */
export function pdfOutput(name: string, reading: Pages, warnPages: number, maxCharacters: number): string {
  const { pages, range } = reading;
  const next = range[1] < pages ? ` Use page_start=${range[1]} to continue.` : '';
  const notes = [`[Showing pages ${range[0] + 1}-${range[1]} of ${pages}.${next}]`];
  if (pages > warnPages) {
    notes.push(`[This PDF has ${pages} pages; above ${warnPages} some models do not take it whole. Read it in parts.]`);
  }
  const text = pageText(reading);
  if (text === '') return [...notes, `[PDF: ${name}, ${pages} pages, no extractable text]`].join('\n');
  const room = maxCharacters - notes.join('\n').length - 2;
  if (text.length <= room) return `${notes.join('\n')}\n\n${text}`;
  const shown = cutText(text, Math.max(0, room - noteRoom));
  return [...notes, cutNote(reading, shown.length, text.length), '', shown].join('\n');
}

/** Where the text stops, and the page from which it can be read on. */
function cutNote(reading: Pages, shown: number, length: number): string {
  let end = 0;
  const page = sections(reading).find(({ text }) => (end += text.length + 2) > shown)?.page ?? reading.range[1];
  const next = page - 1 > reading.range[0] ? ` Use page_start=${page - 1} to read on from there.` : '';
  return `[The text is cut after ${grouped(shown)} of ${grouped(length)} characters, in page ${page}.${next}]`;
}

function sections({ range, texts }: Pages): { page: number; text: string }[] {
  return texts.flatMap((text, at) => {
    const page = range[0] + at + 1;
    if (text === '') return [];
    return [{ page, text: `--- Page ${page} ---\n${text ?? '[this page could not be read]'}` }];
  });
}
