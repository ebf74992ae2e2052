// Events as the lines of JSON that Ollama's /api/chat streams, and whole answers. Thoughts and words have a field each;
// a call comes in one piece.
import type { Block, CallBlock } from '../../content/block.ts';
import type { MessageError } from '../../message/error.ts';
import type { Stop, Usage } from '../../message/message.ts';
import { callsOf, follow, statusOf, textOfMessage } from '../emitter.ts';
import type { EmitOptions, Emitter } from '../emitter.ts';
import { argumentsObject } from '../spelling.ts';

export function emit({ model, created = '1970-01-01T00:00:00Z' }: EmitOptions): Emitter {
  const head = { model, created_at: created };
  const blocks = follow((block) => block.type === 'text' || block.type === 'thinking' || block.type === 'call');
  const line = (message: object): string =>
    frame({ ...head, message: { role: 'assistant', content: '', ...message }, done: false });
  let calls = 0;
  return {
    push: (event) => {
      switch (event.type) {
        case 'message-start':
        case 'message-extra':
          return [];
        case 'block-start':
          blocks.start(event.index, event.block);
          return [];
        case 'block-delta': {
          const open = blocks.delta(event.index, event.text);
          return !open || open.block.type === 'call' ? [] : [line(words(open.block, event.text))];
        }
        case 'block-end': {
          const done = blocks.end(event.index, event.block);
          if (!done) return [];
          if (done.block.type === 'call') return [line({ tool_calls: [callItem(done.block, calls++)] })];
          return done.rest === '' ? [] : [line(words(done.block, done.rest))];
        }
        case 'message-end':
          return [
            frame({ ...head, message: { role: 'assistant', content: '' }, ...finished(event.stop, event.usage) }),
          ];
        case 'message-error':
          return [frame(errorBody(event))];
      }
    },
    end: () => [],
    whole: (message) => {
      if ('type' in message) return { status: statusOf(message), body: errorBody(message) };
      const thoughts = textOfMessage(message, 'thinking');
      const tool_calls = callsOf(message).map(callItem);
      const said = {
        role: 'assistant',
        content: textOfMessage(message, 'text'),
        ...(thoughts !== '' && { thinking: thoughts }),
        ...(tool_calls.length > 0 && { tool_calls }),
      };
      return { status: 200, body: { ...head, message: said, ...finished(message.stop ?? 'end', message.usage) } };
    },
  };
}

function frame(data: object): string {
  return `${JSON.stringify(data)}\n`;
}

function words(block: Block, text: string): object {
  return block.type === 'thinking' ? { thinking: text } : { content: text };
}

function callItem({ id, name, input }: CallBlock, index: number): object {
  return { id, function: { index, name, arguments: argumentsObject(input) } };
}

/** Times are in nanoseconds; nobody measured any here. */
function finished(stop: Stop, usage: Usage | undefined): object {
  return {
    done: true,
    done_reason: stop === 'length' ? 'length' : 'stop',
    total_duration: 0,
    load_duration: 0,
    ...(usage && { prompt_eval_count: usage.inputTokens, prompt_eval_duration: 0 }),
    ...(usage && { eval_count: usage.outputTokens, eval_duration: 0 }),
  };
}

function errorBody(error: MessageError): object {
  return { error: error.message };
}
