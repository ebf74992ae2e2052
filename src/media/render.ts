// A rendition somebody needs in, its blocks out: words, page pictures, some pages, or another form of a picture.
// Refused: assets that are gone, kinds that have no such rendition, documents without words.
import type { Block, PageRange } from '../content/block.ts';
import type { Read } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import type { Fact, Rendition } from '../window/rendition.ts';
import type { PdfReading } from './child/job.ts';
import { runJob } from './child/pool.ts';
import type { Context, MediaOptions } from './context.ts';
import { contextOf, rulesFor } from './context.ts';
import { documentKind, kindOf } from './document/kinds.ts';
import { openDocument } from './document/open.ts';
import { imageBlock } from './image/block.ts';
import { isCanonical, isImageType } from './image/header.ts';
import { pageWords, pictureWords } from './ocr/words.ts';
import { openPdf } from './pdf/open.ts';
import { pagePictures } from './pdf/pictures.ts';
import { pageText } from './pdf/text.ts';
import { nameFor } from './read.ts';
import type { Sniffed } from './sniff.ts';
import { sniff } from './sniff.ts';
import { svgBlock } from './svg/block.ts';

type Subject = { bytes: Uint8Array; kind: Sniffed | undefined; name: string };

/** Makes what the planner asked for; what cannot be made is a refusal, and the planner steps on. */
export async function render(rendition: Rendition, options: MediaOptions = {}): Promise<Fact> {
  const context = contextOf(options);
  const { id, name: given } = rendition.asset;
  const bytes = await context.assets.get(id);
  if (bytes === undefined) return refuse('not-found', `The asset ${given ?? id} is gone`, 'Read the file again.');
  const kind = sniff(bytes);
  const subject = { bytes, kind, name: nameFor(given, kind) };
  if (rendition.to === 'words') return await renderWords(rendition, subject, context);
  return rendition.to === 'image'
    ? await renderImage(rendition, subject, context)
    : await renderPdf(rendition, subject, context);
}

async function renderImage(rendition: Rendition & { to: 'image' }, subject: Subject, context: Context): Promise<Fact> {
  const { bytes, kind, name } = subject;
  const { maxEdge, maxBase64 } = rendition;
  const types = rendition.types.filter(isCanonical);
  if (types.length === 0) return unfit(subject, rendition.types.join(' or '));
  if (kind?.mediaType === 'image/svg+xml') {
    return listed(await svgBlock(bytes, name, { types, maxEdge, maxBase64 }, context));
  }
  if (kind === undefined || !isImageType(kind.mediaType)) return unfit(subject, 'a picture');
  return listed(await imageBlock(bytes, kind.mediaType, name, { types, maxEdge, maxBase64 }, context));
}

async function renderWords({ range }: Rendition & { to: 'words' }, subject: Subject, context: Context): Promise<Fact> {
  const { bytes, kind, name } = subject;
  const isPdf = kind?.mediaType === 'application/pdf';
  if (!isPdf && !isCanonical(kind?.mediaType ?? '')) return unfit(subject, 'words');
  const words = isPdf ? await pageWords(bytes, { name, range }, context) : await pictureWords(bytes, name, context);
  return words.ok ? { ok: true, value: [{ type: 'text', text: words.value }] } : words;
}

async function renderPdf(
  rendition: Exclude<Rendition, { to: 'image' | 'words' }>,
  subject: Subject,
  context: Context,
): Promise<Fact> {
  const { bytes, kind, name } = subject;
  const document =
    documentKind(kind, name, bytes) ?? (kind === undefined ? kindOf(rendition.asset.mediaType) : undefined);
  if (document !== undefined && rendition.to === 'text') {
    const words = await openDocument(bytes, { name, kind: document, pictures: false }, context);
    if (!words.ok) return words;
    if (words.value.markdown.trim() === '') return refuse('empty', `${name} has no words in it`, 'Nothing is missing.');
    return { ok: true, value: [{ type: 'text', text: words.value.markdown }] };
  }
  if (kind?.mediaType !== 'application/pdf') return unfit(subject, 'text or pages');
  const { range } = rendition;
  const asked = range === undefined ? {} : { asked: { start: range[0], end: range[1] } };
  const maxPages = range === undefined ? context.limits.pagesPerRendition : range[1] - range[0];
  if (rendition.to === 'pdf') return listed(await subsetBlock(rendition, subject, context));
  if (rendition.to === 'pages') {
    const drawn = await pagePictures(bytes, { name, maxPages, maxEdge: rendition.maxEdge, ...asked }, context);
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
  return end >= wanted
    ? ''
    : `[Showing pages ${start + 1}-${end} of ${pages}; what follows them is too long for one text.]\n\n`;
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

function listed(block: Read<Block>): Fact {
  return block.ok ? { ok: true, value: [block.value] } : block;
}

function unfit({ name, kind }: Subject, wanted: string): Fact {
  return refuse(
    'unsupported',
    `${name} is ${kind?.label ?? 'of no known kind'} and cannot become ${wanted}`,
    'Show it in another form.',
  );
}
