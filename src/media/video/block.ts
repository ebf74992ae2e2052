// The bytes of a film in, a checked video block out. Refused: too many bytes, and files that announce no picture.
import type { SoundBlock } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { Context } from '../context.ts';
import { tooLarge } from '../context.ts';
import type { Film } from './header.ts';
import { filmOf } from './header.ts';

const types = new Set(['video/mp4', 'video/quicktime', 'video/webm', 'video/mpeg']);

export function isFilm(mediaType: string): boolean {
  return types.has(mediaType);
}

/** What to do about any film that is too much. */
export const shorterFilm: string = 'Cut it, or save it with fewer pixels.';

/** The block, and what its container tells; a length that nobody wrote down is 0. */
export async function videoBlock(
  bytes: Uint8Array,
  name: string,
  mediaType: string,
  { assets, limits }: Context,
): Promise<Read<{ block: SoundBlock; film: Film }>> {
  if (bytes.length > limits.videoBytes) {
    return tooLarge(`Video too large: ${name}`, bytes.length, limits.videoBytes, shorterFilm);
  }
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
