// The bytes of a PDF in; its pages, the words of a range and a document block out. Refused: too many bytes, a missing
// or wrong password, damage, pages that do not exist.
import type { DocumentBlock } from '../../content/block.ts';
import type { Read, Refusal } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { PdfReading } from '../child/job.ts';
import { runJob } from '../child/pool.ts';
import type { Context } from '../context.ts';
import { rulesFor } from '../context.ts';
import type { Limits } from '../limits.ts';
import { grouped } from '../limits.ts';
import type { PagesAsked } from './pages.ts';

export type PdfRequest = { name: string; password?: string; asked?: PagesAsked; maxPages: number; words: boolean };

/** One visit to the child: is it sound, how long is it, what do these pages say. */
export async function openPdf(bytes: Uint8Array, request: PdfRequest, context: Context): Promise<Read<PdfReading>> {
  const { limits } = context;
  const { name, password = '', asked, maxPages, words } = request;
  if (bytes.length > limits.pdfBytes) {
    return pdfTooLarge(bytes.length, limits);
  }
  const input = { bytes, name, password, maxPages, words, maxCharacters: limits.documentCharacters };
  const rules = rulesFor(name, pdfTime(limits, words ? maxPages : 0), context);
  return await runJob('read-pdf', asked === undefined ? input : { ...input, asked }, rules);
}

export function pdfTooLarge(size: number, { pdfBytes }: Limits): { ok: false; refusal: Refusal } {
  const next = 'Split it into smaller files.';
  return refuse('too-large', `PDF too large: ${grouped(size)} bytes`, next, `${grouped(pdfBytes)} bytes`);
}

/** Time for a job on so many pages; beyond fifty there is no more of it, so that no file holds us for long. */
export function pdfTime({ pdfMs, pageMs }: Limits, pages: number): number {
  return pdfMs + Math.min(pages, 50) * pageMs;
}

/** The document as a block. Encryption is taken off, because no model could open what we could. */
export async function documentBlock(
  bytes: Uint8Array,
  name: string,
  reading: PdfReading,
  context: Context,
): Promise<DocumentBlock> {
  const { pages, range, unlocked } = reading;
  const asset = await context.assets.put(unlocked ?? bytes, { mediaType: 'application/pdf', name });
  const origin = unlocked === undefined ? { source: name } : { source: name, made: 'encryption removed' };
  const block: DocumentBlock = { type: 'document', asset, pages, origin };
  return range[0] === 0 && range[1] === pages ? block : { ...block, range };
}
