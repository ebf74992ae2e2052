// The reader of pictures. A picture is one image block and the line that stands for it, or one block for each page that
// was asked for. Pixels are counted from the head of the file, before the rest of it is even loaded.
import type { ImageBlock, PageRange } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { warm } from '../child/pool.ts';
import { tooLarge } from '../context.ts';
import { grouped } from '../limits.ts';
import type { PagesAsked } from '../pdf/pages.ts';
import { askedPages, pagesShown } from '../pdf/pages.ts';
import { pictureWords } from '../ocr/words.ts';
import type { MediaReader, Reading, Visit } from '../reading.ts';
import { takeAll, unfit, unsupported } from '../reading.ts';
import { canonical, imageBlock, listed, measure, smaller, targetOf, tileBlocks } from './block.ts';
import type { ImageFormat, ImageHeader } from './format.ts';
import { upright } from './format.ts';
import { imageFormatOf, imageHeader } from './formats.ts';

export const imageReader: MediaReader = {
  accepts: (seen) => imageFormatOf(seen?.mediaType) !== undefined,
  async read(visit) {
    const format = imageFormatOf(visit.seen?.mediaType);
    return format === undefined ? unsupported(visit.name, visit.seen) : await readImage(format, visit);
  },
  async block({ bytes, seen, name }, context) {
    const format = imageFormatOf(seen?.mediaType);
    if (format === undefined) return unsupported(name, seen);
    return await imageBlock(bytes, format, name, canonical(context.limits), context);
  },
  async render(want, subject, context) {
    const { bytes, seen, name } = subject;
    const format = imageFormatOf(seen?.mediaType);
    if (want.to === 'image' && format !== undefined) {
      const target = targetOf(want);
      return target === undefined
        ? unfit(subject, want)
        : listed(await imageBlock(bytes, format, name, target, context));
    }
    if (want.to === 'tiles' && format !== undefined) return await tileBlocks(bytes, format, name, want, context);
    if (want.to !== 'words' || format?.canonical !== true) return unfit(subject, want);
    const words = await pictureWords(bytes, name, context);
    return words.ok ? { ok: true, value: [{ type: 'text', text: words.value }] } : words;
  },
};

async function readImage(format: ImageFormat, visit: Visit): Promise<Read<Reading>> {
  const { opened, head, name, options, context } = visit;
  const { limits } = context;
  if (options.as === 'text')
    return refuse('unsupported', `${name} is a picture and has no text`, 'Read it as an image.');
  const what = `Image too large: ${name}`;
  if ((opened.size ?? 0) > limits.imageBytes) return tooLarge(what, opened.size ?? 0, limits.imageBytes, smaller);
  const measured = await measure(format, name, limits, head, { more: (bytes) => opened.head(bytes) });
  if (!measured.ok) return measured;
  warm('check-image');
  const bytes = await takeAll(visit, what, limits.imageBytes, smaller);
  if (!bytes.ok) return bytes;
  const asked = askedPages(options);
  if (asked?.ok === false) return asked;
  const total = pageCount(format, bytes.value);
  const pages = asked === undefined ? { ok: true as const, value: [0, 1] as const } : pagesOf(asked.value, total, name);
  if (!pages.ok) return pages;
  const [start, last] = pages.value;
  const end = Math.min(last, start + limits.pagesPerRead);
  const blocks: ImageBlock[] = [];
  for (let page = start; page < end; page += 1) {
    if (end - start > 1) context.tell?.({ done: page - start, of: end - start, what: 'pages decoded' });
    const block = await imageBlock(bytes.value, format, name, canonical(limits), context, { page });
    if (!block.ok) return block;
    blocks.push(block.value);
  }
  const notes = end - start < total ? [pagesShown([start, end], total)] : [];
  const output = [...notes, line(format, measured.value, name, bytes.value.length), ...blocks.flatMap(madeLine)].join(
    '\n',
  );
  const data = { type: 'image', name, size: bytes.value.length, format: format.ending } as const;
  return {
    ok: true,
    value: { output, blocks: [...notes.map((text) => ({ type: 'text' as const, text })), ...blocks], data },
  };
}

/** How many pages there are; few formats have more than one. */
function pageCount(format: ImageFormat, bytes: Uint8Array): number {
  const measured = imageHeader(format, bytes);
  return format.parts === 'pages' && 'header' in measured ? (measured.header.pages ?? 1) : 1;
}

function pagesOf({ start, end }: PagesAsked, total: number, name: string): Read<PageRange> {
  const last = end ?? total;
  const whole = Number.isInteger(start) && Number.isInteger(last);
  if (whole && start >= 0 && start < total && last > start) return { ok: true, value: [start, Math.min(last, total)] };
  const next = total === 1 ? 'Read it without `pages`.' : `Ask for pages between 1 and ${total}.`;
  return refuse('bad-range', `${name} has no such pages`, next, total === 1 ? 'one page' : `pages 1-${total}`);
}

function line(format: ImageFormat, header: ImageHeader, name: string, size: number): string {
  const { width, height } = upright(header);
  return `[Image: ${name}, ${width}x${height}, ${grouped(size)} bytes, ${format.ending}]`;
}

function madeLine({ origin }: ImageBlock): string[] {
  return origin?.made === undefined ? [] : [`[${origin.made}]`];
}
