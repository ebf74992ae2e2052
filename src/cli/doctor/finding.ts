// One line of the doctor: what works, and for what does not, what to do.
import { wrapped } from '../table.ts';
import { say, screenWidth, styled, visibleLine } from '../terminal.ts';
import type { Style } from '../terminal.ts';

/** `off` can be switched on, `broken` should be mended. */
export type Finding = { part: string; state: 'on' | 'off' | 'broken'; says: string; next?: string };

const signs: Record<Finding['state'], [sign: string, style: Style]> = {
  on: ['✓', 'green'],
  off: ['–', 'dim'],
  broken: ['✗', 'red'],
};

const nameWidth = 12;

export function sayFinding({ part, state, says, next }: Finding): void {
  const [sign, style] = signs[state];
  const [indent, room] = [' '.repeat(nameWidth + 3), screenWidth(process.stdout) - nameWidth - 3];
  const long = part.length > nameWidth;
  const lines = wrapped(visibleLine(says), 0, room);
  const [first = '', ...more] = long ? ['', ...lines] : lines;
  say(styled(style, sign), ' ', styled('bold', visibleLine(part).padEnd(nameWidth)), long ? '' : ' ', first);
  for (const line of more) say(indent, line);
  for (const line of next === undefined ? [] : wrapped(visibleLine(next), 0, room)) say(indent, styled('dim', line));
}
