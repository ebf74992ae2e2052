// The bytes of two pictures in, how they differ out, with a picture of the differences. Refused: what is no picture,
// and pictures that are too large together.
import type { ImageBlock } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { runJob } from '../child/pool.ts';
import type { MediaOptions } from '../context.ts';
import { contextOf, rulesFor } from '../context.ts';
import { grouped } from '../limits.ts';
import { canonical, smaller } from './block.ts';
import { measuredPicture } from './crop.ts';
import type { Difference } from './difference.ts';
import type { Size } from './fit.ts';
import { upright } from './format.ts';

/** How two pictures differ. */
export type Comparison = Omit<Difference, 'picture'> & { one: Size; other: Size; picture: ImageBlock };

/** Compares two pictures pixel by pixel. */
export async function comparePictures(
  one: Uint8Array,
  other: Uint8Array,
  options: MediaOptions = {},
): Promise<Read<Comparison>> {
  const context = contextOf(options);
  const { limits } = context;
  const first = await measuredPicture(one, 'the first picture', context);
  if (!first.ok) return first;
  const second = await measuredPicture(other, 'the second picture', context);
  if (!second.ok) return second;
  const sizes = { one: upright(first.value), other: upright(second.value) };
  const pixels = Math.max(sizes.one.width, sizes.other.width) * Math.max(sizes.one.height, sizes.other.height);
  if (pixels > limits.pixels) {
    const limit = `${grouped(limits.pixels)} pixels`;
    return refuse('too-many-pixels', `Both pictures together are ${grouped(pixels)} pixels large`, smaller, limit);
  }
  const input = {
    one: { bytes: one, header: first.value },
    other: { bytes: other, header: second.value },
    target: canonical(limits),
    maxPixels: limits.pixels,
  };
  const made = await runJob('compare-images', input, rulesFor('the pictures', limits.imageMs, context));
  if (!made.ok) return made;
  if (made.value === null) return refuse('too-large', 'The picture of the differences is too large', smaller);
  const { bytes, type: mediaType, width, height } = made.value.picture;
  const asset = await context.assets.put(bytes, { mediaType, name: 'differences.png' });
  const picture: ImageBlock = { type: 'image', asset, width, height, origin: { source: 'differences.png' } };
  return { ok: true, value: { ...made.value, ...sizes, picture } };
}
