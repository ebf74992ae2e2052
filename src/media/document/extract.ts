// The work of a child process on a document: its kind and its bytes in, its words and pictures out, never more of them
// than the limits allow.
import type { Read } from '../../content/refusal.ts';
import { cutText } from '../../content/text.ts';
import { grouped } from '../limits.ts';
import type { DocumentKind } from './kinds.ts';
import type { Extract, ReaderOptions } from './reader.ts';
import { readers } from './readers.ts';

export type ExtractInput = ReaderOptions & { kind: DocumentKind; bytes: Uint8Array };

/** Reads one document; whatever is wrong with it is a refusal. */
export async function extract({ kind, bytes, ...options }: ExtractInput): Promise<Read<Extract>> {
  const reader = await readers[kind]();
  const result = await reader(bytes, options);
  if (!result.ok) return result;
  const { markdown, pictures } = result.value;
  const fitting = pictures.filter((one) => one.bytes.length <= options.limits.imageBytes);
  const given = fitting.slice(0, options.limits.picturesPerRead);
  const value = { ...result.value, markdown: bounded(markdown, options), pictures: given };
  const left = pictures.length - given.length;
  return { ok: true, value: left === 0 ? value : { ...value, morePictures: left } };
}

/** The note comes first, so that no later cut can lose it. */
function bounded(markdown: string, { limits: { documentCharacters } }: ReaderOptions): string {
  // Where a word may be divided is no letter of it.
  const text = markdown.toWellFormed().replaceAll('\u00AD', '');
  if (text.length <= documentCharacters) return text;
  const shown = cutText(text, Math.max(0, documentCharacters - 100));
  return `[Only the first ${grouped(shown.length)} of ${grouped(text.length)} characters follow.]\n\n${shown}`;
}
