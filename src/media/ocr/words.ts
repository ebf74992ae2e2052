// A picture or a PDF of pictures in, the words on it as one text out, with how sure they are. Refused: pictures without
// words one can trust, absent libraries, pictures that take too long.
import type { PageRange } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { pageHeading } from '../../content/words.ts';
import { runJob } from '../child/pool.ts';
import type { Context } from '../context.ts';
import { rulesFor } from '../context.ts';
import { drawnPages } from '../pdf/pictures.ts';
import type { Recognised } from './engine.ts';
import { unsureMark } from './unsure.ts';

/** Below this, what was read is mostly shapes taken for letters. */
const leastConfidence = 60;
const mostPages = 5;
/** How fine a page is drawn so that small print can be read, and how large a drawing of it may become. */
const [pageDpi, pageEdge, pageBytes] = [300, 4400, 48 * 1024 * 1024];

/** The words on one picture, behind a line that says how they came about. */
export async function pictureWords(bytes: Uint8Array, name: string, context: Context): Promise<Read<string>> {
  const found = await recognised(bytes, name, context);
  if (!found.ok) return found;
  return {
    ok: true,
    value: `[text read off the picture, confidence ${found.value.confidence} %]\n${unsureNote(found.value.text)}${found.value.text}`,
  };
}

/** The words on the first few of these pages of a PDF. A page without any is left out. */
export async function pageWords(
  bytes: Uint8Array,
  { name, range }: { name: string; range?: PageRange | undefined },
  context: Context,
): Promise<Read<string>> {
  const asked = { start: range?.[0] ?? 0, ...(range && { end: Math.min(range[1], range[0] + mostPages) }) };
  const drawing = { name, asked, maxPages: mostPages, maxEdge: pageEdge, dpi: pageDpi };
  const drawn = await drawnPages(bytes, drawing, pageBytes, context);
  if (!drawn.ok) return drawn;
  const { pages, range: read, pictures } = drawn.value;
  const texts: string[] = [];
  let some = false;
  for (const [at, picture] of pictures.entries()) {
    context.tell?.({ done: at, of: pictures.length, what: 'pages read by OCR' });
    const page = read[0] + at + 1;
    const head = `${pageHeading(page)}\n`;
    if (picture === null) continue;
    const found = await recognised(picture.bytes, `page ${page} of ${name}`, context);
    if (!found.ok && found.refusal.code !== 'empty' && !some) return found;
    some ||= found.ok;
    if (found.ok) texts.push(`${head}${found.value.text}\n[confidence ${found.value.confidence} %]`);
    else texts.push(`${head}[no words on it that can be trusted; look at it as a picture]`);
  }
  if (!some) return wordless(name);
  const wanted = Math.min(range?.[1] ?? pages, pages);
  const unread = read[1] < wanted ? `; ${pageSpan(read[1], wanted)} not read` : '';
  const note = `[text read off the pictures of pages ${read[0] + 1}-${read[1]} of ${pages}${unread}]`;
  const text = texts.join('\n\n');
  return { ok: true, value: `${note}\n${unsureNote(text)}\n${text}` };
}

/** Pages counted from zero, without the last, and their verb. */
function pageSpan(start: number, end: number): string {
  return end - start === 1 ? `page ${end} was` : `pages ${start + 1}-${end} were`;
}

/** What the marks in a text mean; nothing where there are none. */
function unsureNote(text: string): string {
  return text.includes(unsureMark) ? `[${unsureMark} stands behind numbers that may be wrong]\n` : '';
}

async function recognised(bytes: Uint8Array, name: string, context: Context): Promise<Read<Recognised>> {
  const found = await runJob('read-picture', { bytes, name }, rulesFor(name, context.limits.ocrMs, context));
  if (!found.ok) return found;
  const { text, confidence } = found.value;
  const tidy = text
    .toWellFormed()
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return tidy === '' || confidence < leastConfidence ? wordless(name) : { ok: true, value: { text: tidy, confidence } };
}

function wordless(name: string): { ok: false } & Read<never> {
  return refuse('empty', `${name} has no words that could be read off it`, 'Show it as a picture.');
}
