// The line above the one that is being written.
import { visibleWidth } from '../kit.ts';
import { shownLine } from '../shown.ts';
import type { Theme } from '../theme.ts';
import { line } from './view.ts';

/** What goes on, or what the key that was pressed does when it is pressed again. */
export function hintLine(leaving: boolean, doing: string | undefined, theme: Theme, width: number): string {
  if (leaving) return line(theme.warn(' ctrl+c again leaves'), width);
  if (doing === undefined) return '';
  const words = `${shownLine(doing)} · esc stops`;
  const over = visibleWidth(words) + 1 - width; // on a narrow screen its end tells more: since when, and how to stop it
  return line(theme.dim(` ${over > 0 ? `…${words.slice(over + 1)}` : words}`), width);
}
