// What a person names on the command line → its bytes: a path, or `-` for stdin.
import { Readable } from 'node:stream';
import type { Read } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import { grouped } from '../content/figures.ts';
import type { Source } from '../media/source.ts';
import { openSource } from '../media/source.ts';

/** `-` is stdin, an address is an address, every other word is a path. */
export function sourceOf(path: string): Source {
  if (isAddress(path)) return new URL(path);
  if (path !== '-') return path;
  return Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
}

export function isAddress(path: string): boolean {
  return /^(?:https?|file|data):/i.test(path) && URL.canParse(path);
}

export function nameOf(path: string): string {
  return path === '-' ? 'stdin' : path;
}

/** A whole text file as text. Refused: what is absent, too long, empty or not UTF-8. */
export async function fileText(path: string, maxBytes: number): Promise<Read<string>> {
  const opened = await openSource(sourceOf(path), {});
  if (!opened.ok) return opened;
  const name = nameOf(path);
  try {
    const bytes = await opened.value.all(maxBytes);
    if (bytes === undefined)
      return refuse('too-large', `${name} is too large`, 'Split it.', `${grouped(maxBytes)} bytes`);
    if (bytes.length === 0) return refuse('empty', `${name} is empty (0 bytes)`, 'Check how it was written.');
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return refuse('corrupt', `${name} is not UTF-8 text`, 'Save it as UTF-8.');
  } finally {
    await opened.value.close();
  }
}
