// Events as the chunks of OpenAI's Chat Completions API, and whole completions. Thoughts stand in `reasoning_content`,
// as the servers that have any hand them out.
import type { Block, CallBlock } from '../../content/block.ts';
import type { AssistantMessage, Stop, Usage } from '../../message/message.ts';
import { callsOf, follow, openaiError, ownItem, serverSent, statusOf, textOfMessage } from '../emitter.ts';
import type { EmitOptions, Emitter } from '../emitter.ts';
import { argumentsText } from '../spelling.ts';

const wire = 'openai-chat';

export function emit({ model, id = 'chatcmpl-1', created = '1970-01-01', usage = true }: EmitOptions): Emitter {
  const head = { id, created: Math.floor(Date.parse(created) / 1000), model };
  const blocks = follow((block) => block.type === 'text' || block.type === 'thinking' || block.type === 'call');
  const places = new Map<number, number>();
  let complete = false;
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    serverSent({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    });
  return {
    push: (event) => {
      switch (event.type) {
        case 'message-start':
          return [chunk({ role: 'assistant', content: '', refusal: null })];
        case 'block-start': {
          const open = blocks.start(event.index, event.block);
          if (open?.block.type !== 'call') return [];
          places.set(open.place, places.size);
          const { id: callId, name } = open.block;
          const call = {
            index: places.get(open.place),
            id: callId,
            type: 'function',
            function: { name, arguments: '' },
          };
          return [chunk({ tool_calls: [call] })];
        }
        case 'block-delta': {
          const open = blocks.delta(event.index, event.text);
          return open ? [chunk(piece(open.block, event.text, places.get(open.place)))] : [];
        }
        case 'block-end': {
          const done = blocks.end(event.index, event.block);
          if (!done) return [];
          const more = done.rest === '' ? [] : [chunk(piece(done.block, done.rest, places.get(done.place)))];
          const fields = done.block.type === 'call' ? {} : otherFields(done.block);
          return Object.keys(fields).length > 0 ? [...more, chunk(fields)] : more;
        }
        case 'message-extra':
          return [];
        case 'message-end': {
          complete = true;
          const last = chunk({}, finishReason(event.stop));
          if (!event.usage || !usage) return [last];
          const total = { ...head, object: 'chat.completion.chunk', choices: [], usage: usageOf(event.usage) };
          return [last, serverSent(total)];
        }
        case 'message-error':
          return [serverSent({ error: openaiError(event) })];
      }
    },
    end: () => (complete ? ['data: [DONE]\n\n'] : []),
    whole: (message) => {
      if ('type' in message) return { status: statusOf(message), body: { error: openaiError(message) } };
      return { status: 200, body: { ...head, ...answered(message) } };
    },
  };
}

function answered(message: AssistantMessage): object {
  const calls = callsOf(message).map(callItem);
  const text = textOfMessage(message, 'text');
  const thoughts = textOfMessage(message, 'thinking');
  const items = message.content.flatMap((block) => (block.type === 'call' ? [] : (ownItem(block, wire) ?? [])));
  const sealed = items.length > 0 && Object.assign({}, ...items);
  return {
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          ...(sealed || (thoughts !== '' && { reasoning_content: thoughts })),
          ...(!(sealed && 'content' in sealed) && { content: text === '' && calls.length > 0 ? null : text }),
          refusal: null,
          annotations: [],
          ...(calls.length > 0 && { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: finishReason(message.stop ?? 'end'),
      },
    ],
    ...(message.usage && { usage: usageOf(message.usage) }),
  };
}

function callItem(call: CallBlock): object {
  const own = ownItem(call, wire);
  const { id, name, input } = call;
  return own ?? { id, type: 'function', function: { name, arguments: argumentsText(input) } };
}

function piece(block: Block, text: string, index: number | undefined): object {
  switch (block.type) {
    case 'call':
      return { tool_calls: [{ index, function: { arguments: text } }] };
    case 'thinking':
      return { reasoning_content: text };
    default:
      return { content: text };
  }
}

/** What a server handed out beside the words, under the names it used. The words themselves went out before. */
function otherFields(block: Block): Record<string, unknown> {
  const text = block.type === 'thinking' ? block.text : undefined;
  const fields = Object.entries(ownItem(block, wire) ?? {});
  return Object.fromEntries(fields.filter(([field, value]) => value !== text && field !== 'content'));
}

const reasons: Record<Stop, string> = {
  end: 'stop',
  calls: 'tool_calls',
  length: 'length',
  paused: 'stop',
  declined: 'content_filter',
  aborted: 'stop',
  error: 'stop',
};

function finishReason(stop: Stop): string {
  return reasons[stop];
}

function usageOf({ inputTokens, outputTokens, cachedTokens, writtenTokens }: Usage): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: {
      ...(cachedTokens !== undefined && { cached_tokens: cachedTokens }),
      ...(writtenTokens !== undefined && { cache_write_tokens: writtenTokens }),
    },
  };
}
