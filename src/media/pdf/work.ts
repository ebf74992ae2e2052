// PDF jobs as they run inside a child process: a document in, words, pictures or pages out, or the refusal that says
// why not. A page that fails is left out; a document of which no page opens is refused.
import type { PageRange } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { cutText } from '../../content/text.ts';
import type { Jobs, PdfReading } from '../child/job.ts';
import type { WithText } from '../image/codec.ts';
import { encodePage } from '../image/codec.ts';
import { textSizeIn } from '../image/legibility.ts';
import { encrypted } from '../document/refusals.ts';
import type { DrawnPage, Pdf, PdfFault } from './engine.ts';
import { withPdf } from './engine.ts';
import { turnedEdges } from './edges.ts';
import type { PageFields } from './fields.ts';
import { withFieldValues } from './layout/overlaid.ts';
import { laidOut } from './layout/layout.ts';
import { meaningOf, withoutMeaningless } from './layout/meaning.ts';
import type { PageGlyphs } from './layout/page.ts';
import { lacksEnd } from './mend.ts';
import type { OnProgress } from '../context.ts';
import type { PagesAsked } from './pages.ts';
import { resolvePages } from './pages.ts';

type Input<K extends keyof Jobs> = Jobs[K]['input'];
type Output<K extends keyof Jobs> = Promise<Read<Jobs[K]['output']>>;

/** More pages than any real document has; files that claim them are made to exhaust a reader. */
const mostPages = 100_000;

/** Page count, range and words in one go, so that the bytes travel once. */
export async function readPdf(input: Input<'read-pdf'>, tell: OnProgress): Output<'read-pdf'> {
  return await withPages(input, input.maxPages, async (pdf, range, cut) => {
    const unlocked = pdf.encrypted ? pdf.unlocked() : undefined;
    const reading = input.words
      ? wordsOf(pdf, range, input.maxCharacters, tell)
      : { pages: pdf.pages, range, texts: [] };
    return { ok: true, value: { ...reading, ...cut, ...(unlocked !== undefined && { unlocked }) } };
  });
}

function wordsOf(pdf: Pdf, range: PageRange, maxCharacters: number, tell: OnProgress): PdfReading {
  const outline = range[0] === 0 ? pdf.outline() : '';
  const fields = pdf.fields(range);
  const { pages, scanned, lost, doubtful, unread, pictured } = lettersOf(pdf, range, maxCharacters, fields, tell);
  const lettered = pages.flatMap((page, at) => (typeof page === 'object' && page !== null ? [{ page, at }] : []));
  const { texts: laid, repeated } = laidOut(
    lettered.map(({ page }) => page),
    { at: lettered.map(({ at }) => range[0] + at), of: pdf.pages },
    turnedEdges,
  );
  const lines = fields.map((page, at) =>
    typeof pages[at] === 'object' && pages[at] !== null ? page.others : page.lines,
  );
  let room = maxCharacters;
  const texts = pages.map((page) => {
    const words = typeof page === 'object' && page !== null ? (laid.shift() ?? '') : page;
    const text = words === null ? null : cutText(words, room);
    room -= text?.length ?? 0;
    return text;
  });
  return {
    pages: pdf.pages,
    range,
    texts,
    ...(lines.some((page) => page.length > 0) && { fields: lines }),
    ...(outline !== '' && { outline }),
    ...(repeated.length > 0 && { repeated }),
    ...(scanned.length > 0 && { scanned }),
    ...(lost.length > 0 && { lost }),
    ...(doubtful.length > 0 && { doubtful }),
    ...(unread.length > 0 && { unread }),
    ...(pictured.length > 0 && { pictured }),
  };
}

type Letters = {
  pages: (PageGlyphs | string | null)[];
  scanned: number[];
  lost: number[];
  doubtful: number[];
  unread: number[];
  pictured: number[];
};

/** What stands on each page: its letters with their places, their text alone where they are too many, or null. Letters
 * that mean nothing are left out, and the pages that had them are told. */
function lettersOf(
  pdf: Pdf,
  range: PageRange,
  maxCharacters: number,
  fields: readonly PageFields[],
  tell: OnProgress,
): Letters {
  const found: Letters = { pages: [], scanned: [], lost: [], doubtful: [], unread: [], pictured: [] };
  let room = maxCharacters;
  for (let page = range[0]; page < range[1] && room > 0; page += 1) {
    tell({ done: page - range[0], of: range[1] - range[0], what: 'pages read' });
    const letters = withFilled(pdf.glyphs(page), fields[page - range[0]]) ?? pdf.text(page) ?? null;
    if (pdf.unmarked(page) > 0) found.unread.push(page);
    const length = lengthOf(letters);
    if (letters !== null && length === 0 && pdf.scanned(page)) found.scanned.push(page);
    if (letters !== null && typeof letters === 'object' && length > 0 && letters.pictured) found.pictured.push(page);
    room -= length;
    const meaning = letters === null || typeof letters === 'string' ? 'clear' : meaningOf(letters);
    if (meaning !== 'clear') found[meaning].push(page);
    if (meaning === 'lost') found.pages.push('');
    else found.pages.push(letters === null || typeof letters === 'string' ? letters : withoutMeaningless(letters));
  }
  return found;
}

