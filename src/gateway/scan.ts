// The body of a request as it arrives → its JSON with a short mark in place of every long run of base64, without parsing
// what is long. A request with twenty pictures is then a text of a few kilobytes and twenty strings of bytes, each named
// by its hash.
import { isAscii } from 'node:buffer';
import { lettersHash, stringMark } from './strings.ts';
import type { BodyString, KnownStrings } from './strings.ts';

export type BodyScan = {
  push: (chunk: Buffer) => void;
  /** The JSON text with marks, and what they stand for. */
  end: () => { outline: Buffer; strings: BodyString[] };
};

/** Strings from this length on are taken out. */
const longString = 2048;

const quote = 0x22;
const backslash = 0x5c;

/** Scans one body. The letters of a string that is known are not kept. */
export function openScan({ get }: Pick<KnownStrings, 'get'>): BodyScan {
  const outline: Buffer[] = [];
  const strings: BodyString[] = [];
  let inside = false;
  let escaped = false;
  let value: Buffer[] = [];
  let length = 0;

  const close = (): void => {
    const found = length > longString ? lettersOf(value) : undefined;
    if (found) {
      const { head, letters } = found;
      const hash = lettersHash(letters);
      const known = get(hash);
      const about = { hash, length: length - head.length };
      strings.push(known ? { ...about, known } : { ...about, letters });
      outline.push(head, Buffer.from(stringMark(hash), 'latin1'));
    } else outline.push(...value);
    value = [];
    length = 0;
  };

  const push = (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length;) {
      if (!inside) {
        const open = chunk.indexOf(quote, at);
        const to = open < 0 ? chunk.length : open + 1;
        outline.push(chunk.subarray(at, to));
        inside = open >= 0;
        at = to;
        continue;
      }
      const end = closing(chunk, at, escaped);
      const to = end < 0 ? chunk.length : end;
      const piece = chunk.subarray(at, to);
      if (end < 0) escaped = endsEscaped(piece, escaped);
      else escaped = false;
      if (piece.length > 0) value.push(piece);
      length += piece.length;
      at = to;
      if (end < 0) continue;
      close();
      outline.push(chunk.subarray(end, end + 1));
      inside = false;
      at = end + 1;
    }
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

/** The letters behind the head of a data URI, if it has one; undefined for a string that does not begin as base64. */
function lettersOf(value: readonly Buffer[]): { head: Buffer; letters: Buffer[] } | undefined {
  if (value.some((piece) => piece.includes(backslash) || !isAscii(piece))) return undefined;
  const start = startOf(value);
  const from = /^data:[^,"]*;base64,/.exec(start)?.[0].length ?? 0;
  if (!/^[A-Za-z0-9+/_=-]{32}/.test(start.slice(from))) return undefined;
  let skip = from;
  const letters = value.flatMap((piece) => {
    const rest = piece.subarray(Math.min(skip, piece.length));
    skip -= piece.length - rest.length;
    return rest.length > 0 ? [rest] : [];
  });
  return { head: Buffer.from(start.slice(0, from), 'latin1'), letters };
}

function startOf(value: readonly Buffer[]): string {
  let start = '';
  for (const piece of value) {
    start += piece.subarray(0, headLetters - start.length).toString('latin1');
    if (start.length >= headLetters) break;
  }
  return start;
}
