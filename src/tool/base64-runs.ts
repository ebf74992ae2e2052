// Runs of base64 in text, found in one pass without backtracking: a data URI, a medium's first letters, or simply very
// many letters in a row. A run that was wrapped into lines of one width is put together again, indented or quoted ones, too.
// Finding a run says nothing yet about what it is; decoding and checking does.
import { decodeBase64, plainLetters } from '../content/base64.ts';

export type Run = {
  start: number;
  end: number;
  /** The letters alone, without a data URI's head and without line breaks. */
  body: string;
  /** Whether the run begins like a medium, or says that it is one. */
  candidate: boolean;
  /** Whether nothing but a medium begins so, or it is said to be one. */
  certain: boolean;
  /** How it is read if it is the other way with its last line: that belongs to it, or does not. */
  other?: { end: number; body: string };
};

const minimum = 60;
const widestWrap = 1000;

/**
 * Base64 of the first bytes of the media we know: PNG, JPEG, GIF, RIFF (WebP, WAV), PDF, MP3, BMP, TIFF, Ogg, FLAC, and boxes
 * (HEIC, AVIF, MP4).
 */
const mediaHead =
  /^(?:iVBORw0KGgo|[/_]9j[/_]|R0lGOD|UklGR|JVBERi0|SUQz|[/_]{2}[MNPstuv7]|Qk[0-3]|SUkq|TU0AK|T2dnU|ZkxhQ|AAAA.[GWm2]Z0eXB)/;

const uriMark = ';base64,';
const dataHead = /data:[a-z0-9.+-]+\/[a-z0-9.+-]+(?:;[a-z0-9=._-]+)*;base64,$/i;

/** A line break as it is, as JSON inside a text writes it, however often, or as a URI does, and what stands before the next line. */
const lineBreak = /[ \t]*(?:\r\n?|\n|\\{1,8}r(?:\\{1,8}n)?|\\{1,8}n|%0[Dd]%0[Aa]|%0[AaDd])[ \t>]*/y;

/** Lines may stand behind each other, too, as words do. */
const blanks = /[ \t]+/y;

/** Of these, heads that are too long to be met by chance: PNG, JPEG, GIF, WebP, WAV, PDF, boxes. */
const certainHead =
  /^(?:iVBORw0KGgoAAAANSUhEUg|[/_]9j[/_](?:4|2w)|R0lGOD[dl]h|UklGR.{7}(?:RUJQ|QVZF)|JVBERi0[xy]Lj|AAAA.[GWm2]Z0eXB)/;

/** Whether a string begins as nothing but a medium does as base64, or says that it is one. */
export function isCertain(text: string): boolean {
  return certainHead.test(text) || /^data:(?:image|audio|video)\//i.test(text);
}

/** Whether somewhere in a text a picture stands as base64. */
export function hasPicture(text: string): boolean {
  return /iVBORw0KGgoAAAANSUhEUg|\/9j\/(?:4|2w)|R0lGOD[dl]h|UklGR.{7}RUJQ/.test(text);
}

/** Whether a string could be a medium as base64. */
export function looksLikeMedia(text: string): boolean {
  return mediaHead.test(text);
}

/** All runs that may have to leave the text, in order. `longest` is how long an ordinary run may be. */
export function* findRuns(text: string, longest: number): Generator<Run> {
  let dataUri = text.indexOf(uriMark);
  let at = 0;
  for (;;) {
    while (dataUri >= 0 && dataUri + uriMark.length < at) dataUri = text.indexOf(uriMark, dataUri + 1);
    const next = nextRow(text, at, minimum, runLetters);
    at = dataUri < 0 ? next : Math.min(next, dataUri + uriMark.length);
    if (at >= text.length) return;
    const inUri = dataUri >= 0 && at === dataUri + uriMark.length;
    const first = isEscape(text, at) ? at : lettersFrom(text, at, inUri);
    const run = first === at ? undefined : runAt(text, at, first, longest);
    if (run) yield run;
    at = Math.max(at + 1, run?.end ?? first);
  }
}

/** Whether so many letters stand anywhere in a row, as they are or as codes: without them there is no base64 worth looking at. */
export function hasLetters(text: string, count: number): boolean {
  return nextRow(text, 0, count, codedLetters) < text.length;
}

/** Whether so many digits stand anywhere in a row. */
export function hasDigits(text: string, count: number): boolean {
  return nextRow(text, 0, count, digits) < text.length;
}

/**
 * Where the next so many of these letters in a row begin, or the length of the text. Such a row covers one of every so many
 * places, so only these are looked at: prose is passed over at a fraction of its length.
 */
function nextRow(text: string, from: number, count: number, among: Uint8Array): number {
  for (let place = from + count - 1; place < text.length; place += count) {
    if (among[text.charCodeAt(place)] !== 1) continue;
    let start = place;
    while (start > from && among[text.charCodeAt(start - 1)] === 1) start--;
    let end = place + 1;
    while (end - start < count && among[text.charCodeAt(end)] === 1) end++;
    if (end - start >= count) return start;
  }
  return text.length;
}

