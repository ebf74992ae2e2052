// What every view on the screen has: where it draws, in which colours, and what folds are open.
import type { AssetStore } from '../../asset/store.ts';
import type { Component } from '../kit.ts';
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '../kit.ts';
import type { CellSize, Graphics } from '../picture/graphics.ts';
import type { Theme } from '../theme.ts';

export type Scene = {
  theme: Theme;
  graphics: Graphics;
  /** How large a character of this terminal is, as far as it told. */
  cell: () => CellSize;
  assets: AssetStore;
  /** Whether thinking and the details of calls are unfolded. */
  open: { thinking: boolean; calls: boolean };
  /** Asks for the screen to be drawn anew. */
  redraw: () => void;
};

/** A view from a function of the width; drawn anew each time it is asked for. */
export function view(render: (width: number) => string[]): Component {
  return { render, invalidate: () => undefined };
}

/** The same, drawn anew only when the width or what `depends` gives has changed: a long conversation costs little. */
export function still(render: (width: number) => string[], depends: () => unknown = () => 0): Component {
  let drawn: { lines: string[]; width: number; on: unknown } | undefined;
  return {
    render: (width) => {
      const on = depends();
      if (drawn?.width !== width || drawn.on !== on) drawn = { lines: render(width), width, on };
      return drawn.lines;
    },
    invalidate: () => (drawn = undefined),
  };
}

/** Safe text in a colour, wrapped, with the same margin on every line. */
export function block(text: string, width: number, paint: (text: string) => string, margin = ''): string[] {
  const room = Math.max(1, width - margin.length);
  const rows = text.replaceAll('\t', '    ').split('\n'); // how far a tab goes, only the terminal knows
  return rows.flatMap((row) => wrapTextWithAnsi(paint(row), room).map((part) => `${margin}${part}`));
}

/** More than these are no single character on a screen. */
const mostUnits = 16;

/** The end of a line without colours, where that tells more than its beginning. */
export function lastOf(text: string, width: number): string {
  if (visibleWidth(text) <= width) return text;
  const letters = Array.from(text.slice(-Math.max(1, width) * mostUnits));
  while (letters.length > 0 && visibleWidth(letters.join('')) > width - 1) letters.shift();
  return `…${letters.join('')}`;
}

/** One line, cut where the screen ends. */
export function line(text: string, width: number): string {
  return truncateToWidth(text, width);
}
