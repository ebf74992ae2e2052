// The chat: an editor at the bottom, the conversation above it, one run at a time. Everything that happens is kept in
// the session before it is shown as done; leaving at any moment loses nothing.
import { attach, namedFiles, pastedFiles } from '../agent/attach.ts';
import type { AgentEvent } from '../agent/event.ts';
import { runAgent } from '../agent/run.ts';
import type { AgentOptions, AgentRun } from '../agent/run.ts';
import type { CallBlock } from '../content/block.ts';
import { toJsonText } from '../content/json.ts';
import { refusalText } from '../content/refusal.ts';
import { visibleLine } from '../content/visible.ts';
import type { Session } from '../session/session.ts';
import { approvals } from './approval.ts';
import { commandOf, commandRows } from './commands.ts';
import { chatKeys } from './keys.ts';
import { CombinedAutocompleteProvider, Editor, ProcessTerminal, TuiMainScreen } from './kit.ts';
import type { Component, Terminal } from './kit.ts';
import { obey } from './obey.ts';
import type { Desk } from './obey.ts';
import type { Graphics } from './picture/graphics.ts';
import { changeLine } from './receipts.ts';
import { addUsage, newMeter, statusText } from './status.ts';
import { themeOf } from './theme.ts';
import { conversationView } from './view/conversation.ts';
import { line, view } from './view/view.ts';
import type { Scene } from './view/view.ts';

export type ChatOptions = {
  /** As the person calls it. */
  model: string;
  /** What a run with this model needs besides what is said. Throws a `SightlineError` for a model nobody knows. */
  agent: (model: string) => Omit<AgentOptions, 'prompt' | 'messages' | 'session' | 'signal' | 'approve'>;
  session: Session;
  /** Whether the person is asked before this call runs. */
  asksFirst: (call: CallBlock) => boolean;
  /** Other sessions, a copy of this one, and pages of it; by the program that opened the chat. */
  sessions: {
    list: () => Promise<string[]>;
    open: (id: string) => Promise<Session>;
    fork: (session: Session) => Promise<Session>;
    export: (session: Session, file: string) => Promise<string>;
  };
  /** Said once, above everything. */
  notices?: readonly string[];
  folder?: string;
  colour: boolean;
  graphics: Graphics;
  terminal?: Terminal;
};

