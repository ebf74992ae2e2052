// The words of a page in, its lines out, where each stands below the one before and none beside another, as on most pages.
// What is made of them by way of rows and stretches would be the same, with three times the objects. Pure.
import { narrowestStrip } from './order.ts';
import type { PagePiece, Word } from './page.ts';
import { hasBlank, isClose, reachOfWords, nearRows, rightToLeft, sharesLine } from './words.ts';

type Line = PagePiece & { kind: 'line' };

/** The lines of one flow in the order of the file; nothing where that may not be the order of the eye. */
export function plainLines(words: readonly Word[]): Line[] | undefined {
  const lines: Line[] = [];
  let last: Word | undefined;
  for (const word of words) {
    if (word.link !== undefined || rightToLeft.test(word.text)) return undefined;
    const line = lines[lines.length - 1];
    if (last !== undefined && line !== undefined && word.base === last.base) {
      if (!goesOn(last, word, line)) return undefined;
    } else if (isBelow(lines, word)) lines.push(begun(word));
    else return undefined;
    last = word;
  }
  return areBeside(lines) ? undefined : lines;
}

function begun({ text, left, right, base, size, bold, opening }: Word): Line {
  return { kind: 'line', flow: 1, text, wide: opening ?? right - left, left, right, base, size, bold };
}

/** Whether a word goes on the line of the one before it, and is set like it; the line then has it. */
function goesOn(last: Word, word: Word, line: Line): boolean {
  if (word.size !== last.size || word.left < last.left || word.left - last.right > word.size * reachOfWords)
    return false;
  line.text += hasBlank(last, word, isClose(last, last.right, word)) ? ` ${word.text}` : word.text;
  if (word.right > line.right) line.right = word.right;
  if (!word.bold) line.bold = false;
  return true;
}

function isBelow(lines: readonly Line[], word: Word): boolean {
  const first = Math.max(0, lines.length - nearRows);
  for (let at = lines.length - 1; at >= first; at -= 1) {
    const line = lines[at];
    if (line === undefined || word.base < line.base || sharesLine(word, line.base, line.size)) return false;
  }
  return true;
}

function areBeside(lines: readonly Line[]): boolean {
  let left = -Infinity;
  let right = Infinity;
  for (const line of lines) {
    if (line.left > left) left = line.left;
    if (line.right < right) right = line.right;
  }
  return left - right > narrowestStrip;
}
