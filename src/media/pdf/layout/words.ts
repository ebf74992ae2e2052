// Runs of letters in, words, rows and segments of rows out. Raised and lowered letters stay with the word they stand at;
// words that run from right to left are put into the order in which they are read. Pure.
import { link as linkTo } from '../../document/markdown.ts';
import { looks, styledText } from '../../document/styled.ts';
import type { Row, LaidRun, Segment, Word } from './page.ts';

/** The words of runs that all run in one direction. */
export function laidWords(runs: readonly LaidRun[]): Word[] {
  const words: Word[] = [];
  let host: LaidRun | undefined;
  let parts: { text: string; look: number }[] | undefined;
  let word: Word | undefined;
  for (const run of runs) {
    const look =
      word === undefined || host === undefined || run.spaced || run.link !== host.link
        ? undefined
        : lookOf(host, word, run);
    if (word !== undefined && look !== undefined) {
      if (word === host) words[words.length - 1] = word = { ...host };
      if (look !== 0) parts ??= [{ text: word.text, look: 0 }];
      parts?.push({ text: run.text, look });
      word.left = Math.min(word.left, run.left);
      word.right = Math.max(word.right, run.right);
      word.text = parts === undefined ? word.text + run.text : together(parts);
      continue;
    }
    word = host = run;
    parts = undefined;
    words.push(word);
  }
  return words;
}

/** How a run is set beside the one whose word it goes on; nothing when it is a word of its own. */
function lookOf(host: LaidRun, word: Word, run: LaidRun): number | undefined {
  const gap = rightToLeft.test(run.text) ? Math.abs(word.left - run.right) : Math.abs(run.left - word.right);
  if (gap > host.size * 0.3 || areTwoNumbers(word, run)) return undefined;
  const rise = host.base - run.base;
  if (Math.abs(rise) < host.size * 0.05 && Math.abs(run.size - host.size) < host.size * 0.1) {
    return run.bold === host.bold ? 0 : undefined;
  }
  return shiftLook(host, run);
}

/** The least gap, in heights of letters, between numbers that the file writes one by one, as those of two cells. */
export const hardly = 0.06;

function areTwoNumbers(word: Word, next: Word): boolean {
  return (
    next.left - word.right > next.size * hardly &&
    next.base === word.base &&
    /\d$/.test(word.text) &&
    /^\d/.test(next.text)
  );
}

function together(parts: readonly { text: string; look: number }[]): string {
  const text = styledText();
  for (const part of parts) text.write(part.text, part.look);
  return text.text();
}

/** How many words there are; a run of several counts as so many. */
export function wordCount(words: readonly Word[]): number {
  let count = words.length;
  for (const { text } of words) for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1)) count += 1;
  return count;
}

/** How many rows back the row may be that a word belongs to. */
export const nearRows = 4;

/** Words that stand on one line, from the top to the bottom, each row from left to right. */
export function lineRows(words: readonly Word[]): { base: number; size: number; words: Word[] }[] {
  const rows: { base: number; size: number; words: Word[] }[] = [];
  for (const word of inRising(words)) {
    let at = rows.length - 1;
    const last = Math.max(0, rows.length - nearRows);
    while (at >= last && !hasRoom(word, rows[at])) at -= 1;
    const row = at >= last ? rows[at] : undefined;
    if (row === undefined) rows.push({ base: word.base, size: word.size, words: [word] });
    else {
      row.words.push(word);
      if (word.size > row.size * 1.15) [row.base, row.size] = [word.base, word.size];
    }
  }
  for (const row of rows) if (!isSpread(row.words)) row.words.sort((one, other) => one.left - other.left);
  return inRising(rows);
}

/** Whether words follow each other from left to right, as most files have them already. */
function isSpread(words: readonly Word[]): boolean {
  for (let at = 1; at < words.length; at += 1) {
    if ((words[at]?.left ?? 0) < (words[at - 1]?.left ?? 0)) return false;
  }
  return true;
}

