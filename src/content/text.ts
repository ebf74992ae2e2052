// Text on its way to a model: cut between characters, never inside one, and always well-formed.

/** At most so many UTF-16 units, never ending in half a character; nothing where there is less than no room. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max <= 0) return '';
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}

/** The beginning of a line, with a sign where it was cut. */
export function clipped(line: string, max: number): string {
  return line.length <= max ? line : `${cutText(line, max)}…`;
}

/** A name from outside, safe inside one line of words: no control characters, no brackets or quotes to break out of. */
export function safeName(name: string): string {
  const clean = safeWords(name);
  return clean.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? 'unnamed';
}

/** A part of an address as it was before it was escaped; what is wrongly escaped stays as it is. */
export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Words from outside, safe inside one bracketed line. */
export function safeWords(words: string): string {
  const clean = words
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2060-\u206f]/gu, ' ')
    .replace(/["[\]]/g, "'")
    .trim();
  return cutText(clean, 200);
}

type Platform = { Buffer?: { byteLength: (text: string) => number } };

/** How many bytes a text has as UTF-8; only counted, where the platform can. */
export function utf8Length(text: string): number {
  const { Buffer: nodeBuffer } = globalThis as Platform;
  return nodeBuffer ? nodeBuffer.byteLength(text) : new TextEncoder().encode(text).length;
}

/** A short digest of text, for telling whether something changed. Not for security: 53 bits, pure and quick. */
export function digest(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  const mixed = 4294967296 * (2097151 & low) + (high >>> 0);
  return mixed.toString(36).padStart(11, '0');
}

/** Where a long line is broken. */
const wideLine = 2000;

/** The lines of a text as its readers count them: a very long one counts as several, so that every place can be reached. */
export function linesIn(text: string): string[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.some((line) => line.length > wideLine) ? lines.flatMap(broken) : lines;
}

function broken(line: string): string[] {
  if (line.length <= wideLine) return [line];
  const pieces: string[] = [];
  for (let at = 0; at < line.length; at += pieces.at(-1)?.length ?? 1) {
    pieces.push(cutText(line.slice(at, at + wideLine + 1), wideLine));
  }
  return pieces;
}
