// An open sound in, its reading out: one audio block and the line that stands for it.
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { grouped } from '../limits.ts';
import type { Reading, Visit } from '../reading.ts';
import { takeAll } from '../reading.ts';
import { shorter, soundBlock } from './block.ts';

/** Reads a sound for `read`. */
export async function readSound(mediaType: string, visit: Visit): Promise<Read<Reading>> {
  const { name, options, context } = visit;
  if (options.as === 'text' || options.as === 'image')
    return refuse('unsupported', `${name} is a sound and has no ${options.as}`, 'Read it as it is.');
  const bytes = await takeAll(visit, `Sound too large: ${name}`, context.limits.audioBytes, shorter);
  if (!bytes.ok) return bytes;
  const block = await soundBlock(bytes.value, name, mediaType, context);
  if (!block.ok) return block;
  const { seconds } = block.value;
  const size = bytes.value.length;
  const output = `[Audio: ${name}, ${Number(seconds.toFixed(2))} s, ${grouped(size)} bytes]`;
  return { ok: true, value: { output, blocks: [block.value], data: { type: 'audio', name, size, seconds } } };
}
