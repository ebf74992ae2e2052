// The pieces of a page in, Markdown out: paragraphs with their lines joined, headings by size and weight, lists, tables.
// Pure.
import { heading, table } from '../../document/markdown.ts';
import type { PagePiece } from './page.ts';
import { isBullet } from './words.ts';

type Line = PagePiece & { kind: 'line' };

/** What a document's letters are like: the size of most of them, and the sizes of headings, the largest first. */
export type Scale = { body: number; sizes: number[] };

const [mostSizes, longestHeading] = [4, 200];
/** A heading is at least so much larger than the text. */
const larger = 1.15;

/** Lines shorter than this, in letters' heights, are lines of an address or a poem. */
const narrowest = 12;
/** How far back from the end of a line the divided word is looked for. */
const longestWord = 60;

const rounded = (size: number): number => Math.round(size * 2) / 2;

/** The sizes that a document uses, from all of its lines. */
export function scaleOf(pages: readonly (readonly PagePiece[])[]): Scale {
  const counts = new Map<number, number>();
  for (const pieces of pages) {
    for (const piece of pieces) {
      if (piece.kind !== 'line') continue;
      const size = rounded(piece.size);
      counts.set(size, (counts.get(size) ?? 0) + piece.text.length);
    }
  }
  const body = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
  const sizes = [...counts.keys()].filter((size) => size >= body * larger).toSorted((one, other) => other - one);
  return { body, sizes: sizes.slice(0, mostSizes) };
}

/** The text of one page. */
export function pageMarkdown(pieces: readonly PagePiece[], scale: Scale): string {
  const blocks: string[] = [];
  const hyphened = compoundsOf(pieces);
  const levels = pieces.map((_, at) => levelOf(pieces, at, scale));
  for (let at = 0; at < pieces.length;) {
    const piece = pieces[at];
    if (piece === undefined) break;
    if (piece.kind === 'table') {
      blocks.push(table(piece.rows));
      at += 1;
      continue;
    }
    let end = at + 1;
    const level = levels[at] ?? 0;
    while (end < pieces.length && follows(piece, pieces[end], level, levels[end] ?? 0)) end += 1;
    const lines = pieces.slice(at, end).filter((one) => one.kind === 'line');
    if (level > 0) blocks.push(heading(level, lines.map(({ text }) => text).join(' ')));
    else blocks.push(...paragraphs(lines, hyphened));
    at = end;
  }
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** Whether a line belongs to what an earlier one began: the same flow, and the same heading or none. */
function follows(first: Line, next: PagePiece | undefined, level: number, nextLevel: number): boolean {
  if (next?.kind !== 'line' || next.flow !== first.flow || level !== nextLevel) return false;
  return level === 0 || (Math.abs(next.size - first.size) < 0.6 && next.base - first.base < first.size * 3.2);
}

/** The level of a heading; 0 for a line that is none. */
function levelOf(pieces: readonly PagePiece[], at: number, { body, sizes }: Scale): number {
  const line = pieces[at];
  if (line?.kind !== 'line' || line.text.length > longestHeading) return 0;
  if (!line.bold && rounded(line.size) < body * larger) return 0;
  if (!/\p{L}/u.test(line.text)) return 0;
  const rank = sizes.findIndex((size) => rounded(line.size) >= size);
  if (rounded(line.size) >= body * larger) return (rank === -1 ? sizes.length - 1 : rank) + 1;
  if (!line.bold || rounded(line.size) < body || line.text.length > 100 || /[.,;:]$/.test(line.text)) return 0;
  const [before, after] = [pieces[at - 1], pieces[at + 1]];
  const apart =
    before?.kind !== 'line' ||
    before.flow !== line.flow ||
    line.base - before.base > line.size * 1.5 ||
    before.size > line.size * 1.1;
  const leads = after?.kind === 'line' && after.flow === line.flow && !after.bold;
  return apart && leads ? Math.min(sizes.length + 1, 6) : 0;
}

/** A paragraph or an item on its way: what is written, and its last line, which the next one may change. */
type Block = { text: string; end: string; item: boolean };

/** Lines of one flow as paragraphs and lists. A line goes on where the next word had no room on it. */
function paragraphs(lines: readonly Line[], hyphened: Compounds): string[] {
  const edge = greatest(lines, 'right');
  const leading = usualLeading(lines);
  let indents: number[] | undefined;
  const out: Block[] = [];
  let [last, item]: [Line | undefined, boolean] = [undefined, false];
  for (const line of lines) {
    const starts = line.text.length > 1 && hasBullet(line.text);
    const open = out.at(-1);
    const way = last === undefined ? 0 : line.base - last.base;
    const near = last !== undefined && way <= leading * 1.35 && way > -line.size;
    if (open !== undefined && last !== undefined && near && !starts && !numberedItem.test(line.text)) {
      const deeper = line.left - last.left > line.size * 0.8;
      const full =
        edge - last.left > line.size * narrowest &&
        last.right + line.wide + line.size * 0.3 > edge - Math.max(line.size * 0.5, (edge - last.left) * 0.06);
      const goesOn =
        (full || isDivided(last.text, line.text)) &&
        (!deeper || item) &&
        Math.abs(line.size - last.size) < line.size * 0.12;
      if (goesOn) addLine(open, line.text, hyphened);
      else {
        open.text += `${open.end}${item ? '\n  ' : '\n'}`;
        open.end = line.text;
      }
    } else if (starts) {
      indents ??= indentsOf(lines);
      const depth = indents.findLastIndex((indent) => indent <= line.left + 1);
      const end = `${'  '.repeat(Math.max(0, depth))}- ${line.text.slice(2)}`;
      out.push({ text: '', end, item: true });
    } else out.push({ text: '', end: line.text, item: numberedItem.test(line.text) });
    item = out.at(-1)?.item ?? false;
    last = line;
  }
  return tightLists(out);
}

/** Whether a word is divided between two lines, however short the first of them is. */
function isDivided(line: string, next: string): boolean {
  return line.endsWith('-') && /\p{L}-$/u.test(line) && /^\p{Ll}{2}/u.test(next);
}

/** Whether the first word of a line is the sign of a list. */
function hasBullet(text: string): boolean {
  return (text.length === 1 || text.startsWith(' ', 1)) && isBullet(text.charAt(0));
}

const numberedItem = /^(?:\d{1,3}[.)]|\([a-z\d]{1,3}\)|[a-z]\)) /i;

