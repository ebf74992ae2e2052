// A form of a PDF that the planner asked for in, its blocks out: its words, words read off its pictures, its pages as
// pictures, some of its pages as a PDF. Refused: pages without words, and what a PDF cannot become.
import { pagesNote } from '../../content/words.ts';
import type { Block, PageRange } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { Fact, Rendition } from '../../window/rendition.ts';
import type { PdfReading } from '../child/job.ts';
import { runJob } from '../child/pool.ts';
import type { Context } from '../context.ts';
import { rulesFor } from '../context.ts';
import { listed } from '../image/block.ts';
import { pageWords } from '../ocr/words.ts';
import type { Subject } from '../reading.ts';
import { unfit } from '../reading.ts';
import { openPdf } from './open.ts';
import { pagePictures } from './pictures.ts';
import { pageText } from './text.ts';

export async function renderPdf(want: Rendition, subject: Subject, context: Context): Promise<Fact> {
  const { bytes, name } = subject;
  if (want.to === 'image' || want.to === 'tiles' || want.to === 'description' || want.to === 'illustrated')
    return unfit(subject, want);
  if (want.to === 'pdf') return listed(await subsetBlock(want, subject, context));
  const { range } = want;
  if (want.to === 'words') {
    const words = await pageWords(bytes, { name, range }, context);
    return words.ok ? { ok: true, value: [{ type: 'text', text: words.value }] } : words;
  }
  const asked = range === undefined ? {} : { asked: { start: range[0], end: range[1] } };
  const maxPages = range === undefined ? context.limits.pagesPerRendition : range[1] - range[0];
  if (want.to === 'pages') {
    const drawn = await pagePictures(bytes, { name, maxPages, maxEdge: want.maxEdge, ...asked }, context);
    return drawn.ok ? { ok: true, value: drawn.value.blocks } : drawn;
  }
  const opened = await openPdf(bytes, { name, maxPages, words: true, ...asked }, context);
  if (!opened.ok) return opened;
  const text = pageText(opened.value);
  if (text === '') return refuse('empty', `${name} has no extractable text`, 'Show its pages as pictures.');
  return { ok: true, value: [{ type: 'text', text: `${partNote(opened.value, range)}${text}` }] };
}

/** Words before a text that is less than what was asked for; nothing when it is all of it. */
function partNote({ pages, range, texts }: PdfReading, asked: PageRange | undefined): string {
  const [start, end] = [range[0], range[0] + texts.length];
  const wanted = Math.min(asked?.[1] ?? pages, pages);
  return end >= wanted ? '' : `${pagesNote(start + 1, end, pages)}\n\n`;
}

async function subsetBlock(
  { range }: Rendition & { to: 'pdf' },
  { bytes, name }: Subject,
  context: Context,
): Promise<Read<Block>> {
  const input = { bytes, name, password: '', asked: { start: range[0], end: range[1] } };
  const cut = await runJob('cut-pdf', input, rulesFor(name, context.limits.pdfMs, context));
  if (!cut.ok) return cut;
  const [start, end] = cut.value.range;
  const asset = await context.assets.put(cut.value.bytes, { mediaType: 'application/pdf', name });
  const made = `pages ${start + 1}-${end} of ${cut.value.pages}`;
  return { ok: true, value: { type: 'document', asset, pages: end - start, origin: { source: name, made } } };
}
