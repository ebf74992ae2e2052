// Markdown that arrives in pieces. Parsing a long answer anew for every piece would take longer and longer, so finished
// parts are drawn once and kept; only the end of the text is still open.
import { shownText } from '../shown.ts';
import { Container, Markdown } from '../kit.ts';
import type { Component } from '../kit.ts';
import type { Theme } from '../theme.ts';
import { still } from './view.ts';

export type TextView = { component: Component; add: (text: string) => void };

/** A part shorter than this is cheap. */
const openLength = 1500;

export function growingMarkdown(theme: Theme): TextView {
  const component = new Container();
  const newPart = (): Markdown => new Markdown('', 1, 0, theme.markdown);
  let open = newPart();
  let text = '';
  let fresh = false;
  let looked = 0; // so much of the open text is known to hang together
  let cutBefore = cutter();
  const lazily: Component = {
    render: (width) => {
      if (fresh) open.setText(shownText(text));
      fresh = false;
      return open.render(width);
    },
    invalidate: () => open.invalidate(),
  };
  component.addChild(lazily);
  const close = (end: number, hasGap: boolean): void => {
    const done = newPart();
    done.setText(shownText(text.slice(0, end).trimEnd()));
    component.removeChild(lazily);
    for (const child of [done, ...(hasGap ? [still(() => [''])] : []), lazily]) component.addChild(child);
    text = text.slice(end);
    open = newPart();
    cutBefore = cutter();
    looked = 0;
  };
  return {
    component,
    add: (piece) => {
      text += piece;
      fresh = true;
      if (!piece.includes('\n')) return;
      for (let end = text.indexOf('\n', looked); end >= 0; end = text.indexOf('\n', looked)) {
        const cut = cutBefore(text.slice(looked, end), looked);
        if (cut) close(looked, cut.hasGap);
        else looked = end + 1;
      }
    },
  };
}

const fence = /^ {0,3}(`{3,}|~{3,})/;
const continues = /^(?:\s|[-*+>|]|\d+[.)]|<|\$\$|\\\[|\[)/;
const item = /^(?:([-*+])|(\d{1,9})[.)])\s/;

/** The list at the margin: where it begins, the mark or the number that its next item should have. */
type OpenList = { from: number; next: string | number; isLoose: boolean };

/** Told line after line, says before which one the text may be cut: what follows can be read without what stands before. */
function cutter(): (line: string, at: number) => { hasGap: boolean } | undefined {
  let inside: string | undefined;
  let afterGap = false;
  let formulas = 0;
  let list: OpenList | undefined;
  /** Items of a long list can be read one by one, as long as their numbers are those that they get. */
  const itemBefore = ([, sign, number]: RegExpExecArray, at: number): { hasGap: boolean } | undefined => {
    const now = sign ?? Number(number);
    const goesOn = list?.next === now;
    const from = goesOn && list ? list.from : at;
    const isLoose = goesOn && (list?.isLoose === true || afterGap);
    list = { from, next: typeof now === 'number' ? now + 1 : now, isLoose };
    return at - from >= openLength ? { hasGap: isLoose } : undefined;
  };
  return (line, at) => {
    const isOpen = inside !== undefined || formulas % 2 !== 0;
    const isApart = afterGap && line !== '' && !continues.test(line);
    const found = inside === undefined ? item.exec(line) : null;
    if (isApart) list = undefined;
    const cut = found ? itemBefore(found, at) : isApart && at >= openLength ? { hasGap: true } : undefined;
    if (cut && !isOpen) return cut;
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined && (inside === undefined || mark.startsWith(inside)))
      inside = inside === undefined ? mark : undefined;
    else if (inside === undefined) formulas += line.replaceAll(/`[^`]*`/g, '').match(/\$\$|\\[[\]]/g)?.length ?? 0;
    afterGap = line.trim() === '';
    return undefined;
  };
}
