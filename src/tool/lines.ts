// The lines of a text as its readers count them: a very long one counts as several, so that every place can be reached.
import { cutText } from '../content/text.ts';

/** Where a long line is broken. */
const wideLine = 2000;

/** All lines; a line end at the end begins no further one. */
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
