// The body of a request as it arrives → its JSON with a short mark in place of every long run of base64, without parsing
// what is long. A request with twenty pictures is then a text of a few kilobytes and twenty strings of bytes, each named
// by its hash.
import { isAscii } from 'node:buffer';
import { lettersHash, stringMark } from './strings.ts';
import type { BodyString, KnownStrings } from './strings.ts';

export type BodyScan = {
  /** A chunk that nobody else uses: its memory goes back as soon as it is not needed. */
  push: (chunk: Buffer) => void;
  /** The JSON text with marks, and what they stand for. */
  end: () => { outline: Buffer; strings: BodyString[] };
};

/** Strings from this length on are taken out. */
const longString = 2048;

const quote = 0x22;
const backslash = 0x5c;

/** Scans one body. The letters of a string that is known are not kept. */
export function openScan(known: KnownStrings): BodyScan {
  const outline: Buffer[] = [];
  const strings: BodyString[] = [];
  let inside = false;
  let escaped = false;
  /** What came of the string that is open, without what lies in the chunk at hand. */
  let value: Buffer[] = [];
  let length = 0;

  /** A string has ended: whether a mark stands for it. */
  const takenOut = (): boolean => {
    const found = foundIn(value, length, known);
    if (!found) return false;
    strings.push(found.string);
    outline.push(found.head, Buffer.from(stringMark(found.string.hash), 'latin1'));
    if (found.string.known) value.forEach(letGo);
    return true;
  };

  const push = (chunk: Buffer): void => {
    let from = 0; // what stands before went out already
    for (let at = 0; at < chunk.length;) {
      if (!inside) {
        const open = chunk.indexOf(quote, at);
        inside = open >= 0;
        at = inside ? open + 1 : chunk.length;
        continue;
      }
      const end = closing(chunk, at, escaped);
      const to = end < 0 ? chunk.length : end;
      length += to - at;
      escaped = end < 0 && endsEscaped(chunk.subarray(at, to), escaped);
      const isLong = length > longString;
      if (end < 0 || isLong || value.length > 0) {
        if (at > from) outline.push(chunk.subarray(from, at)); // not a view of a chunk whose memory goes back
        if (to > at) value.push(chunk.subarray(at, to));
        from = to;
      }
      at = to;
      if (end < 0) continue;
      if (!isLong || !takenOut()) outline.push(...value);
      value = [];
      length = 0;
      inside = false;
      at = end + 1;
    }
    if (from < chunk.length) outline.push(chunk.subarray(from));
  };

  return {
    push,
    end: () => {
      outline.push(...value); // a body that was cut inside a string is no JSON, and parsing it says so
      return { outline: Buffer.concat(outline), strings };
    },
  };
}

/** Where a string ends, or less than 0 when it goes on in the next chunk. */
function closing(chunk: Buffer, from: number, escaped: boolean): number {
  for (let at = chunk.indexOf(quote, from); at >= 0; at = chunk.indexOf(quote, at + 1)) {
    let back = at;
    while (back > from && chunk[back - 1] === backslash) back--;
    const odd = (at - back) % 2 === 1;
    const carried = back === from && escaped;
    if (odd === carried) return at;
  }
  return -1;
}

/** Whether the next letter stands behind an open backslash. */
function endsEscaped(piece: Buffer, escaped: boolean): boolean {
  let back = piece.length;
  while (back > 0 && piece[back - 1] === backslash) back--;
  const odd = (piece.length - back) % 2 === 1;
  return back === 0 && escaped ? !odd : odd;
}

const headLetters = 200;

/** A long string that begins as base64, and the head of its data URI, if it has one. */
function foundIn(
  value: readonly Buffer[],
  length: number,
  known: KnownStrings,
): { head: Buffer; string: BodyString } | undefined {
  const start = lettersAt(value, 0, headLetters);
  const from = /^data:[^,"]*;base64,/.exec(start)?.[0].length ?? 0;
  if (!/^[A-Za-z0-9+/_=-]{32}/.test(start.slice(from))) return undefined;
  const head = Buffer.from(start.slice(0, from), 'latin1');
  const glance = `${length} ${glances.map((part) => lettersAt(value, Math.floor((length - 64) * part), 64)).join('')}`;
  const letters = behind(value, from);
  const about = { length: length - from };
  const seen = known.alike.get(glance) ?? '';
  const before = known.get(seen);
  if (before?.letters.length === about.length && isSame(letters, before.letters))
    return { head, string: { ...about, hash: seen, known: before } };
  if (letters.some((piece) => piece.includes(backslash) || !isAscii(piece))) return undefined;
  const hash = lettersHash(letters);
  known.alike.set(glance, hash);
  const now = known.get(hash);
  return { head, string: now ? { ...about, hash, known: now } : { ...about, hash, letters } };
}

/** Where a string is looked at to guess which one it may be: comparing it with that one takes less than hashing it. */
const glances = [0, 0.5, 1];

function lettersAt(value: readonly Buffer[], from: number, count: number): string {
  let text = '';
  let at = 0;
  for (const piece of value) {
    const start = Math.max(0, from - at);
    if (start < piece.length && text.length < count)
      text += piece.toString('latin1', start, start + count - text.length);
    at += piece.length;
  }
  return text;
}

/** Whether these pieces are those letters, one after the other. */
function isSame(pieces: readonly Buffer[], letters: Buffer): boolean {
  let at = 0;
  for (const piece of pieces) {
    if (piece.compare(letters, at, at + piece.length) !== 0) return false;
    at += piece.length;
  }
  return true;
}

function behind(value: readonly Buffer[], head: number): Buffer[] {
  let skip = head;
  return value.flatMap((piece) => {
    const rest = piece.subarray(Math.min(skip, piece.length));
    skip -= piece.length - rest.length;
    return rest.length > 0 ? [rest] : [];
  });
}

/** Gives the memory of a whole chunk back now: else V8 looks through all of its heap for every 32 MB of them. */
function letGo({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