/** From the top to the bottom, as most files have them already. */
function inRising<T extends { base: number }>(all: T[]): T[];
function inRising<T extends { base: number }>(all: readonly T[]): readonly T[];
function inRising<T extends { base: number }>(all: readonly T[]): readonly T[] {
  for (let at = 1; at < all.length; at += 1) {
    if ((all[at]?.base ?? 0) < (all[at - 1]?.base ?? 0)) return all.toSorted((one, other) => one.base - other.base);
  }
  return all;
}

/** Whether a word stands on the line of a row, and no line above it or below does so already beside larger letters. */
function hasRoom(word: Word, row: { base: number; size: number; words: readonly Word[] } | undefined): boolean {
  if (row === undefined || !sharesLine(word, row.base, row.size)) return false;
  return row.base === word.base || !row.words.some((other) => isAnotherLine(word, other));
}

/** Letters that are raised and lowered at one place are few, and closer to each other than lines are. */
function isAnotherLine(word: Word, other: Word): boolean {
  const size = Math.max(word.size, other.size);
  const way = Math.abs(word.base - other.base);
  const over = Math.min(word.right, other.right) - Math.max(word.left, other.left);
  return over > 0 && way > size * 0.5 && (way > size || over > size * 2.5);
}

export function sharesLine(word: Word, base: number, size: number): boolean {
  const small = Math.min(word.size, size);
  const large = Math.max(word.size, size);
  const reach = small < large * 0.8 ? large * 0.5 : large * 0.3;
  return Math.abs(word.base - base) <= reach;
}

const bullet =
  /^[\u2022\u25e6\u25aa\u25ab\u25cf\u25cb\u25a0\u25a1\u2023\u2043\u27a2\u2756\u2713\uf0b7\uf0a7\uf0d8\u00b7\u2013\u2014*-]$/u;
const numbered = /^(?:\(?\d{1,3}[.)]|\(?[a-z][.)]|\(?[ivx]{1,4}[.)])$/i;

/** Whether a word is the sign of a list. */
export function isBullet(text: string): boolean {
  return text.length === 1 && bullet.test(text);
}

/** A row in the stretches that gaps divide it into. A list's sign stays with its words. */
function segmentsOf({ base, words }: { base: number; words: Word[] }): Segment[] {
  const segments: Segment[] = [];
  let last: Word | undefined;
  let from = 0;
  let at = 0;
  let size = 0;
  for (const word of words) {
    if (last !== undefined && word.left - last.right > reachOf(words, from, at, size, word)) {
      segments.push(stretch(words.slice(from, at), base, size));
      from = at;
    }
    size = at === from ? word.size : Math.max(size, word.size);
    last = word;
    at += 1;
  }
  if (words.length > 0) segments.push(stretch(from === 0 ? words : words.slice(from), base, size));
  return segments;
}

function stretch(words: Word[], base: number, size: number): Segment {
  let right = -Infinity;
  for (const word of words) if (word.right > right) right = word.right;
  return { words, left: words[0]?.left ?? 0, right, base, size };
}

/** How far the next word may stand from those between `from` and `to`. */
function reachOf(words: readonly Word[], from: number, to: number, size: number, next: Word): number {
  const most = Math.min(size, next.size);
  const text = words[from]?.text ?? '';
  if (to - from > 1) return most * reachOfWords;
  if (isBullet(text)) return most * 4;
  return numbered.test(text) ? most * 2.5 : most * reachOfWords;
}

/** A gap up to this, in heights of letters, never ends a stretch. */
export const reachOfWords = 0.75;

export const rightToLeft: RegExp = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const leftToRight = /[\p{L}\p{N}]/u;

/** Whether more of these words are read from the right than from the left. */
export function readsLeftwards(words: readonly { text: string }[]): boolean {
  let from = 0;
  for (const { text } of words) if (rightToLeft.test(text)) from += 1;
  return from > 0 && from * 2 >= words.filter(({ text }) => leftToRight.test(text)).length;
}

