// An open picture in, its reading out: one image block and the line that stands for it, or one block for each page
// that was asked for. Pixels are counted from the head of the file, before the rest of it is even loaded.
import type { ImageBlock, PageRange } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { warm } from '../child/pool.ts';
import { tooLarge } from '../context.ts';
import { grouped } from '../limits.ts';
import type { PagesOption } from '../pdf/pages.ts';
import { parsePages } from '../pdf/pages.ts';
import type { Reading, Visit } from '../reading.ts';
import { takeAll } from '../reading.ts';
import { canonical, imageBlock, measure, smaller } from './block.ts';
import type { ImageHeader, ImageType } from './header.ts';
import { extensions, imageHeader, upright } from './header.ts';

/** Reads a picture for `read`. */
export async function readImage(type: ImageType, visit: Visit): Promise<Read<Reading>> {
  const { opened, head, name, options, context } = visit;
  const { limits } = context;
  if (options.as === 'text')
    return refuse('unsupported', `${name} is a picture and has no text`, 'Read it as an image.');
  const what = `Image too large: ${name}`;
  if ((opened.size ?? 0) > limits.imageBytes) return tooLarge(what, opened.size ?? 0, limits.imageBytes, smaller);
  const measured = await measure(type, name, limits, head, { more: (bytes) => opened.head(bytes) });
  if (!measured.ok) return measured;
  warm('check-image');
  const bytes = await takeAll(visit, what, limits.imageBytes, smaller);
  if (!bytes.ok) return bytes;
  const pages = options.pages === undefined ? undefined : pagesOf(type, bytes.value, name, options.pages);
  if (pages?.ok === false) return pages;
  const [start, asked] = pages?.value ?? [0, 1];
  const end = Math.min(asked, start + limits.pagesPerRead);
  const blocks: ImageBlock[] = [];
  for (let page = start; page < end; page += 1) {
    if (end - start > 1) context.tell?.({ done: page - start, of: end - start, what: 'pages decoded' });
    const block = await imageBlock(bytes.value, type, name, canonical(limits), context, { page });
    if (!block.ok) return block;
    blocks.push(block.value);
  }
  const output = [line(measured.value, name, bytes.value.length), ...blocks.flatMap(madeLine)].join('\n');
  const data = { type: 'image', name, size: bytes.value.length, format: extensions[type] } as const;
  return { ok: true, value: { output, blocks, data } };
}

/** The pages that were asked for; only a TIFF has more than one. */
function pagesOf(type: ImageType, bytes: Uint8Array, name: string, pages: PagesOption): Read<PageRange> {
  const asked = parsePages(pages);
  if (!asked.ok) return asked;
  const measured = imageHeader(type, bytes);
  const total = type === 'image/tiff' && 'header' in measured ? (measured.header.pages ?? 1) : 1;
  const { start, end = total } = asked.value;
  const whole = Number.isInteger(start) && Number.isInteger(end);
  if (whole && start >= 0 && start < total && end > start) return { ok: true, value: [start, Math.min(end, total)] };
  const next = total === 1 ? 'Read it without `pages`.' : `Ask for pages between 1 and ${total}.`;
  return refuse('bad-range', `${name} has no such pages`, next, total === 1 ? 'one page' : `pages 1-${total}`);
}

function line(header: ImageHeader, name: string, size: number): string {
  const { width, height } = upright(header);
  return `[Image: ${name}, ${width}x${height}, ${grouped(size)} bytes, ${extensions[header.type]}]`;
}

function madeLine({ origin }: ImageBlock): string[] {
  return origin?.made === undefined ? [] : [`[${origin.made}]`];
}
