// A text of a PowerPoint 97 to 2003 slide and what is said of how it is set in, its paragraphs as Markdown pieces out: the body
// of a slide is a list with levels, raised and lowered letters stay so.
import type { Piece } from '../document/markdown.ts';
import { oneLine } from '../document/markdown.ts';
import { looks, styledText } from '../document/styled.ts';

/** What a text is for, its letters, and the record about how they are set, or what is known of its paragraphs. */
export type SlideText = { kind: number; text: string; style?: Buffer; runs?: readonly ParagraphRun[] };

/** Kinds of text that are titles, and those that are bodies. */
const titles = new Set([0, 6]);
const bodies = new Set([1, 7, 8]);

export function isSlideTitle({ kind }: SlideText): boolean {
  return titles.has(kind);
}

/** The words of a text in one line. */
export function slideLine(text: SlideText): string {
  return oneLine(
    paragraphsIn(text)
      .map(({ words }) => words)
      .join(' '),
  );
}

/** Its paragraphs; those of a body are items of a list unless they say otherwise. */
export function textPieces(text: SlideText): Piece[] {
  return paragraphsIn(text).flatMap(({ words, level, bullet = bodies.has(text.kind) }): Piece[] => {
    if (words === '' || words === '*') return []; // a lone asterisk is where the program puts a number or a date
    return [bullet || level > 0 ? { text: words, item: { level, mark: bullet ? '-' : '' } } : { text: words }];
  });
}

type SlideParagraph = { words: string; level: number; bullet?: boolean };

function paragraphsIn({ text, style, runs }: SlideText): SlideParagraph[] {
  const { paragraphs, letters } = runsIn(style, text.length + 1);
  const [aboutAt, letterAt] = [follower(runs ?? paragraphs), follower(letters)];
  let at = 0;
  return text.split('\r').map((paragraph) => {
    const out = styledText();
    const end = at + paragraph.length;
    const about = aboutAt(at);
    for (let from = at; from < end;) {
      const run = letterAt(from);
      const to = Math.min(end, run?.end ?? end);
      out.write(text.slice(from, to).replaceAll('\v', '\n'), run?.look ?? 0);
      from = to;
    }
    at = end + 1;
    const words = out.text().trim();
    return { words, level: about?.level ?? 0, ...(about?.bullet !== undefined && { bullet: about.bullet }) };
  });
}

/** The run at a place; places are asked for in order. */
function follower<T extends { end: number }>(runs: readonly T[]): (at: number) => T | undefined {
  let index = 0;
  return (at) => {
    while (index < runs.length && (runs[index]?.end ?? 0) <= at) index += 1;
    return runs[index];
  };
}

/** Paragraphs up to a place, how deep they stand, and whether they have a sign. */
export type ParagraphRun = { end: number; level: number; bullet?: boolean };
type LetterRun = { end: number; look: number };

/** What is said of paragraphs by the bits that announce it: how many bytes each takes, in the order in which they follow. */
const paragraphFields: readonly (readonly [bits: number, size: number])[] = [
  [0x80, 2],
  [0x10, 2],
  [0x40, 2],
  [0x20, 4],
  [0x800, 2],
  [0x1000, 2],
  [0x2000, 2],
  [0x4000, 2],
  [0x100, 2],
  [0x400, 2],
  [0x8000, 2],
];
const [tabs, lastParagraphFields] = [0x100000, [0x10000, 0xe0000, 0x200000]];
/** The same of letters, before how high they stand. */
const letterFields: readonly (readonly [bits: number, size: number])[] = [
  [0xffff, 2],
  [0x10000, 2],
  [0x200000, 2],
  [0x400000, 2],
  [0x800000, 2],
  [0x20000, 2],
  [0x40000, 4],
];
const height = 0x80000;
const mostRuns = 10_000;

/** Both lists of runs, in order; what ends too early says nothing of the rest. */
function runsIn(style: Buffer | undefined, length: number): { paragraphs: ParagraphRun[]; letters: LetterRun[] } {
  const [paragraphs, letters]: [ParagraphRun[], LetterRun[]] = [[], []];
  if (style === undefined) return { paragraphs, letters };
  let at = 0;
  const take = (size: 2 | 4): number => {
    at += size;
    return size === 2 ? style.readUInt16LE(at - 2) : style.readUInt32LE(at - 4);
  };
  const skip = (bits: number, fields: readonly (readonly [bits: number, size: number])[]): void => {
    for (const [bit, size] of fields) if ((bits & bit) !== 0) at += size;
  };
  try {
    for (let end = 0; end < length && paragraphs.length < mostRuns;) {
      end += take(4);
      const level = Math.min(take(2), 8);
      const bits = take(4);
      const flags = (bits & 0xf) === 0 ? 0 : take(2);
      skip(bits, paragraphFields);
      if ((bits & tabs) !== 0) at += take(2) * 4;
      for (const bit of lastParagraphFields) if ((bits & bit) !== 0) at += 2;
      paragraphs.push({ end, level, ...((bits & 1) !== 0 && { bullet: (flags & 1) !== 0 }) });
    }
    for (let end = 0; end < length && letters.length < mostRuns;) {
      end += take(4);
      const bits = take(4);
      skip(bits, letterFields);
      const shift = (bits & height) === 0 ? 0 : take(2);
      letters.push({ end, look: shift === 0 ? 0 : shift < 0x8000 ? looks.raised : looks.lowered });
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return { paragraphs, letters };
}