/** The second half of an escaped line break is a letter, but none of the run that follows it. */
function isEscape(text: string, at: number): boolean {
  return text[at - 1] === '\\' && (text[at] === 'n' || text[at] === 'r' || text[at] === 't');
}

function runAt(text: string, from: number, lineEnd: number, longest: number): Run | undefined {
  const head = headBefore(text, from);
  const skipped = head === 0 ? leadingRule(text, from, lineEnd) : 0;
  const start = from + skipped;
  if (lineEnd - start < (head > 0 ? 1 : minimum)) return undefined;
  const line = lettersOf(text, start, lineEnd);
  const candidate = head > 0 || looksLikeMedia(line);
  if (!candidate)
    return line.length > longest
      ? padded(text, { start, end: lineEnd, body: line, candidate, certain: false })
      : undefined;
  return wrapped(text, { start: start - head, from: start, lineEnd, inUri: head > 0 });
}

/** Rules of dashes or underscores are letters of the alphabet too, but no part of what follows them. */
function leadingRule(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && (text[at] === '-' || text[at] === '_') && !looksLikeMedia(text.slice(at, at + 12))) at++;
  return at - from;
}

function headBefore(text: string, from: number): number {
  if (text[from - 1] !== ',') return 0;
  return dataHead.exec(text.slice(Math.max(0, from - 120), from))?.[0].length ?? 0;
}

type FirstLine = { start: number; from: number; lineEnd: number; inUri: boolean };

/** Follows a run over line breaks as long as the lines keep their width; a shorter last one may or may not belong. */
function wrapped(text: string, { start, from, lineEnd, inUri }: FirstLine): Run {
  const first = lettersOf(text, from, lineEnd);
  const width = first.length;
  const certain = isCertain(start < from ? text.slice(start, from) : first);
  const lines = [first];
  let end = lineEnd;
  for (;;) {
    const broken = after(lineBreak, text, end);
    const next = broken ?? after(blanks, text, end);
    const stop = next === undefined || width > widestWrap ? undefined : lettersFrom(text, next, inUri);
    if (next === undefined || stop === undefined || stop === next) break;
    const line = lettersOf(text, next, stop);
    if (line.length > width || looksLikeMedia(line)) break;
    if (line.length < width) {
      const run = { start, candidate: true, certain };
      const shorter = { ...run, end, body: lines.join('') };
      const longer = padded(text, { ...run, end: stop, body: shorter.body + line });
      const isWord = broken === undefined && lines.length === 1;
      return isWord ? { ...shorter, other: longer } : { ...longer, other: shorter };
    }
    lines.push(line);
    end = stop;
  }
  return padded(text, { start, end, body: lines.join(''), candidate: true, certain });
}

function padded(text: string, run: Run): Run {
  let { end } = run;
  for (let signs = 0; signs < 2; signs++) {
    if (text[end] === '=') end++;
    else if (/^%3d/i.test(text.slice(end, end + 3))) end += 3;
  }
  return { ...run, end };
}

function after(mark: RegExp, text: string, at: number): number | undefined {
  mark.lastIndex = at;
  return mark.test(text) ? mark.lastIndex : undefined;
}

/** The end of the letters that begin here. JSON may write a slash with a backslash before it, a URI two letters by their codes. */
function lettersFrom(text: string, from: number, inUri: boolean): number {
  let at = from;
  for (;;) {
    if (isLetter(text.charCodeAt(at))) at++;
    else if (text[at] === '\\' && text[at + 1] === '/') at += 2;
    else if (inUri && text[at] === '%' && /^%2[bf]/i.test(text.slice(at, at + 3))) at += 3;
    else return at;
  }
}

function lettersOf(text: string, from: number, to: number): string {
  return plainLetters(text.slice(from, to).replaceAll('\\/', '/'));
}

/**
 * The bytes of letters that a length limit may have cut: of a group of four with one letter left, that letter says nothing.
 * `isWhole` when there was none.
 */
export function bytesOfLetters(text: string): { bytes: Uint8Array<ArrayBuffer>; isWhole: boolean } | undefined {
  const whole = decodeBase64(text);
  if (whole) return { bytes: whole, isWhole: true };
  const given = text.trimEnd();
  if (!isLetter(given.charCodeAt(given.length - 1)) || given.includes('=')) return undefined;
  const bytes = decodeBase64(given.slice(0, -1));
  return bytes && { bytes, isWhole: false };
}

const figures = '0123456789';
const digits = tableOf(figures);
const letters = tableOf(`ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz${figures}+/-_`);

/** The letters, and the backslash with which JSON writes a slash or a line break. */
const runLetters = tableOf('\\').map((one, code) => one | (letters[code] ?? 0));

/** These, and the sign before the code of one in a URI. */
const codedLetters = tableOf('%').map((one, code) => one | (runLetters[code] ?? 0));

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

function isLetter(code: number): boolean {
  return letters[code] === 1;
}
