// The bytes of a sound in, a checked audio block out. Refused: too many bytes, and files without a sound in them.
import type { SoundBlock } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { Context } from '../context.ts';
import { tooLarge } from '../context.ts';
import { lengths } from './header.ts';

export function isSound(mediaType: string): boolean {
  return lengths.has(mediaType);
}

/** What to do about any sound that is too much. */
export const shorter: string = 'Cut it or compress it.';

export async function soundBlock(
  bytes: Uint8Array,
  name: string,
  mediaType: string,
  { assets, limits }: Context,
): Promise<Read<SoundBlock>> {
  if (bytes.length > limits.audioBytes) {
    return tooLarge(`Sound too large: ${name}`, bytes.length, limits.audioBytes, shorter);
  }
  const seconds = lengths.get(mediaType)?.(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (seconds === undefined) return refuse('corrupt', `${name} has no readable sound in it`, 'Export it anew.');
  const asset = await assets.put(bytes, { mediaType, name });
  return { ok: true, value: { type: 'audio', asset, seconds, origin: { source: name } } };
}
