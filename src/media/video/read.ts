// An open film in, its reading out: one video block and the line that stands for it.
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { grouped } from '../limits.ts';
import type { Reading, Visit } from '../reading.ts';
import { takeAll } from '../reading.ts';
import { shorterFilm, videoBlock } from './block.ts';

/** Reads a film for `read`. */
export async function readFilm(mediaType: string, visit: Visit): Promise<Read<Reading>> {
  const { name, options, context } = visit;
  if (options.as === 'text' || options.as === 'image')
    return refuse('unsupported', `${name} is a film and cannot be read as ${options.as}`, 'Read it as it is.');
  const bytes = await takeAll(visit, `Video too large: ${name}`, context.limits.videoBytes, shorterFilm);
  if (!bytes.ok) return bytes;
  const made = await videoBlock(bytes.value, name, mediaType, context);
  if (!made.ok) return made;
  const { block, film } = made.value;
  const { seconds, width, height } = film;
  const size = bytes.value.length;
  const facts = [
    name,
    ...(width === undefined ? [] : [`${width}x${height}`]),
    ...(seconds === undefined ? [] : [`${Number(seconds.toFixed(1))} s`]),
    `${grouped(size)} bytes`,
  ];
  const output = `[Video: ${facts.join(', ')}]`;
  return { ok: true, value: { output, blocks: [block], data: { type: 'video', name, size, ...film } } };
}
