// The reader of sounds: one audio block and the line that stands for it. Refused: too many bytes, and files without a
// sound in them.
import type { SoundBlock } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { Context } from '../context.ts';
import { tooLarge } from '../context.ts';
import { grouped } from '../limits.ts';
import type { MediaReader, Subject } from '../reading.ts';
import { takeAll } from '../reading.ts';
import { lengths } from './header.ts';

/** What to do about any sound that is too much. */
const shorter = 'Cut it or compress it.';

export const soundReader: MediaReader = {
  accepts: (seen) => seen !== undefined && lengths.has(seen.mediaType),
  async read(visit) {
    const { name, options, context } = visit;
    if (options.as === 'text' || options.as === 'image')
      return refuse('unsupported', `${name} is a sound and has no ${options.as}`, 'Read it as it is.');
    const bytes = await takeAll(visit, `Sound too large: ${name}`, context.limits.audioBytes, shorter);
    if (!bytes.ok) return bytes;
    const block = await soundBlock({ ...visit, bytes: bytes.value }, context);
    if (!block.ok) return block;
    const { seconds } = block.value;
    const size = bytes.value.length;
    const output = `[Audio: ${name}, ${Number(seconds.toFixed(2))} s, ${grouped(size)} bytes]`;
    return { ok: true, value: { output, blocks: [block.value], data: { type: 'audio', name, size, seconds } } };
  },
  block: soundBlock,
};

async function soundBlock({ bytes, seen, name }: Subject, { assets, limits }: Context): Promise<Read<SoundBlock>> {
  if (bytes.length > limits.audioBytes) {
    return tooLarge(`Sound too large: ${name}`, bytes.length, limits.audioBytes, shorter);
  }
  const mediaType = seen?.mediaType ?? '';
  const seconds = lengths.get(mediaType)?.(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (seconds === undefined) return refuse('corrupt', `${name} has no readable sound in it`, 'Export it anew.');
  const asset = await assets.put(bytes, { mediaType, name });
  return { ok: true, value: { type: 'audio', asset, seconds, origin: { source: name } } };
}
