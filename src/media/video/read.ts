// The reader of films: one video block and the line that stands for it. Refused: too many bytes, and files that announce
// no picture.
import type { SoundBlock } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { Context } from '../context.ts';
import { tooLarge } from '../context.ts';
import { grouped } from '../limits.ts';
import type { MediaReader, Subject } from '../reading.ts';
import { takeAll } from '../reading.ts';
import type { Film } from './header.ts';
import { filmOf } from './header.ts';

const types = new Set(['video/mp4', 'video/quicktime', 'video/webm', 'video/mpeg']);

/** What to do about any film that is too much. */
const shorter = 'Cut it, or save it with fewer pixels.';

export const filmReader: MediaReader = {
  accepts: (seen) => seen !== undefined && types.has(seen.mediaType),
  async read(visit) {
    const { name, options, context } = visit;
    if (options.as === 'text' || options.as === 'image')
      return refuse('unsupported', `${name} is a film and cannot be read as ${options.as}`, 'Read it as it is.');
    const bytes = await takeAll(visit, `Video too large: ${name}`, context.limits.videoBytes, shorter);
    if (!bytes.ok) return bytes;
    const made = await filmBlock({ ...visit, bytes: bytes.value }, context);
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
  },
  async block(subject, context) {
    const made = await filmBlock(subject, context);
    return made.ok ? { ok: true, value: made.value.block } : made;
  },
};

/** The block, and what its container tells; a length that nobody wrote down is 0. */
async function filmBlock(
  { bytes, seen, name }: Subject,
  { assets, limits }: Context,
): Promise<Read<{ block: SoundBlock; film: Film }>> {
  if (bytes.length > limits.videoBytes) {
    return tooLarge(`Video too large: ${name}`, bytes.length, limits.videoBytes, shorter);
  }
  const mediaType = seen?.mediaType ?? '';
  const film = filmOf(mediaType, bytes);
  if (film === undefined) {
    return refuse(
      'corrupt',
      `${name} has no readable film in it`,
      'Save it anew as MP4 or WebM, or what is only sound as MP3 or WAV.',
    );
  }
  const asset = await assets.put(bytes, { mediaType, name });
  const block: SoundBlock = { type: 'video', asset, seconds: film.seconds ?? 0, origin: { source: name } };
  return { ok: true, value: { block, film } };
}