/** The words of one stretch in the order in which they are read. */
export function spoken(words: readonly Word[]): string {
  if (!words.some(({ text }) => rightToLeft.test(text))) return joinedWords(words);
  const leftwards = readsLeftwards(words);
  const ordered = leftwards ? words.toReversed() : [...words];
  const against = (word: Word): boolean => leftwards !== rightToLeft.test(word.text);
  for (let at = 0; at < ordered.length; at += 1) {
    let end = at;
    while (end < ordered.length && against(ordered[end] ?? never)) end += 1;
    if (end - at > 1) ordered.splice(at, end - at, ...ordered.slice(at, end).toReversed());
    at = Math.max(at, end - 1);
  }
  return ordered.reduce(
    (text, word, at) =>
      `${text}${at === 0 || touches(ordered[at - 1], word) ? '' : ' '}${leftwards ? word.text.replace(stopOnLeft, '$2$1') : word.text}`,
    '',
  );
}

/** Where words are read from the right, what stands on the left of a number ends it. */
const stopOnLeft = /^([.,:;!?\u060c\u061b\u061f]+)([\p{Script=Latin}\p{N}].*)$/su;

/** Whether no blank stands between two words, whichever of them is on the left. */
function touches(one: Word | undefined, { left, right, size, spaced }: Word): boolean {
  if (one === undefined || spaced) return false;
  return Math.min(Math.abs(one.left - right), Math.abs(left - one.right)) < size * 0.15;
}

const never: Word = {
  text: '',
  left: 0,
  right: 0,
  top: 0,
  bottom: 0,
  base: 0,
  size: 0,
  bold: false,
  spaced: true,
  opening: undefined,
  link: undefined,
};

function joinedWords(words: readonly Word[]): string {
  return plainWords(words) ?? styledWords(words);
}

/** Words that stand on one line and lead nowhere, as most do; nothing for others. */
function plainWords(words: readonly Word[]): string | undefined {
  let text = '';
  let last: Word | undefined;
  for (const word of words) {
    if (word.link !== undefined) return undefined;
    if (last !== undefined) {
      const close = isClose(last, last.right, word);
      if (close && shiftLook(last, word) !== undefined) return undefined;
      if (hasBlank(last, word, close)) text += ' ';
    }
    text += word.text;
    last = word;
  }
  return text;
}

function styledWords(words: readonly Word[]): string {
  const text = styledText();
  let host: Word | undefined;
  let edge = 0;
  let [target, start]: [string | undefined, number] = [undefined, 0];
  const endLink = (): void => {
    const to = target ?? '';
    if (to !== '') text.wrap(start, (inner) => linked(inner, to));
    target = undefined;
  };
  for (const word of words) {
    if (word.link !== target) endLink();
    const close = host !== undefined && isClose(host, edge, word);
    const look = host !== undefined && close ? shiftLook(host, word) : undefined;
    if (host !== undefined && look === undefined && hasBlank(host, word, close)) text.write(' ');
    if (word.link !== undefined && target === undefined) [target, start] = [word.link, text.mark()];
    text.write(word.text, look ?? 0);
    if (look === undefined) host = word;
    edge = word.right;
  }
  endLink();
  return text.text();
}

/** Whether a word begins where the words before it end; `host` is the last of them that stands on the line. */
export function isClose(host: Word, edge: number, word: Word): boolean {
  return word.left - edge < word.size * 0.15 && !areTwoNumbers(host, word);
}

export function hasBlank(host: Word, word: Word, close: boolean): boolean {
  return !close || (word.spaced && host.base === word.base);
}

/** Words that lead somewhere, with their target, unless they are the target. */
function linked(words: string, to: string): string {
  return bareAddress(words.trim()) === bareAddress(to) ? words : linkTo(words, to);
}

function bareAddress(address: string): string {
  return address.replace(/^(?:https?:\/\/|mailto:|tel:)/i, '').replace(/\/$/, '');
}

/** Whether small letters stand above or below the line of those before them. */
export function shiftLook(
  host: { base: number; size: number },
  { base, size }: { base: number; size: number },
): number | undefined {
  const rise = host.base - base;
  if (size > host.size * 0.85) return undefined;
  if (rise > host.size * 0.15 && rise < host.size * 0.8) return looks.raised;
  return rise < -host.size * 0.05 && rise > -host.size * 0.5 ? looks.lowered : undefined;
}

/** The rows of a page in their stretches. */
export function segmentedRows(words: readonly Word[]): Row[] {
  return lineRows(words).map((row) => ({ base: row.base, segments: segmentsOf(row) }));
}
