// Bytes in, text out when they are text: UTF-8 with or without a mark, UTF-16 with one or where it is evident, and, for
// those who ask, the encoding of old programs that the bytes look like. Anything else is binary.
import { refuse } from '../../content/refusal.ts';
import type { Refusal } from '../../content/refusal.ts';
import { encodingNote } from '../../content/words.ts';
import { guessEncoding } from './guess.ts';

/** `guess` says how far the encoding was guessed; it is absent where the bytes or the caller say which it is. */
type Decoded = { text: string; encoding: string; guess?: 'sure' | 'unsure' };

/** The text of these bytes, or nothing when they are no Unicode text; nothing is ever replaced. */
export function decodeText(bytes: Uint8Array): string | undefined {
  return decodeStrictly(bytes, false)?.text;
}

type How = {
  /** more bytes follow these */
  part?: boolean;
  /** what the caller says they are */
  encoding?: string | undefined;
};

/** The same, but text of old programs that is no Unicode is read as well. */
export function decodeLoosely(bytes: Uint8Array, { part = false, encoding }: How = {}): Decoded | undefined {
  if (encoding !== undefined) return { text: new TextDecoder(encoding).decode(bytes, { stream: part }), encoding };
  const strict = decodeStrictly(bytes, part);
  if (strict !== undefined && !strict.text.includes('\u001b$')) return strict;
  const broken = strict === undefined ? decodeBroken(bytes, part) : undefined;
  if (broken !== undefined) return broken;
  const guess = guessEncoding(bytes);
  if (guess === undefined) return strict ?? decodeWestern(bytes);
  const text = new TextDecoder(guess.encoding).decode(bytes, { stream: part });
  return { text, encoding: guess.encoding, guess: guess.sure ? 'sure' : 'unsure' };
}

/** The text of bytes that are surely text: as what they look like, and in no case nothing. */
export function decodeSomehow(bytes: Uint8Array): string {
  return decodeLoosely(bytes)?.text ?? new TextDecoder('windows-1252').decode(bytes);
}

/** The line that tells what was guessed, or nothing. */
export function guessNote({ encoding, guess }: Pick<Decoded, 'encoding' | 'guess'>): string {
  return guess === undefined ? '' : encodingNote(encoding, guess === 'sure');
}

/** Nothing is wrong with a name that this runtime knows, or with none. */
export function wrongEncoding(encoding: string | undefined): { ok: false; refusal: Refusal } | undefined {
  if (encoding === undefined) return undefined;
  try {
    return void new TextDecoder(encoding);
  } catch {
    const next = 'Give one such as utf-8, windows-1252, windows-1251, koi8-r, shift_jis, gb18030, big5 or euc-kr.';
    return refuse('bad-range', `There is no encoding "${encoding.slice(0, 40)}"`, next);
  }
}

function decodeStrictly(bytes: Uint8Array, part: boolean): Decoded | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decode(bytes, 'utf-16le', part);
  if (first === 0xfe && second === 0xff) return decode(bytes, 'utf-16be', part);
  return decode(bytes, 'utf-8', part) ?? decodeUnmarked(bytes, part);
}

function decode(bytes: Uint8Array, encoding: string, part: boolean): Decoded | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: part });
    return text.includes('\u0000') ? undefined : { text, encoding };
  } catch {
    return undefined; // not valid in this encoding, which is the answer
  }
}

/** UTF-8 all the same: a file that was cut inside a character, or a log into which another program wrote. What is broken is
 * replaced. */
function decodeBroken(bytes: Uint8Array, part: boolean): Decoded | undefined {
  const text = new TextDecoder().decode(bytes, { stream: part });
  return isMostlyWhole(text, goodToBroken) && !hasControls(text) ? { text, encoding: 'utf-8' } : undefined;
}

/** Where nobody says that it is UTF-8. */
const goodToBroken = 10;

/** Whether what was read as UTF-8 is that: so many bytes of letters beyond ASCII stand against each place that is broken. */
export function isMostlyWhole(text: string, good: number): boolean {
  let [broken, whole] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) broken += 1;
    else if (code > 0x7f) whole += code < 0x800 ? 2 : 3;
  }
  return whole > 0 && whole >= broken * good;
}

const sampleBytes = 4096;

/** UTF-16 without a mark shows in its zeros: nearly all of them on one side of each pair. */
function decodeUnmarked(bytes: Uint8Array, part: boolean): Decoded | undefined {
  const sample = bytes.subarray(0, sampleBytes);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (sample.length < 8 || Math.max(even, odd) < sample.length / 5 || Math.min(even, odd) > sample.length / 100) {
    return undefined;
  }
  const decoded = decode(bytes, odd > even ? 'utf-16le' : 'utf-16be', part);
  return decoded !== undefined && !hasControls(decoded.text) ? decoded : undefined;
}

const mostHigh = 0.3;

/** One byte for each character: no zeros, no control characters, and letters beyond ASCII are the exception. */
function decodeWestern(bytes: Uint8Array): Decoded | undefined {
  const high = bytes.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0);
  if (high > bytes.length * mostHigh) return undefined;
  const text = new TextDecoder('windows-1252').decode(bytes);
  return hasControls(text) ? undefined : { text, encoding: 'windows-1252', guess: 'unsure' };
}

/** Characters that no text holds; tabs, line and page ends and the escape of coloured logs are none of them. */
function hasControls(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what tells bytes from words
  return /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f-\u009f]/.test(text);
}
