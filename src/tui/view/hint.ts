// The line above the one that is being written.
import { shownLine } from '../shown.ts';
import type { Theme } from '../theme.ts';
import { lastOf, line } from './view.ts';

/** What goes on, or what the key that was pressed does when it is pressed again. */
export function hintLine(leaving: boolean, doing: string | undefined, theme: Theme, width: number): string {
  if (leaving) return line(theme.warn(' ctrl+c again leaves'), width);
  if (doing === undefined) return '';
  return line(theme.dim(` ${lastOf(`${shownLine(doing)} · esc stops`, width - 1)}`), width); // since when, and how to stop it
}
