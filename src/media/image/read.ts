// An open picture in, its reading out: one image block and the line that stands for it. Pixels are counted from the
// head of the file, before the rest of it is even loaded.
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { warm } from '../child/pool.ts';
import { grouped } from '../limits.ts';
import type { Reading, Visit } from '../reading.ts';
import { takeAll } from '../reading.ts';
import { canonical, imageBlock, measure, smaller } from './block.ts';
import type { ImageType } from './header.ts';
import { extensions, upright } from './header.ts';

/** Reads a picture for `read`. */
export async function readImage(type: ImageType, visit: Visit): Promise<Read<Reading>> {
  const { opened, head, name, options, context } = visit;
  if (options.as === 'text')
    return refuse('unsupported', `${name} is a picture and has no text`, 'Read it as an image.');
  const measured = await measure(type, name, context.limits, head, (bytes) => opened.head(bytes));
  if (!measured.ok) return measured;
  warm('check-image');
  const bytes = await takeAll(visit, `Image too large: ${name}`, context.limits.imageBytes, smaller);
  if (!bytes.ok) return bytes;
  const block = await imageBlock(bytes.value, type, name, canonical(context.limits), context);
  if (!block.ok) return block;
  const { width, height } = upright(measured.value);
  const size = bytes.value.length;
  const line = `[Image: ${name}, ${width}x${height}, ${grouped(size)} bytes, ${extensions[type]}]`;
  const made = block.value.origin?.made;
  const output = made === undefined ? line : `${line}\n[${made}]`;
  return {
    ok: true,
    value: { output, blocks: [block.value], data: { type: 'image', name, size, format: extensions[type] } },
  };
}