/** Opens the chat; resolves when the person leaves it. */
export async function chat(options: ChatOptions): Promise<void> {
  const tui = new TuiMainScreen(options.terminal ?? new ProcessTerminal());
  tui.setClearOnShrink(true); // a list that closes must not leave a line behind
  const theme = themeOf(options.colour);
  const folder = options.folder ?? process.cwd();
  const redraw = (): void => tui.requestRender();
  const scene: Scene = {
    theme,
    graphics: options.graphics,
    assets: options.session.assets,
    open: { thinking: false, calls: false },
    redraw,
  };
  const conversation = conversationView(scene);
  const meter = newMeter(options.model);
  const told = new Set<string>();
  const approval = approvals(options.asksFirst, redraw);
  const left = Promise.withResolvers<void>();
  let running: { run: AgentRun; abort: AbortController } | undefined;
  const desk: Desk = {
    model: options.model,
    session: options.session,
    receipts: [],
    conversation,
    meter,
    options,
    change: async (next) => {
      await desk.session.close();
      desk.session = next;
      scene.assets = next.assets;
      conversation.clear();
      conversation.replay(await next.messages());
    },
    leave: () => {
      stop();
      tui.stop();
      left.resolve();
    },
  };

  const stop = (): boolean => {
    if (!running) return false;
    running.abort.abort();
    approval.dismiss();
    return true;
  };

  const follow = (event: AgentEvent): void => {
    conversation.event(event);
    if (event.type === 'request-ready') {
      const { receipts, tokens, bytes, images, contextTokens } = event;
      desk.receipts = receipts;
      Object.assign(meter, { tokens, bytes, images, window: contextTokens });
      const changes = changeLine(receipts, told);
      if (changes !== undefined) conversation.note(changes);
    } else if (event.type === 'message-end' && event.usage) {
      meter.tokens = event.usage.inputTokens + event.usage.outputTokens;
    } else if (event.type === 'run-end') {
      addUsage(meter, event.usage, event.cost);
      if (event.error) conversation.note(event.error.message, 'bad');
      else if (event.stop !== 'end') conversation.note(stopWords[event.stop], 'warn');
    }
  };

  const send = async (words: string): Promise<void> => {
    const { words: rest, files } = pastedFiles(words);
    const content = await attach(rest, [...namedFiles(rest, folder), ...files], { assets: desk.session.assets });
    if (!content.ok) return conversation.note(refusalText(content.refusal), 'bad');
    conversation.said(content.value);
    if (running) return running.run.add(content.value);
    const abort = new AbortController();
    const { session } = desk;
    const asked = { ...options.agent(desk.model), session, prompt: content.value, approve: approval.ask };
    running = { run: runAgent({ ...asked, signal: abort.signal }), abort };
    try {
      for await (const event of running.run) follow(event);
    } finally {
      running = undefined;
    }
  };

  const editor = new Editor(tui, theme.editor);
  editor.setAutocompleteProvider(new CombinedAutocompleteProvider(completions, folder));
  editor.onSubmit = (text) => {
    const words = text.trim();
    if (words === '') return;
    editor.addToHistory(words);
    editor.setText('');
    const command = commandOf(words);
    const busy = running !== undefined && command !== undefined && !('unknown' in command) && !command.harmless;
    const work = async (): Promise<void> => {
      if (!command) return await send(words);
      if ('unknown' in command) throw new Error(`There is no command /${command.unknown}; /help lists them.`);
      if (busy) throw new Error(`/${command.name} has to wait for the answer; esc stops it.`);
      return await obey(command, desk);
    };
    work()
      .catch((error: unknown) => conversation.note(error instanceof Error ? error.message : String(error), 'bad'))
      .finally(redraw);
  };

  const keys = chatKeys(
    {
      stop,
      leave: desk.leave,
      clearLine: () => editor.setText(''),
      lineIsEmpty: () => editor.getText() === '',
      completing: () => editor.isShowingAutocomplete(),
      toggle: (what) => (scene.open[what] = !scene.open[what]),
      turnPage: (by) => conversation.pager()?.turn(by),
      toggleText: () => conversation.pager()?.toggleText(),
    },
    approval,
  );
  tui.addInputListener((data) => {
    if (!keys.press(data)) return undefined;
    redraw();
    return { consume: true };
  });

  const hint = view((width) => {
    const call = approval.current();
    if (call) {
      const question = ` Allow ${theme.bold(visibleLine(call.name))} ${theme.dim(visibleLine(toJsonText(call.input)))}?`;
      return [line(question, width), line(theme.warn(' y yes · n no · a always in this chat · esc stop'), width)];
    }
    if (keys.leaving()) return [line(theme.warn(' ctrl+c again leaves; everything is kept'), width)];
    return running ? [line(theme.dim(' working · esc stops'), width)] : [];
  });
  const rows: Component[] = [
    view((width) => [line(` ${theme.bold('sightline')} ${theme.dim(`· ${visibleLine(desk.model)} · /help`)}`, width)]),
    conversation.component,
    view(() => ['']),
    hint,
    editor,
    view((width) => [line(theme.dim(` ${visibleLine(statusText(meter))}`), width)]),
  ];
  for (const row of rows) tui.addChild(row);
  for (const notice of options.notices ?? []) conversation.note(notice, 'warn');
  conversation.replay(await desk.session.messages());
  tui.setFocus(editor);
  tui.start();
  await left.promise;
  await desk.session.close();
}

const completions = commandRows.map(({ name, argument, does }) => ({
  name,
  description: does,
  ...(argument !== undefined && { argumentHint: argument }),
}));

const stopWords: Record<'aborted' | 'max-steps' | 'max-cost' | 'declined' | 'error', string> = {
  aborted: 'Stopped. What was said so far is kept.',
  'max-steps': 'Stopped: the model has taken as many steps as it may. Say "go on" to let it.',
  'max-cost': 'Stopped: the limit of cost is reached.',
  declined: 'The model declined to answer.',
  error: 'Stopped by an error.',
};
