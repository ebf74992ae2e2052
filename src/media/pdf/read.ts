// The reader of PDFs: the document as one block and its words as output; or, when asked, its words or
// its page pictures as the blocks themselves. Where the block is less than the file, or odd, a note stands before it.
import type { Read } from '../../content/refusal.ts';
import { warm } from '../child/pool.ts';
import { grouped } from '../limits.ts';
import type { MediaReader, Reading, Visit } from '../reading.ts';
import { takeAll } from '../reading.ts';
import { documentBlock, openPdf, pdfTooLarge } from './open.ts';
import type { PdfRequest } from './open.ts';
import type { PagesAsked } from './pages.ts';
import { askedPages, pagesShown, parsePages } from './pages.ts';
import { pagePictures } from './pictures.ts';
import { renderPdf } from './render.ts';
import { lostEndNote, pagesText, pdfNotes, pdfOutput } from './text.ts';

export const pdfReader: MediaReader = {
  accepts: (seen) => seen?.mediaType === 'application/pdf',
  read: readPdf,
  async block({ bytes, name, range }, context) {
    const parsed = range && parsePages(range);
    if (parsed?.ok === false) return parsed;
    const asked = parsed && { asked: parsed.value };
    const request = { name, maxPages: Number.MAX_SAFE_INTEGER, words: false, ...asked };
    const opened = await openPdf(bytes, request, context);
    return opened.ok ? { ok: true, value: await documentBlock(bytes, name, opened.value, context) } : opened;
  },
  render: renderPdf,
};

async function readPdf(visit: Visit): Promise<Read<Reading>> {
  const { name, options, context } = visit;
  const { limits } = context;
  const asked = askedPages(options) ?? { ok: true, value: { start: 0 } };
  if (!asked.ok) return asked;
  warm('read-pdf');
  const bytes = await takeAll(visit, 'PDF too large', limits.pdfBytes, '');
  if (!bytes.ok) {
    return bytes.refusal.code === 'too-large' ? pdfTooLarge(visit.opened.size ?? limits.pdfBytes + 1, limits) : bytes;
  }
  const request = requestOf(visit, asked.value);
  if (options.as === 'image') return await asPictures(bytes.value, request, visit);
  const opened = await openPdf(bytes.value, { ...request, words: true }, context);
  if (!opened.ok) return opened;
  const { pages, range, scanned, lost, doubtful, cut } = opened.value;
  const output = pdfOutput(name, opened.value, limits.warnPages, limits.outputCharacters);
  const data: Reading['data'] = { type: 'pdf', pages, page_range: [...range], ...(scanned && { scanned }) };
  if (options.as === 'text') return { ok: true, value: { output, blocks: [{ type: 'text', text: output }], data } };
  const block = await documentBlock(bytes.value, name, opened.value, context);
  const odd =
    block.range !== undefined ||
    pages > limits.warnPages ||
    scanned !== undefined ||
    lost !== undefined ||
    doubtful !== undefined ||
    cut !== undefined;
  const notes = odd ? [{ type: 'text' as const, text: pdfNotes(opened.value, limits.warnPages).join('\n') }] : [];
  return { ok: true, value: { output, blocks: [...notes, block], data } };
}

async function asPictures(bytes: Uint8Array, request: Omit<PdfRequest, 'words'>, visit: Visit): Promise<Read<Reading>> {
  const { name, context } = visit;
  const drawn = await pagePictures(bytes, { ...request, maxEdge: context.limits.maxEdge }, context);
  if (!drawn.ok) return drawn;
  const { pages, range, blocks, cut } = drawn.value;
  const shown = pagesShown(range, pages, ' as pictures');
  const note = cut ? `${shown}\n${lostEndNote}` : shown;
  const output = `${note}\n[PDF: ${name}, ${pagesText(pages)}, ${grouped(bytes.length)} bytes]`;
  const data = { type: 'pdf', pages, page_range: [...range] } satisfies Reading['data'];
  return { ok: true, value: { output, blocks: [{ type: 'text', text: note }, ...blocks], data } };
}

function requestOf({ name, options: { password }, context }: Visit, asked: PagesAsked): Omit<PdfRequest, 'words'> {
  const request = { name, maxPages: context.limits.pagesPerRead, asked };
  return password === undefined ? request : { ...request, password };
}
