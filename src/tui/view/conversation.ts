// The conversation on the screen: events of a run, or stored messages, become views one below the other.
import type { AgentEvent } from '../../agent/event.ts';
import { refusalText } from '../../content/refusal.ts';
import type { Block, CallBlock } from '../../content/block.ts';
import { isMedia } from '../../content/block.ts';
import { describeAsset, describeMedia, ownWordsAt } from '../../content/words.ts';
import { shownLine, shownText } from '../shown.ts';
import { attachedByAnswer } from '../../message/attached.ts';
import type { Attached } from '../../message/attached.ts';
import type { Message } from '../../message/message.ts';
import type { ToolMessage } from '../../tool/result.ts';
import type { Component } from '../kit.ts';
import { Container, visibleWidth } from '../kit.ts';
import { healedLine, restartLine, retryLine } from '../receipts.ts';
import type { Theme } from '../theme.ts';
import type { AssetStore } from '../../asset/store.ts';
import { callView, thinkingView } from './answer.ts';
import type { CallView } from './answer.ts';
import { growingMarkdown } from './markdown.ts';
import type { TextView } from './markdown.ts';
import { mediaView } from './media.ts';
import type { Pager } from './media.ts';
import { block as wrapped, line, still } from './view.ts';
import type { Scene } from './view.ts';

type NoteKind = 'plain' | 'warn' | 'bad';

export type ListRow = readonly [name: string, words: string];

export type ConversationView = {
  /** What the person said, with what she attached. What it gives takes that off the screen again. */
  said: (content: readonly Block[]) => () => void;
  event: (event: AgentEvent) => void;
  /** A line of ours between the messages. */
  note: (text: string, kind?: NoteKind) => void;
  /** Names with what there is to say about each, in two columns. */
  list: (rows: readonly ListRow[]) => void;
  /** Messages of an earlier day. */
  replay: (messages: readonly Message[]) => void;
  media: (block: Block) => void;
  /** The newest document with pages. */
  pager: () => Pager | undefined;
  /** Begins anew, with the media of another session. */
  clear: (assets: AssetStore) => void;
};

/** Views one below the other, and the plainest of them: empty lines, lines, notes, lists. */
function viewColumn(theme: Theme): Column {
  const component = new Container();
  const add = (child: Component): void => component.addChild(child);
  const gap = (): void => add(still(() => ['']));
  const lines = (text: string, paint: (text: string) => string, margin: string): void =>
    add(still((width) => wrapped(text, width, paint, margin)));
  const note = (text: string, kind: NoteKind = 'plain'): void =>
    lines(shownText(text), kind === 'plain' ? theme.dim : kind === 'warn' ? theme.warn : theme.bad, ' ');
  const list = (rows: readonly ListRow[]): void => {
    gap();
    add(still((width) => listLines(rows, width, theme)));
  };
  return { component, add, gap, lines, note, list };
}

type Column = Pick<ConversationView, 'note' | 'list'> & {
  component: Container;
  add: (child: Component) => void;
  gap: () => void;
  lines: (text: string, paint: (text: string) => string, margin: string) => void;
};

