// The conversation on the screen: events of a run, or stored messages, become views one below the other.
import type { AgentEvent } from '../../agent/event.ts';
import type { Block } from '../../content/block.ts';
import { isMedia } from '../../content/block.ts';
import { visible } from '../../content/visible.ts';
import type { Message } from '../../message/message.ts';
import type { Component } from '../kit.ts';
import { Container } from '../kit.ts';
import { callView, textView, thinkingView } from './answer.ts';
import type { CallView, TextView } from './answer.ts';
import { mediaView } from './media.ts';
import type { Pager } from './media.ts';
import { block as wrapped, view } from './view.ts';
import type { Scene } from './view.ts';

export type NoteKind = 'plain' | 'warn' | 'bad';

export type Conversation = {
  component: Component;
  /** What the person said, with what she attached. */
  said: (content: readonly Block[]) => void;
  event: (event: AgentEvent) => void;
  /** A line of ours between the messages. */
  note: (text: string, kind?: NoteKind) => void;
  /** Messages of an earlier day. */
  replay: (messages: readonly Message[]) => void;
  media: (block: Block) => void;
  /** The newest document with pages. */
  pager: () => Pager | undefined;
  clear: () => void;
};

export function conversationView(scene: Scene): Conversation {
  const component = new Container();
  const { theme } = scene;
  let pager: Pager | undefined;
  /** Views of the answer that is arriving, by the index of their block; a restart takes them back. */
  let arriving = new Map<number, TextView>();
  let ofAnswer: Component[] = [];
  const calls = new Map<string, CallView>();

  const add = (child: Component): void => component.addChild(child);
  const gap = (): void => add(view(() => ['']));
  const lines = (text: string, paint: (text: string) => string, margin: string): void =>
    add(view((width) => wrapped(text, width, paint, margin)));
  const note = (text: string, kind: NoteKind = 'plain'): void =>
    lines(visible(text), kind === 'plain' ? theme.dim : kind === 'warn' ? theme.warn : theme.bad, ' ');

  const said = (content: readonly Block[]): void => {
    gap();
    for (const block of content) {
      if (isMedia(block)) media(block);
      else if (block.type === 'text') lines(visible(shortened(block.text)), theme.own, ' › ');
    }
  };

  const media = (block: Block): void => {
    if (!isMedia(block)) return;
    const shown = mediaView(block, scene);
    add(shown.component);
    pager = shown.pager ?? pager;
  };

  const begin = (index: number, block: Block): void => {
    if (block.type !== 'text' && block.type !== 'thinking') return;
    const started = block.type === 'text' ? textView(scene) : thinkingView(scene);
    if (block.text !== '') started.add(block.text);
    const spacer = view(() => ['']);
    arriving.set(index, started);
    ofAnswer.push(spacer, started.component);
    add(spacer);
    add(started.component);
  };

  const card = (block: Block): CallView | undefined => {
    if (block.type !== 'call') return undefined;
    const made = callView(block, scene, (found) => (pager = found));
    gap();
    add(made.component);
    calls.set(block.id, made);
    return made;
  };

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
        note(`${happened.why} Asking ${happened.model} again.`, 'warn');
        break;
      case 'call-start':
        card(happened.call);
        break;
      case 'call-progress':
        calls.get(happened.call.id)?.progress(happened.text);
        break;
      case 'call-end':
        calls.get(happened.call.id)?.end(happened.result, happened.ms);
        break;
      case 'request-healed':
        note(happened.why, 'warn');
        break;
      case 'history-compacted':
        note(`${happened.messages} earlier messages are now sent as a summary.`);
        break;
      default:
    }
    scene.redraw();
  };

  const replay = (messages: readonly Message[]): void => {
    for (const message of messages) {
      if (message.role === 'user') said(message.content);
      else if (message.role === 'tool') calls.get(message.callId)?.end(message, 0);
      else {
        message.content.forEach((block, index) => {
          if (block.type === 'call') card(block);
          else begin(index, block);
        });
      }
    }
  };

  const clear = (): void => {
    component.clear();
    pager = undefined;
  };
  return { component, said, event, note, replay, media, pager: () => pager, clear };
}

/** A file pasted as text is not shown twice over: its head is enough. */
function shortened(text: string): string {
  const all = text.split('\n');
  return all.length <= 12 ? text : [...all.slice(0, 10), `… ${all.length - 10} more lines`].join('\n');
}
