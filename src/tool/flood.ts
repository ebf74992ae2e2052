// A result of very many media: the first ones are shown, the others are kept and told in one sentence. Each medium that
// is not shown would cost a line of its own in every request from then on.
import type { Asset, Block } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { floodNote } from '../content/words.ts';

/** How many media one result shows. */
export const maxMedia = 100;

/** The blocks with no more media than allowed, after a note that names the others; `surplus` are those. */
export function withinCount(blocks: readonly Block[]): { content: Block[]; surplus: Asset[] } {
  const content: Block[] = [];
  const surplus: Asset[] = [];
  let media = 0;
  for (const block of blocks) {
    if (isMedia(block) && ++media > maxMedia) surplus.push(block.asset);
    else content.push(block);
  }
  if (surplus.length > 0) content.unshift({ type: 'text', text: floodNote(media, maxMedia, surplus) });
  return { content, surplus };
}