/** Items of a list stand below each other without a line between them. */
function tightLists(parts: readonly Block[]): string[] {
  const blocks: string[] = [];
  for (const [at, { text, end, item }] of parts.entries()) {
    if (item && parts[at - 1]?.item === true) blocks[blocks.length - 1] += `\n${text}${end}`;
    else blocks.push(text + end);
  }
  return blocks;
}

function indentsOf(lines: readonly Line[]): number[] {
  const lefts = lines.filter(({ text }) => hasBullet(text)).map(({ left }) => left);
  const out: number[] = [];
  for (const left of lefts.toSorted((one, other) => one - other)) {
    if (left - (out.at(-1) ?? Number.NEGATIVE_INFINITY) > 6) out.push(left);
  }
  return out.slice(0, 8);
}

function greatest(lines: readonly Line[], field: 'right' | 'size'): number {
  let most = -Infinity;
  for (const line of lines) if (line[field] > most) most = line[field];
  return most;
}

function usualLeading(lines: readonly Line[]): number {
  const ways = lines.slice(1).map(({ base }, at) => base - (lines[at]?.base ?? 0));
  const size = greatest(lines, 'size');
  const close = ways.filter((way) => way > 0 && way < size * 2.2).toSorted((one, other) => one - other);
  return Math.max(close[close.length >> 1] ?? 0, size);
}

/** The last signs of lines that are not simply followed by a blank: the end of a link, and hyphens. */
const joinable = new Set(Array.from(')-\u00ad\u2010', (sign) => sign.charCodeAt(0)));

/** A block that goes on with a line; only its last line is looked at, for a page may be one paragraph. */
function addLine(block: Block, next: string, hyphened: Compounds): void {
  if (joinable.has(block.end.charCodeAt(block.end.length - 1))) block.end = joinedLines(block.end, next, hyphened);
  else {
    block.text += `${block.end} `;
    block.end = next;
  }
}

/** Two lines as one; a word that was divided at the end of a line is whole again unless the page has it with a hyphen. */
function joinedLines(before: string, next: string, hyphened: Compounds): string {
  const target = before.endsWith(')') ? /\]\([^()\s]+\)$/.exec(before)?.[0] : undefined;
  const goesOn = target !== undefined && next.startsWith('[') && next.indexOf(']') === next.indexOf(target);
  if (goesOn) return joinedLines(before.slice(0, -target.length), next.slice(1), hyphened);
  const last = before.at(-1) ?? '';
  if (last !== '-' && last !== '\u00ad' && last !== '\u2010') return `${before} ${next}`;
  const broken = /([\p{L}\p{M}'’-]+)[-\u00ad\u2010]$/u.exec(before.slice(-longestWord));
  const start = /^[\p{L}\p{M}]+/u.exec(next)?.[0];
  if (broken === null || start === undefined) return `${before}${/\d-$/.test(before) ? '' : ' '}${next}`;
  const head = broken[1] ?? '';
  const keeps = head.includes('-') || !/^\p{Ll}/u.test(next) || hyphened().has(`${head}-${start}`.toLowerCase());
  return keeps && !before.endsWith('\u00ad') ? `${before}${next}` : `${before.slice(0, -1)}${next}`;
}

/** The words with a hyphen in the lines of a page; they are looked for when a line ends with one. */
type Compounds = () => ReadonlySet<string>;

function compoundsOf(pieces: readonly PagePiece[]): Compounds {
  let found: ReadonlySet<string> | undefined;
  return () => (found ??= compounds(pieces));
}

function compounds(pieces: readonly PagePiece[]): Set<string> {
  const found = new Set<string>();
  for (const piece of pieces) {
    if (piece.kind !== 'line') continue;
    if (!piece.text.includes('-')) continue;
    for (const [word] of piece.text.matchAll(/\p{L}+-\p{L}+/gu)) found.add(word.toLowerCase());
  }
  return found;
}
