// What goes on at the moment, in a few words and with its time: for the one line that tells a person it is alive.
import { clipped } from '../content/text.ts';
import type { AgentEvent } from '../agent/event.ts';
import { byteText } from '../content/figures.ts';
import { visibleLine } from '../content/visible.ts';

export type Activity = {
  /** Something begins; nothing, when all is done. */
  begin: (words?: string) => void;
  /** How far it is. */
  far: (words: string) => void;
  /** Follows a run. */
  event: (event: AgentEvent) => void;
  /** A call that waited for a person runs now. */
  allowed: (callId: string) => void;
  /** Such as `waiting for ollama/qwen3-vl · 4 s`; nothing when nothing goes on. */
  words: () => string | undefined;
};

type Doing = { words: string; since: number; far?: string; until?: number };

/** Beyond this the size of a request is told: sending it takes a while. */
const largeRequest = 1_000_000;
const longestFar = 60;

export function activity(now: () => number = Date.now): Activity {
  let doing: Doing | undefined;
  let model = '';
  let written = 0;
  const calls = new Map<string, Doing & { name: string }>();
  const begin = (words?: string): void => void (doing = words === undefined ? undefined : { words, since: now() });
  const current = (): Doing | undefined => {
    const [first, ...others] = calls.values();
    if (!first || others.length === 0) return first ?? doing;
    return { words: `${[first, ...others].map(({ name }) => name).join(', ')} run`, since: first.since };
  };

  const event = (happened: AgentEvent): void => {
    switch (happened.type) {
      case 'step-start':
      case 'step-restart':
        model = happened.model;
        begin(`waiting for ${model}`);
        break;
      case 'request-ready':
        if (happened.bytes >= largeRequest) begin(`waiting for ${model}, ${byteText(happened.bytes)} on the way`);
        break;
      case 'request-retry':
        doing = {
          words: `waiting for ${model}, try ${happened.attempt} of ${happened.of}`,
          since: now() + happened.ms,
          until: now() + happened.ms,
        };
        break;
      case 'request-probed':
      case 'request-healed':
        begin(`asking ${model} again`);
        break;
      case 'block-start':
        written = 0;
        begin(blockWords(happened.block, model));
        break;
      case 'block-delta':
        written += happened.text.length;
        if (happened.kind === 'call' && doing) doing.far = byteText(written);
        break;
      case 'call-start': {
        const { id, name } = happened.call;
        calls.set(id, { name, words: `${name} runs`, since: now() });
        break;
      }
      case 'call-progress': {
        const call = calls.get(happened.call.id);
        if (call) call.far = happened.text;
        break;
      }
      case 'call-end':
        calls.delete(happened.call.id);
        if (calls.size === 0) begin('working');
        break;
      case 'run-end':
        calls.clear();
        begin();
        break;
      default:
    }
  };

  return {
    begin,
    event,
    far: (words) => void (doing && (doing.far = words)),
    allowed: (callId) => {
      const call = calls.get(callId);
      if (call) call.since = now();
    },
    words: () => {
      const shown = current();
      return shown && wordsOf(shown, now());
    },
  };
}

function blockWords({ type, ...block }: Extract<AgentEvent, { type: 'block-start' }>['block'], model: string): string {
  if (type === 'thinking') return `${model} is thinking`;
  return type === 'call' && 'name' in block ? `${model} writes a call of ${block.name}` : `${model} answers`;
}

function wordsOf({ words, since, far, until }: Doing, now: number): string {
  const left = until === undefined ? 0 : Math.ceil((until - now) / 1000);
  if (left > 0) return `${visibleLine(words)}, in ${left} s`;
  const seconds = Math.floor((now - since) / 1000);
  const how = far === undefined ? '' : `: ${clipped(visibleLine(far), longestFar)}`;
  return `${visibleLine(words)}${how}${seconds > 0 ? ` · ${seconds} s` : ''}`;
}
