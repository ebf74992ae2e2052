// An answer while it arrives: thinking folded and dim, calls as cards.
import { isMedia } from '../../content/block.ts';
import type { Block, CallBlock } from '../../content/block.ts';
import { timeText } from '../../content/figures.ts';
import { toJsonText } from '../../content/json.ts';
import { shownLine, shownText } from '../shown.ts';
import type { ToolMessage } from '../../tool/result.ts';
import type { Component } from '../kit.ts';
import { Container } from '../kit.ts';
import { jsonOutline } from './json-outline.ts';
import type { Folded } from './json-outline.ts';
import { imageTitle, mediaView } from './media.ts';
import type { Pager } from './media.ts';
import type { TextView } from './markdown.ts';
import { block as wrapped, line, still } from './view.ts';
import type { Scene } from './view.ts';

/** One line while it is folded. */
export function thinkingView(scene: Scene): TextView {
  const { theme } = scene;
  let whole = '';
  let words = 0;
  let inWord = false;
  const component = still(
    (width) => {
      const count = words === 1 ? '1 word' : `${words} words`;
      if (!scene.open.thinking) return [line(theme.dim(` ▸ thinking (${count}) · ctrl+t opens`), width)];
      return [line(theme.dim(' ▾ thinking'), width), ...wrapped(shownText(whole), width, theme.dim, '   ')];
    },
    () => `${scene.open.thinking} ${whole.length}`,
  );
  return {
    component,
    add: (text) => {
      whole += text;
      for (const character of text) {
        const isLetter = character.trim() !== '';
        if (isLetter && !inWord) words += 1;
        inWord = isLetter;
      }
    },
  };
}

export type CallView = {
  component: Component;
  /** What the tool says, and shows, before it is done. */
  progress: (text: string, content?: readonly Block[]) => void;
  /** Without a time when it is not known any more. */
  end: (result: ToolMessage, ms?: number) => void;
};

const foldedLines = 3;
const openLines = 60;
/** More than fits on any screen is not looked at for one. */
const mostCharacters = 40_000;

/** A call with its state; what it gave is folded to a few lines, its media always shown. */
export function callView(call: CallBlock, scene: Scene, paged: (pager: Pager) => void, drawn = true): CallView {
  const { theme } = scene;
  const media = new Container();
  const input = shownLine(call.input === undefined ? '' : toJsonText(call.input)).slice(0, mostCharacters);
  let state = theme.warn('…');
  let said: Folded = { folded: '', opened: '' };
  let ended = false;
  let changes = 0;
  const head = still(
    (width) => {
      const words = `${state} ${theme.bold(shownLine(call.name))} ${theme.dim(input)}`;
      return scene.open.calls ? wrapped(words, width, (text) => text, ' ') : [line(` ${words}`, width)];
    },
    () => `${scene.open.calls} ${changes}`,
  );
  const body = still(
    (width) => {
      const text = scene.open.calls ? said.opened : said.folded;
      const isShort = !scene.open.calls && said.folded !== said.opened;
      const rows = text === '' ? [] : text.split('\n');
      const lines = isShort
        ? rows.map((row) => line(theme.dim(`   ${row}`), width))
        : rows.flatMap((row) => wrapped(row, width, theme.dim, '   '));
      const room = scene.open.calls ? openLines : foldedLines;
      if (lines.length <= room) return isShort ? [...lines, line(theme.dim('   ctrl+o opens'), width)] : lines;
      const hint = scene.open.calls ? '' : ' · ctrl+o opens';
      return [...lines.slice(0, room), line(theme.dim(`   … ${lines.length - room} more lines${hint}`), width)];
    },
    () => `${scene.open.calls} ${changes}`,
  );
  const component = new Container();
  for (const child of [head, body, media]) component.addChild(child);
  return {
    component,
    progress: (text, content) => {
      if (ended) return;
      said = { folded: safely([text]), opened: safely([text]) };
      if (content) media.clear();
      for (const part of (content ?? []).filter(isMedia)) media.addChild(mediaView(part, scene, drawn).component);
      changes += 1;
    },
    end: (given, ms) => {
      if (ended) return;
      ended = true;
      changes += 1;
      media.clear();
      const sign = given.isError ? theme.bad('✗') : theme.good('✓');
      state = ms === undefined ? sign : `${sign} ${theme.dim(timeText(ms))}`;
      said = saidBy(given.content);
      for (const part of given.content.filter(isMedia)) {
        const shown = mediaView(part, scene, drawn);
        media.addChild(shown.component);
        if (shown.pager) paged(shown.pager);
      }
    },
  };
}

/** What a tool wrote for the model. A picture has its name above it; the words that say the same again are left out. */
function saidBy(content: readonly Block[]): Folded {
  const titles = content.flatMap((part) => (part.type === 'image' ? [`[${imageTitle(part)}`] : []));
  const outlines = content.flatMap((part) => {
    if (part.type !== 'text') return [];
    const lines = part.text.split('\n').filter((text) => !titles.some((title) => text.startsWith(title)));
    return [jsonOutline(lines.join('\n'))];
  });
  return {
    folded: safely(outlines.map(({ folded }) => folded)),
    opened: safely(outlines.map(({ opened }) => opened)),
  };
}

/** Text that may be shown, not more of it than anybody looks at. */
function safely(texts: readonly string[]): string {
  return shownText(texts.join('\n').trim()).slice(0, mostCharacters);
}
