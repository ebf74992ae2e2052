// A PDF in, its pages as image blocks out, in order. A page that cannot be drawn is a line of text that says so.
import type { Block, PageRange } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { undrawnPage } from '../../content/words.ts';
import type { Jobs } from '../child/job.ts';
import { runJob } from '../child/pool.ts';
import type { Context } from '../context.ts';
import { rulesFor } from '../context.ts';
import { imageFormatOf } from '../image/formats.ts';
import { pdfTime } from './open.ts';
import type { PagesAsked } from './pages.ts';

type PagePictures = { pages: number; range: PageRange; blocks: Block[]; cut?: true };

type PictureRequest = {
  name: string;
  password?: string;
  asked?: PagesAsked;
  maxPages: number;
  maxEdge: number;
  /** how fine the drawing is; as pictures for models are, unless told */
  dpi?: number;
};

type DrawnPages = Jobs['draw-pages']['output'];

/** Pages drawn by the child, as bytes. */
export async function drawnPages(
  bytes: Uint8Array,
  request: PictureRequest,
  maxBase64: number,
  context: Context,
): Promise<Read<DrawnPages>> {
  const { limits } = context;
  const { name, password = '', asked, maxPages, maxEdge, dpi = limits.renderDpi } = request;
  const input = { bytes, name, password, dpi, maxEdge, maxPages, maxBase64 };
  const rules = rulesFor(name, pdfTime(limits, maxPages), context);
  return await runJob('draw-pages', asked === undefined ? input : { ...input, asked }, rules);
}

/** Pages for models that see but take no PDF, and for PDFs that hold no words. */
export async function pagePictures(
  bytes: Uint8Array,
  request: PictureRequest,
  context: Context,
): Promise<Read<PagePictures>> {
  const { name } = request;
  const { limits, assets } = context;
  const drawn = await drawnPages(bytes, request, limits.maxBase64, context);
  if (!drawn.ok) return drawn;
  const { pages, range, pictures, cut } = drawn.value;
  const blocks: Block[] = [];
  for (const [at, picture] of pictures.entries()) {
    const page = range[0] + at + 1;
    if (picture === null) {
      blocks.push({ type: 'text', text: undrawnPage(page, name) });
      continue;
    }
    const { type: mediaType, width, height, textPx } = picture;
    const asset = await assets.put(picture.bytes, {
      mediaType,
      name: `${name} page ${page}${imageFormatOf(mediaType)?.ending ?? ''}`,
    });
    blocks.push({
      type: 'image',
      asset,
      width,
      height,
      ...(textPx !== undefined && { textPx }),
      origin: { source: name, page, made: `page ${page} of ${pages}, drawn` },
    });
  }
  return { ok: true, value: { pages, range, blocks, ...(cut && { cut }) } };
}
