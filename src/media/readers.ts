// The readers of media, one row for each kind: the first that accepts reads a file, makes its block and its renditions.
// Bytes decide; only where they say nothing does a name. Texts come last, because they are whatever is nothing else.
import type { Block } from '../content/block.ts';
import type { Hint } from '../content/intake.ts';
import type { Read, Refusal } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import { soundReader } from './audio/read.ts';
import type { Context } from './context.ts';
import { documentReader } from './document/read.ts';
import { imageReader } from './image/read.ts';
import { pdfReader } from './pdf/read.ts';
import type { MediaReader } from './reading.ts';
import { unsupported } from './reading.ts';
import type { Sniffed } from './sniff.ts';
import { nameFor, sniff } from './sniff.ts';
import { svgReader } from './svg/read.ts';
import { textReader } from './text/read.ts';
import { filmReader } from './video/read.ts';

export const readers: readonly MediaReader[] = [
  imageReader,
  svgReader,
  pdfReader,
  soundReader,
  filmReader,
  documentReader,
  textReader,
];

/** Who reads these bytes; nobody when they are of a kind that is known and not read. */
export function readerFor(seen: Sniffed | undefined, name: string, head: Uint8Array): MediaReader | undefined {
  return readers.find((reader) => reader.accepts(seen, name, head));
}

/** Bytes as the one block they become; what they are decides, a name is only a hint. */
export async function blockOf(bytes: Uint8Array, hint: Hint, context: Context): Promise<Read<Block>> {
  const seen = sniff(bytes);
  const name = nameFor(hint.name, seen, { mediaType: hint.mediaType, head: bytes });
  if (bytes.length === 0) return emptyRefusal(name);
  const { range } = hint;
  const subject = { bytes, name, ...(seen && { seen }), ...(range && { range }) };
  return (await readerFor(seen, name, bytes)?.block(subject, context)) ?? unsupported(name, seen);
}

export function emptyRefusal(name: string): { ok: false; refusal: Refusal } {
  return refuse('empty', `${name} is empty (0 bytes)`, 'Check how it was written.');
}
