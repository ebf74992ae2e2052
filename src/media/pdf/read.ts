// An open PDF in, its reading out: the document as one block and its words as output; or, when asked, its words or
// its page pictures as the blocks themselves.
import type { Read } from '../../content/refusal.ts';
import { warm } from '../child/pool.ts';
import { grouped } from '../limits.ts';
import type { Reading, Visit } from '../reading.ts';
import { takeAll } from '../reading.ts';
import { documentBlock, openPdf } from './open.ts';
import type { PagesAsked } from './pages.ts';
import { parsePages } from './pages.ts';
import { pagePictures } from './pictures.ts';
import { pdfOutput } from './text.ts';

/** Reads a PDF for `read`. */
export async function readPdf(visit: Visit): Promise<Read<Reading>> {
  const { name, options, context } = visit;
  const { limits } = context;
  const asked = options.pages === undefined ? undefined : parsePages(options.pages);
  if (asked?.ok === false) return asked;
  warm('read-pdf');
  const bytes = await takeAll(visit, `PDF too large: ${name}`, limits.pdfBytes, 'Split it into smaller files.');
  if (!bytes.ok) return bytes;
  const request = requestOf(visit, asked?.value);
  if (options.as === 'image') return await asPictures(bytes.value, request, visit);
  const opened = await openPdf(bytes.value, { ...request, words: true }, context);
  if (!opened.ok) return opened;
  const { pages, range } = opened.value;
  const output = pdfOutput(name, opened.value, limits.warnPages, limits.outputCharacters);
  const data = { type: 'pdf', pages, page_range: [...range] } satisfies Reading['data'];
  if (options.as === 'text') return { ok: true, value: { output, blocks: [{ type: 'text', text: output }], data } };
  const block = await documentBlock(bytes.value, name, opened.value, context);
  return { ok: true, value: { output, blocks: [block], data } };
}

async function asPictures(
  bytes: Uint8Array,
  request: ReturnType<typeof requestOf>,
  visit: Visit,
): Promise<Read<Reading>> {
  const { name, context } = visit;
  const drawn = await pagePictures(bytes, { ...request, maxEdge: context.limits.maxEdge }, context);
  if (!drawn.ok) return drawn;
  const { pages, range, blocks } = drawn.value;
  const next = range[1] < pages ? ` Use page_start=${range[1]} to continue.` : '';
  const note = `[Showing pages ${range[0] + 1}-${range[1]} of ${pages} as pictures.${next}]`;
  const output = `${note}\n[PDF: ${name}, ${pages} pages, ${grouped(bytes.length)} bytes]`;
  const data = { type: 'pdf', pages, page_range: [...range] } satisfies Reading['data'];
  return { ok: true, value: { output, blocks: [{ type: 'text', text: note }, ...blocks], data } };
}

function requestOf(
  { name, options: { password }, context }: Visit,
  asked: PagesAsked | undefined,
): {
  name: string;
  maxPages: number;
  password?: string;
  asked?: PagesAsked;
} {
  const request = { name, maxPages: context.limits.pagesPerRead };
  return { ...request, ...(password !== undefined && { password }), ...(asked !== undefined && { asked }) };
}
