// Files that a person hands over with her words: read once, through the same door as everything else.
import type { Block } from '../content/block.ts';
import type { Read } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import { safeName } from '../content/text.ts';
import type { MediaOptions } from '../media/index.ts';
import { read } from '../media/index.ts';
import type { Attachment } from './named.ts';

/** What the model gets: each file behind its name, then the words. The first file that is refused refuses all. */
export async function attach(
  words: string,
  files: readonly Attachment[],
  options: MediaOptions,
): Promise<Read<Block[]>> {
  const blocks: Block[] = [];
  for (const { source, name } of files) {
    const reading = await read(source, { ...options, name });
    if (!reading.ok) return reading;
    blocks.push({ type: 'text', text: `[attached: ${safeName(name)}]` }, ...reading.value.blocks);
  }
  if (words.trim() !== '') blocks.push({ type: 'text', text: words });
  if (blocks.length > 0) return { ok: true, value: blocks };
  return refuse('empty', 'There is no question', 'Write one, or name a file.');
}
