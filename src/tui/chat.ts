// The chat on a screen: an editor at the bottom, the conversation above it. Leaving at any moment loses nothing.
import { pastedPath } from '../agent/mentions.ts';
import { shownLine } from './shown.ts';
import { approvals } from './approval.ts';
import { completions, isWholeWord } from './completions.ts';
import { chatKeys } from './keys.ts';
import type { KeyDeeds } from './keys.ts';
import { Editor, ProcessTerminal, setCapabilityOverrides, TuiMainScreen, visibleWidth } from './kit.ts';
import type { Component, Terminal } from './kit.ts';
import type { Graphics } from './picture/graphics.ts';
import { cellSize, hearOfSixel } from './picture/hear.ts';
import { picker } from './picker.ts';
import { statusText } from './status.ts';
import { talk } from './controller.ts';
import type { OpenChat, TalkOptions } from './open-chat.ts';
import { themeOf } from './theme.ts';
import type { Theme } from './theme.ts';
import { conversationView } from './view/conversation.ts';
import { hintLine } from './view/hint.ts';
import { questionLines } from './view/question.ts';
import { line, view } from './view/view.ts';
import type { Scene } from './view/view.ts';

type ChatOptions = TalkOptions & {
  colour: boolean;
  graphics: Graphics;
  /** Pictures are drawn by sixel as soon as the terminal says that it can. */
  mayDrawMore?: boolean;
  terminal?: Terminal;
  /** Leaves, when the program is asked to end. */
  signal?: AbortSignal;
};

/** Opens the chat; resolves when the person leaves it, with the id of the session that was open last. */
export async function chat(options: ChatOptions): Promise<string> {
  // A link shows where it leads; a word that hides an address is not clickable.
  setCapabilityOverrides({ hyperlinks: false, images: askedAs(options) });
  const terminal = options.terminal ?? new ProcessTerminal();
  const tui = new TuiMainScreen(terminal);
  const theme = themeOf(options.colour);
  const folder = options.folder ?? process.cwd();
  const redraw = (): void => tui.requestRender();
  const { graphics, session, rights } = options;
  const open = { thinking: false, calls: false };
  const scene: Scene = { theme, graphics, cell: cellSize, assets: session.assets, open, redraw };
  const conversation = conversationView(scene);
  const approval = approvals(rights, redraw);
  const pick = picker(theme, redraw);
  const editor = new Editor(tui, theme.editor);
  const left = Promise.withResolvers<void>();
  const { opened, submit, stop, state, doing, show, end, preload } = talk(options, {
    conversation,
    approval,
    handBack: (words) => editor.setText([words, editor.getExpandedText()].filter((text) => text !== '').join('\n')),
    changed: redraw,
    choose: pick.choose,
    copy: async (text) => await (await import('./desktop.ts')).copyText(text, terminal), // few copy, and not at once
    leave: left.resolve,
  });

  editor.setAutocompleteProvider(completions(folder));
  editor.onSubmit = (text) => {
    const words = text.trim();
    if (words === '') return;
    editor.addToHistory(words);
    editor.setText('');
    void submit(words);
  };

  const keys = chatKeys(
    {
      stop,
      leave: left.resolve,
      ...writing(editor, folder),
      toggle: (what) => (scene.open[what] = !scene.open[what]),
      turnPage: (by) => conversation.pager()?.turn(by),
      toggleText: () => conversation.pager()?.toggleText(),
      openDocument: () => conversation.pager()?.open(),
    },
    approval,
  );
  tui.addInputListener((data) => {
    if (!pick.press(data) && !keys.press(data)) return undefined;
    redraw();
    return { consume: true };
  });

  /** Always as many lines, so that nothing below it moves when the model is done. */
  const hint = view((width) => {
    const call = approval.current();
    if (call) {
      const asked = { call, warnings: approval.warnings(), lineIsEmpty: editor.getText() === '' };
      return questionLines(asked, scene, width);
    }
    if (pick.isOpen()) return [''];
    return ['', hintLine(keys.leaving(), state() === 'idle' ? undefined : doing(), theme, width)];
  });
  const between = [conversation.component, hint, pick.component, editor];
  for (const row of [topLine(opened, theme), ...between, bottomLine(opened, theme)]) tui.addChild(row);
  await show();
  const tick = setInterval(() => state() === 'idle' || redraw(), tickMs);
  tui.setFocus(editor);
  options.signal?.addEventListener('abort', () => left.resolve(), { once: true });
  if (options.signal?.aborted) left.resolve();
  const heard = options.mayDrawMore ? hearOfSixel(tui, scene) : undefined;
  await shown(tui, left.promise, () => {
    preload();
    options.notices?.((text) => {
      conversation.note(text, 'warn');
      redraw();
    });
  });
  heard?.();
  clearInterval(tick);
  await end();
  await opened.session.close();
  return opened.session.id;
}

/** What the keys want to know of the line that is being written, and do to it. */
function writing(
  editor: Editor,
  folder: string,
): Pick<KeyDeeds, 'clearLine' | 'lineIsEmpty' | 'completing' | 'isWhole' | 'closeOffer' | 'paste'> {
  return {
    clearLine: () => editor.setText(''),
    lineIsEmpty: () => editor.getText() === '',
    completing: () => editor.isShowingAutocomplete(),
    isWhole: () => {
      const { line: row, col } = editor.getCursor();
      return isWholeWord((editor.getLines()[row] ?? '').slice(0, col), folder);
    },
    closeOffer: () => editor.handleInput('\u001B'),
    paste: (text) => {
      const path = pastedPath(text, folder);
      if (path !== undefined) editor.insertTextAtCursor(`${path} `);
      return path !== undefined;
    },
  };
}

/** The terminal library asks how large a character is only where pictures are drawn by a protocol that it knows. */
function askedAs({ graphics, mayDrawMore }: ChatOptions): 'kitty' | 'iterm2' | null {
  if (graphics === 'iterm2') return 'iterm2';
  return graphics === 'kitty' || graphics === 'sixel' || mayDrawMore ? 'kitty' : null;
}

/** Where it is narrow, the model stands below alone, so that the way to the help is seen. */
function topLine(opened: OpenChat, { bold, dim }: Theme): Component {
  return view((width) => {
    const model = `· ${shownLine(opened.model)} `;
    const isWide = visibleWidth(model) + 20 <= width;
    return [line(` ${bold('sightline')} ${dim(`${isWide ? model : ''}· /help`)}`, width)];
  });
}

function bottomLine(opened: OpenChat, { dim }: Theme): Component {
  return view((width) => [line(dim(` ${shownLine(statusText(opened.meter, width - 1))}`), width)]);
}

/** Shows the screen until the person leaves. */
async function shown(tui: TuiMainScreen, left: Promise<void>, later: () => void): Promise<void> {
  const restore = (): void => tui.stop();
  process.once('exit', restore); // whatever ends the program, the terminal is given back as it was
  tui.start();
  const timer = setTimeout(later, afterFirstFrame);
  await left;
  clearTimeout(timer);
  process.off('exit', restore);
  tui.stop();
}

/** What the first question needs is loaded while the person writes it. */
const afterFirstFrame = 40;

/** How often what goes on is told anew. */
const tickMs = 1000;
