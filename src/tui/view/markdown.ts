// Markdown that arrives in pieces. Parsing a long answer anew for every piece would take longer and longer, so finished
// parts are drawn once and kept; only the end of the text is still open.
import { shownText } from '../shown.ts';
import { Container, Markdown } from '../kit.ts';
import type { Component } from '../kit.ts';
import type { Theme } from '../theme.ts';
import { still } from './view.ts';

export type TextView = { component: Component; add: (text: string) => void };

/** An open end shorter than this is cheap. */
const openLength = 1500;

export function growingMarkdown(theme: Theme): TextView {
  const component = new Container();
  const newPart = (): Markdown => new Markdown('', 1, 0, theme.markdown);
  let open = newPart();
  let text = '';
  let fresh = false;
  const lazily: Component = {
    render: (width) => {
      if (fresh) open.setText(shownText(text));
      fresh = false;
      return open.render(width);
    },
    invalidate: () => open.invalidate(),
  };
  component.addChild(lazily);
  const close = (end: number): void => {
    const done = newPart();
    done.setText(shownText(text.slice(0, end).trimEnd()));
    component.removeChild(lazily);
    for (const child of [done, still(() => ['']), lazily]) component.addChild(child);
    text = text.slice(end);
    open = newPart();
  };
  return {
    component,
    add: (piece) => {
      text += piece;
      fresh = true;
      const end = text.length > openLength && piece.includes('\n') ? finishedEnd(text) : 0;
      if (end > 0) close(end);
    },
  };
}

const fence = /^ {0,3}(`{3,}|~{3,})/;
const continues = /^(?:\s|[-*+>|]|\d+[.)]|<|\$\$|\\\[|\[)/;

/** Where the last part begins that can be read without what stands before it; 0 when all hangs together. */
function finishedEnd(text: string): number {
  let at = 0;
  let end = 0;
  let inside: string | undefined;
  let afterGap = false;
  for (const line of text.split('\n')) {
    const mark = fence.exec(line)?.[1];
    const starts = afterGap && inside === undefined && line !== '' && !continues.test(line);
    if (starts && !/\$\$|\\\[/.test(text.slice(end, at))) end = at;
    if (mark !== undefined && (inside === undefined || mark.startsWith(inside)))
      inside = inside === undefined ? mark : undefined;
    afterGap = line.trim() === '';
    at += line.length + 1;
  }
  return end;
}