function withFilled(page: PageGlyphs | undefined, fields: PageFields | undefined): PageGlyphs | undefined {
  if (page === undefined || fields === undefined || fields.filled.length === 0) return page;
  return { ...page, runs: withFieldValues(page.runs, fields.filled) };
}

function lengthOf(letters: PageGlyphs | string | null): number {
  if (letters === null || typeof letters === 'string') return letters?.length ?? 0;
  return letters.runs.reduce((sum, { text }) => sum + text.length + 1, 0);
}

/** How high the letters on a drawn page are: as its words say, or as they look where it is a picture of a page. */
function lettersOn(drawn: DrawnPage): number | undefined {
  const { points, scale } = drawn;
  return points === undefined ? textSizeIn({ ...drawn, channels: 4 }) : Number((points * scale).toFixed(1));
}

/** Pages as pictures, for models that see but take no PDF. */
export async function drawPages(input: Input<'draw-pages'>, tell: OnProgress): Output<'draw-pages'> {
  return await withPages(input, input.maxPages, async (pdf, range, cut) => {
    const pictures: (WithText | null)[] = [];
    for (let page = range[0]; page < range[1]; page += 1) {
      tell({ done: page - range[0], of: range[1] - range[0], what: 'pages drawn' });
      const drawn = pdf.draw(page, input.dpi, input.maxEdge);
      const picture = drawn && (await encodePage(drawn, input.maxBase64));
      const textPx = drawn && lettersOn(drawn);
      pictures.push(picture ? { ...picture, ...(textPx !== undefined && { textPx }) } : null);
    }
    return { ok: true, value: { pages: pdf.pages, range, pictures, ...cut } };
  });
}

/** Some pages as a PDF of their own, so that only what was asked for is sent and paid. */
export async function cutPdf(input: Input<'cut-pdf'>): Output<'cut-pdf'> {
  return await withPages(input, mostPages, async (pdf, range) => {
    const bytes = pdf.subset(...range);
    if (bytes === undefined) return damaged(input.name, 'its pages could not be copied');
    return { ok: true, value: { bytes, pages: pdf.pages, range } };
  });
}

async function withPages<T>(
  { bytes, name, password, asked }: { bytes: Uint8Array; name: string; password: string; asked?: PagesAsked },
  most: number,
  use: (pdf: Pdf, range: PageRange, cut: { cut?: true }) => Promise<Read<T>>,
): Promise<Read<T>> {
  const result = await withPdf(bytes, password, async (pdf): Promise<Read<T>> => {
    if (pdf.pages < 1) return damaged(name, 'it has no pages');
    if (pdf.pages > mostPages) return damaged(name, `it claims to have ${pdf.pages} pages`);
    const range = resolvePages(asked, pdf.pages, most);
    if (!range.ok) return range;
    const [start, end] = range.value;
    const opens = Array.from({ length: end - start }, (_, at) => start + at).some((page) => pdf.opens(page));
    if (!opens) return damaged(name, 'none of its pages can be opened');
    if (!lacksEnd(bytes)) return await use(pdf, range.value, {});
    if (isEmpty(pdf)) return damaged(name, 'its end is missing, and nothing is left on its pages');
    return await use(pdf, range.value, { cut: true });
  });
  return typeof result === 'string' ? faultRefusal(result, name, password) : result;
}

function isEmpty(pdf: Pdf): boolean {
  for (let page = 0; page < pdf.pages; page += 1) if (!pdf.blank(page)) return false;
  return true;
}

function faultRefusal(fault: PdfFault, name: string, password: string): { ok: false } & Read<never> {
  if (fault === 'security') {
    return refuse(
      'encrypted',
      `PDF is protected in a way we cannot open: ${name}`,
      'Save it without protection first.',
    );
  }
  if (fault === 'hostile') return damaged(name, 'it needs more memory than any honest page');
  if (fault === 'damaged') return damaged(name, 'it is not a well-formed PDF');
  if (password !== '') return encrypted(name, password);
  const next = 'Ask for the password and read it again with `password`.';
  return refuse('encrypted', `PDF is password-protected: ${name}`, next);
}

function damaged(name: string, why: string): { ok: false } & Read<never> {
  return refuse('corrupt', `Error reading PDF: ${name}: ${why}`, 'Get the file again or export it anew.');
}
