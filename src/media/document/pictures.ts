// The pictures inside a document in, image blocks out, in the order in which they stand. One that cannot be shown is a
// line of text that says so.
import type { Block } from '../../content/block.ts';
import { moreInnerPictures, refusedInnerPicture, unknownInnerPicture } from '../../content/words.ts';
import type { Context } from '../context.ts';
import { canonical, imageBlock } from '../image/block.ts';
import { imageFormatOf } from '../image/formats.ts';
import { sniff } from '../sniff.ts';
import type { OpenedDocument } from './open.ts';

/** Each checked like any other picture; `document` is told as where it comes from. */
export async function pictureBlocks(
  { pictures, morePictures }: Pick<OpenedDocument, 'pictures' | 'morePictures'>,
  document: string,
  context: Context,
): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const [at, { name, bytes }] of pictures.entries()) {
    context.tell?.({ done: at, of: pictures.length, what: 'pictures decoded' });
    const sniffed = sniff(bytes);
    const format = imageFormatOf(sniffed?.mediaType);
    if (format === undefined) {
      const what = sniffed?.label ?? 'of no known kind';
      blocks.push({ type: 'text', text: unknownInnerPicture(name, document, what) });
      continue;
    }
    const block = await imageBlock(bytes, format, name, canonical(context.limits), context);
    if (block.ok) blocks.push(block.value);
    else blocks.push({ type: 'text', text: refusedInnerPicture(name, document, block.refusal) });
  }
  if (morePictures > 0) blocks.push({ type: 'text', text: moreInnerPictures(morePictures, document) });
  return blocks;
}