export function conversationView(scene: Scene): ConversationView & { component: Component } {
  const { theme } = scene;
  const { component, add, gap, lines, note, list } = viewColumn(theme);
  let pager: Pager | undefined;
  /** Views of the answer that is arriving, by the index of their block; a restart takes them back. */
  let arriving = new Map<number, TextView>();
  let ofAnswer: Component[] = [];
  const calls = new Map<string, CallView>();

  const said = (content: readonly Block[], drawn = true): (() => void) => {
    const first = component.children.length;
    gap();
    const own = ownWordsAt(content);
    for (const [at, block] of content.entries()) {
      if (isMedia(block)) media(block, drawn);
      else if (block.type === 'reference') lines(shownText(`[${describeMedia(block)}]`), theme.dim, '   ');
      else if (block.type === 'text' && at < own) lines(shownText(shortened(block.text, 3)), theme.dim, '   ');
      else if (block.type === 'text') lines(shownText(shortened(block.text, 12)), theme.own, ' › ');
    }
    const shown = component.children.slice(first);
    return () => shown.forEach((child) => component.removeChild(child));
  };

  const media = (block: Block, drawn = true): void => {
    if (!isMedia(block)) return;
    const shown = mediaView(block, scene, drawn);
    add(shown.component);
    pager = shown.pager ?? pager;
  };

  const begin = (index: number, block: Block): void => {
    if (block.type !== 'text' && block.type !== 'thinking') return;
    const started = block.type === 'text' ? growingMarkdown(theme) : thinkingView(scene);
    if (block.text !== '') started.add(block.text);
    const spacer = still(() => ['']);
    arriving.set(index, started);
    ofAnswer.push(spacer, started.component);
    add(spacer);
    add(started.component);
  };

  const card = (call: CallBlock, drawn = true): void => {
    const made = callView(call, scene, (found) => (pager = found), drawn);
    gap();
    add(made.component);
    calls.set(call.id, made);
  };

  const { late, shown } = besideAnswers({ note, gap, lines }, theme, media);

  const event = (happened: AgentEvent): void => {
    switch (happened.type) {
      case 'message-start':
        arriving = new Map();
        ofAnswer = [];
        break;
      case 'block-start':
        begin(happened.index, happened.block);
        break;
      case 'block-delta':
        arriving.get(happened.index)?.add(happened.text);
        break;
      case 'step-restart':
        for (const child of ofAnswer) component.removeChild(child);
        note(restartLine(happened), 'warn');
        break;
      case 'call-start':
        card(happened.call);
        break;
      case 'call-progress':
        calls.get(happened.call.id)?.progress(happened.text, happened.content);
        break;
      case 'call-end':
        calls.get(happened.call.id)?.end(happened.result, happened.ms);
        break;
      case 'block-end':
        media(happened.block); // a picture that the model made
        break;
      case 'run-end':
        for (const one of happened.attachments ?? []) shown(one);
        break;
      case 'message-added':
        if (happened.message.role === 'tool' && happened.message.late) late(happened.message);
        break;
      default: {
        const told = noteOf(happened);
        if (told) note(...told);
      }
    }
    scene.redraw();
  };

  const replay = (messages: readonly Message[]): void => {
    const answers = attachedByAnswer(messages);
    for (const [index, message] of messages.entries()) {
      const drawn = index >= messages.length - drawnMessages;
      if (message.role === 'user') said(message.content, drawn);
      else if (message.role === 'tool' && message.late) late(message, drawn);
      else if (message.role === 'tool') calls.get(message.callId)?.end(message);
      else {
        message.content.forEach((block, at) => {
          if (block.type === 'call') card(block, drawn);
          else if (isMedia(block)) media(block, drawn);
          else begin(at, block);
        });
        for (const one of answers.find(({ answer }) => answer === message)?.attached ?? []) shown(one, drawn);
      }
    }
  };

  const clear = (assets: AssetStore): void => {
    component.clear();
    calls.clear();
    arriving.clear();
    ofAnswer = [];
    pager = undefined;
    scene.assets = assets;
  };
  return { component, said, event, note, list, replay, media, pager: () => pager, clear };
}

/** What comes behind calls and answers: results that came late, and what goes with an answer. */
function besideAnswers(
  { note, gap, lines }: Pick<Column, 'note' | 'gap' | 'lines'>,
  { dim }: Theme,
  media: (block: Block, drawn: boolean) => void,
): { late: (message: ToolMessage, drawn?: boolean) => void; shown: (one: Attached, drawn?: boolean) => void } {
  const quietly = (text: string): void => lines(shownText(text), dim, '   ');
  return {
    late: ({ name, content }, drawn = true) => {
      gap();
      note(`${name} gave its result after its time was over; the model reads it now.`);
      for (const block of content)
        if (block.type === 'text') quietly(shortened(block.text, 3));
        else media(block, drawn);
    },
    shown: (one, drawn = true) => {
      gap();
      if (one.type === 'file') quietly(`[${describeAsset(one.asset)}]`);
      else media(one, drawn);
    },
  };
}

/** What happens to a request, in a line that stays. */
function noteOf(event: AgentEvent): [text: string, kind?: NoteKind] | undefined {
  switch (event.type) {
    case 'request-probed': {
      const { media, suspects, taken } = event;
      return [`Looking for what was refused: ${media} of ${suspects} were ${taken ? 'taken' : 'refused'}.`];
    }
    case 'request-retry':
      return [retryLine(event), 'warn'];
    case 'media-refused':
      return [refusalText(event.refusal), 'warn'];
    case 'request-healed':
      return [healedLine(event.why), 'warn'];
    case 'request-unseen':
      return [event.why, 'warn'];
    case 'history-compacted':
      return [`${event.messages} earlier messages are now sent as a summary.`];
    default:
      return undefined;
  }
}

const widestName = 30;

/** The names as wide as the widest of them; what is said about each stays beside it. */
function listLines(rows: readonly ListRow[], width: number, { bold, dim }: Theme): string[] {
  const names = rows.map(([name]) => line(shownLine(name), Math.min(widestName, Math.max(1, width - 2))));
  const column = Math.max(0, ...names.map(visibleWidth));
  return rows.flatMap(([, words], at) => {
    const name = names[at] ?? '';
    const room = width - column - 4;
    if (room < column) return [` ${bold(name)}`, ...wrapped(shownText(words), width, dim, '   ')];
    const [first = '', ...more] = wrapped(shownText(words), room, dim);
    const beside = ` ${bold(name)}${' '.repeat(column - visibleWidth(name))}  ${first}`;
    return [beside, ...more.map((text) => `${' '.repeat(column + 3)}${text}`)];
  });
}

/** Pictures of messages before these are named, not drawn. */
const drawnMessages = 8;

/** Of a long text that the person knows, its head is enough. */
function shortened(text: string, most: number): string {
  const all = text.trimEnd().split('\n');
  return all.length <= most ? text : [...all.slice(0, most - 1), `… ${all.length - most + 1} more lines`].join('\n');
}
