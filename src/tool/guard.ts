// The last guard on text bound for a model. Text is not a picture: code, logs, hex and tokens pass untouched. A medium
// hidden in text as base64 is lifted out, and only decoding and checking decides that it is one. Unbroken base64 that
// is no medium passes up to 16 KiB; a longer run is kept as an asset and leaves a note, so nothing is lost.
import type { Block, MediaBlock } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { decodeBase64 } from '../content/base64.ts';
import { foundNote, keptNote } from '../content/describe.ts';
import type { Door } from '../content/ingest.ts';

/** How long an unbroken run of base64 letters may be before it is taken out of a text. */
export const maxRun: number = 16 * 1024;

/** Base64 of the first bytes of the media we know: PNG, JPEG, GIF, RIFF (WebP, WAV), PDF, MP3, BMP, TIFF, Ogg, FLAC. */
const mediaHead = /^(?:iVBORw0KGgo|[/_]9j[/_]|R0lGOD|UklGR|JVBERi0|SUQz|[/_]{2}[tu7]|Qk[0-3]|SUkq|TU0AK|T2dnU|ZkxhQ)/;

/** A run may start with `data:…;base64,`, and may be wrapped into lines. */
const runs =
  /(?:data:[a-z0-9.+-]+\/[a-z0-9.+-]+(?:;[a-z0-9=._-]+)*;base64,)?[A-Za-z0-9+/_-]{60,}(?:\r?\n[A-Za-z0-9+/_-]{20,})*={0,2}/gi;

export type Found = { text: string; media: MediaBlock[] };

/** Whether a string could be a medium as base64; says nothing yet about whether it is one. */
export function looksLikeMedia(text: string): boolean {
  return mediaHead.test(text);
}

/** Text with every hidden medium lifted out, and the media in the order of the text. */
export async function guardText(text: string, door: Door, ordinal = 1): Promise<Found> {
  if (text.length < 60) return { text, media: [] };
  const media: MediaBlock[] = [];
  const pieces: string[] = [];
  let end = 0;
  for (const match of text.matchAll(runs)) {
    const lifted = await lift(match[0], door, ordinal + media.length);
    if (!lifted) continue;
    pieces.push(text.slice(end, match.index), lifted.note);
    if (lifted.block) media.push(lifted.block);
    end = match.index + match[0].length;
  }
  return pieces.length === 0 ? { text, media } : { text: pieces.join('') + text.slice(end), media };
}

async function lift(
  run: string,
  door: Door,
  ordinal: number,
): Promise<{ note: string; block?: MediaBlock } | undefined> {
  const comma = run.startsWith('data:') ? run.indexOf(',') + 1 : 0;
  const body = run.slice(comma);
  const candidate = comma > 0 || looksLikeMedia(body);
  if (!candidate && longestLine(body) <= maxRun) return undefined;
  const bytes = decodeBase64(body);
  if (candidate && bytes) {
    const block = await checkedMedia(bytes, door);
    if (block) return { note: foundNote(block, ordinal), block };
  }
  if (longestLine(body) <= maxRun) return undefined;
  const kept = bytes ?? new TextEncoder().encode(body);
  return { note: keptNote(await door.keep(kept, { mediaType: 'application/octet-stream' })) };
}

/** The medium behind some bytes, or nothing when they are none that can be shown. */
export async function checkedMedia(bytes: Uint8Array, door: Door, name?: string): Promise<MediaBlock | undefined> {
  const read = await door.ingest(bytes, name === undefined ? {} : { name });
  return read.ok && isMedia(read.value) ? read.value : undefined;
}

function longestLine(text: string): number {
  return text.includes('\n') ? Math.max(...text.split('\n').map((line) => line.length)) : text.length;
}

/** The blocks of a message with the guard applied to each text among them. */
export async function guardBlocks(blocks: readonly Block[], door: Door): Promise<Block[]> {
  const out: Block[] = [];
  for (const block of blocks) {
    if (block.type !== 'text') {
      out.push(block);
      continue;
    }
    const found = await guardText(block.text, door);
    out.push(found.text === block.text ? block : { type: 'text', text: found.text }, ...found.media);
  }
  return out;
}
