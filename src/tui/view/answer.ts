// An answer while it arrives: thinking folded and dim, text as Markdown, calls as cards.
import type { CallBlock } from '../../content/block.ts';
import { isMedia } from '../../content/block.ts';
import { toJsonText } from '../../content/json.ts';
import { visible, visibleLine } from '../../content/visible.ts';
import type { ToolMessage } from '../../tool/result.ts';
import type { Component } from '../kit.ts';
import { Container, Markdown } from '../kit.ts';
import { mediaView } from './media.ts';
import type { Pager } from './media.ts';
import { block as wrapped, line, view } from './view.ts';
import type { Scene } from './view.ts';

export type TextView = { component: Component; add: (text: string) => void };

export function textView(scene: Scene): TextView {
  let whole = '';
  const markdown = new Markdown('', 1, 0, scene.theme.markdown);
  return {
    component: markdown,
    add: (text) => {
      whole += text;
      markdown.setText(visible(whole));
    },
  };
}

/** One line while it is folded. */
export function thinkingView(scene: Scene): TextView {
  let whole = '';
  const { theme } = scene;
  const component = view((width) => {
    const words = whole.split(/\s+/).filter((word) => word !== '').length;
    const count = words === 1 ? '1 word' : `${words} words`;
    if (!scene.open.thinking) return [line(theme.dim(` ▸ thinking (${count}) · ctrl+t opens`), width)];
    return [line(theme.dim(' ▾ thinking'), width), ...wrapped(visible(whole), width, theme.dim, '   ')];
  });
  return { component, add: (text) => (whole += text) };
}

export type CallView = {
  component: Component;
  progress: (text: string) => void;
  end: (result: ToolMessage, ms: number) => void;
};

const foldedLines = 3;
const openLines = 60;

/** A call with its state; what it gave is folded to a few lines, its media always shown. */
export function callView(call: CallBlock, scene: Scene, paged: (pager: Pager) => void): CallView {
  const { theme } = scene;
  const media = new Container();
  const input = visibleLine(call.input === undefined ? '' : toJsonText(call.input));
  let state = theme.warn('…');
  let said = '';
  let result: ToolMessage | undefined;
  const head = view((width) => [line(` ${state} ${theme.bold(visibleLine(call.name))} ${theme.dim(input)}`, width)]);
  const body = view((width) => {
    const lines = wrapped(said, width, theme.dim, '   ');
    const room = scene.open.calls ? openLines : foldedLines;
    if (lines.length <= room) return said === '' ? [] : lines;
    const hint = scene.open.calls ? '' : ' · ctrl+o opens';
    return [...lines.slice(0, room), line(theme.dim(`   … ${lines.length - room} more lines${hint}`), width)];
  });
  const component = new Container();
  for (const child of [head, body, media]) component.addChild(child);
  return {
    component,
    progress: (text) => {
      if (!result) said = visible(text);
    },
    end: (given, ms) => {
      result = given;
      state = given.isError ? theme.bad('✗') : theme.good('✓');
      state += theme.dim(ms >= 1000 ? ` ${(ms / 1000).toFixed(1)} s` : ` ${Math.round(ms)} ms`);
      said = visible(
        given.content
          .flatMap((part) => (part.type === 'text' ? [part.text] : []))
          .join('\n')
          .trim(),
      );
      for (const part of given.content.filter(isMedia)) {
        const shown = mediaView(part, scene);
        media.addChild(shown.component);
        if (shown.pager) paged(shown.pager);
      }
    },
  };
}
