// A block in one line of words for people.
import type { Block } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { describeAsset, describeMedia, shortId } from '../content/words.ts';
import type { Attached } from '../message/attached.ts';
import { byteText, grouped } from '../content/figures.ts';

/** The same of what goes with an answer, media or not. */
export function attachedLine(one: Attached): string {
  if (one.type !== 'file') return blockLine(one);
  return `${describeAsset(one.asset)}, ${byteText(one.asset.size)}, asset ${shortId(one.asset.id)}`;
}

/** What a block is and how much of it there is. */
export function blockLine(block: Block): string {
  if (isMedia(block)) {
    const { id, mediaType, size } = block.asset;
    const made = block.origin?.made === undefined ? '' : `, ${block.origin.made}`;
    return `${describeMedia(block)}, ${mediaType}, ${byteText(size)}, asset ${shortId(id)}${made}`;
  }
  if (block.type === 'reference') return describeMedia(block);
  if (block.type !== 'text') return block.type;
  const lines = block.text.split('\n').length;
  return `text, ${grouped(lines)} ${lines === 1 ? 'line' : 'lines'}, ${grouped(block.text.length)} characters`;
}
