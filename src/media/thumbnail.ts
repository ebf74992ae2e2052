// A picture that was already checked, as a few plain pixels for a screen.
import type { ImageBlock } from '../content/block.ts';
import type { Read } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import { runJob } from './child/pool.ts';
import type { MediaOptions } from './context.ts';
import { contextOf, rulesFor } from './context.ts';
import type { Thumbnail } from './image/codec.ts';

/** Exactly as many pixels as asked for; whoever asks minds the proportions. */
export async function thumbnail(
  block: ImageBlock,
  box: { width: number; height: number },
  options: MediaOptions = {},
): Promise<Read<Thumbnail>> {
  const context = contextOf(options);
  const bytes = await context.assets.get(block.asset.id);
  const name = block.asset.name ?? 'the picture';
  if (bytes === undefined) return refuse('not-found', `The asset ${name} is gone`, 'Read the file again.');
  return await runJob('thumbnail', { bytes, ...box }, rulesFor(name, context.limits.imageMs, context));
}
