// Events as Anthropic's Messages API streams them, and whole messages as it answers without a stream.
import type { Block } from '../../content/block.ts';
import type { MessageError } from '../../message/error.ts';
import type { AssistantMessage, Stop, Usage } from '../../message/message.ts';
import { follow, markOf, ownItem, serverSent, statusOf } from '../emitter.ts';
import type { EmitOptions, Emitter } from '../emitter.ts';
import { argumentsObject } from '../spelling.ts';

const wire = 'anthropic-messages';

export function emit({ model, id = 'msg_1', mark = false }: EmitOptions): Emitter {
  const blocks = follow((block) => itemOf(block) !== undefined);
  const head = { id, type: 'message', role: 'assistant', model };
  const noUsage = { input_tokens: 0, output_tokens: 0 };
  return {
    push: (event) => {
      switch (event.type) {
        case 'message-start': {
          const message = { ...head, content: [], stop_reason: null, stop_sequence: null, usage: noUsage };
          return [frame({ type: 'message_start', message })];
        }
        case 'block-start': {
          const open = blocks.start(event.index, event.block);
          return open && comesInPieces(open.block) ? [begin(open.place, begun(open.block))] : [];
        }
        case 'block-delta': {
          const open = blocks.delta(event.index, event.text);
          return open ? [delta(open.place, piece(open.block, event.text))] : [];
        }
        case 'block-end': {
          const done = blocks.end(event.index, event.block);
          if (!done) return [];
          const stop = frame({ type: 'content_block_stop', index: done.place });
          if (!comesInPieces(done.block)) return [begin(done.place, itemOf(done.block) ?? {}), stop];
          const more = done.rest === '' ? [] : [piece(done.block, done.rest)];
          const pieces = [...more, ...seals(done.block, mark)].map((one) => delta(done.place, one));
          return [...pieces, stop];
        }
        case 'message-extra':
          return [];
        case 'message-end':
          return [
            frame({
              type: 'message_delta',
              delta: { stop_reason: stopReason(event.stop), stop_sequence: null },
              usage: event.usage ? usageOf(event.usage) : noUsage,
            }),
            frame({ type: 'message_stop' }),
          ];
        case 'message-error':
          return [frame(errorBody(event))];
      }
    },
    end: () => [],
    whole: (message) => {
      if ('type' in message)
        return {
          status: message.code === 'overloaded' ? (message.status ?? 529) : statusOf(message),
          body: errorBody(message),
        };
      return { status: 200, body: { ...head, ...answered(message, noUsage, mark) } };
    },
  };
}

function answered(message: AssistantMessage, noUsage: object, mark: boolean): object {
  const marked = (block: Block): object | undefined => {
    const item = itemOf(block);
    return mark && block.type === 'thinking' && !ownItem(block, wire)
      ? { ...item, signature: markOf(block.text) }
      : item;
  };
  return {
    content: message.content.map(marked).filter((item) => item !== undefined),
    stop_reason: stopReason(message.stop ?? 'end'),
    stop_sequence: null,
    usage: message.usage ? usageOf(message.usage) : noUsage,
  };
}

function frame(data: { type: string; [field: string]: unknown }): string {
  return serverSent(data, data.type);
}

function begin(index: number, item: object): string {
  return frame({ type: 'content_block_start', index, content_block: item });
}

function delta(index: number, change: object): string {
  return frame({ type: 'content_block_delta', index, delta: change });
}

/** A whole block in this wire's spelling; media, and items of other providers, have none. */
function itemOf(block: Block): object | undefined {
  const own = ownItem(block, wire);
  if (own) return own;
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', thinking: block.text, signature: '' };
    case 'call':
      return { type: 'tool_use', id: block.id, name: block.name, input: argumentsObject(block.input) };
    default:
      return undefined;
  }
}

/** Words, thoughts and calls have deltas. An item that is only passed on comes whole. That a thought of another provider is
 * hidden shows only at its end. */
function comesInPieces(block: Block): boolean {
  if (block.type === 'thinking') return ownItem(block, wire)?.['type'] !== 'redacted_thinking';
  return block.type === 'text' || block.type === 'call';
}

/** A block that comes in pieces, before the first of them; with what else is known of it. */
function begun(block: Block): object {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'call':
      return { ...ownItem(block, wire), type: 'tool_use', id: block.id, name: block.name, input: {} };
    default:
      return {};
  }
}

function piece(block: Block, text: string): object {
  switch (block.type) {
    case 'thinking':
      return { type: 'thinking_delta', thinking: text };
    case 'call':
      return { type: 'input_json_delta', partial_json: text };
    default:
      return { type: 'text_delta', text };
  }
}

/** What stands on a block beside its words: the signature of a thought, the citations of a text. */
function seals(block: Block, mark: boolean): object[] {
  const { signature, citations } = ownItem(block, wire) ?? {};
  if (block.type === 'thinking' && typeof signature === 'string') return [{ type: 'signature_delta', signature }];
  if (block.type === 'thinking' && mark) return [{ type: 'signature_delta', signature: markOf(block.text) }];
  if (block.type !== 'text' || !Array.isArray(citations)) return [];
  return citations.map((citation: unknown) => ({ type: 'citations_delta', citation }));
}

const reasons: Record<Stop, string> = {
  end: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  paused: 'pause_turn',
  declined: 'refusal',
  aborted: 'end_turn',
  error: 'end_turn',
};

function stopReason(stop: Stop): string {
  return reasons[stop];
}

/** Anthropic counts what came from or went into its cache apart from the rest. */
function usageOf({ inputTokens, outputTokens, cachedTokens, writtenTokens }: Usage): object {
  return {
    input_tokens: Math.max(0, inputTokens - (cachedTokens ?? 0) - (writtenTokens ?? 0)),
    ...(cachedTokens !== undefined && { cache_read_input_tokens: cachedTokens }),
    ...(writtenTokens !== undefined && { cache_creation_input_tokens: writtenTokens }),
    output_tokens: outputTokens,
  };
}

const errorTypes = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

const tooLong = 'prompt is too long';

function errorBody(error: MessageError): { type: 'error'; error: object } {
  const status = statusOf(error);
  const type = errorTypes.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  // Clients know by these words that they have to sum up.
  const isTold = error.code !== 'context' || error.message.includes(tooLong);
  return { type: 'error', error: { type, message: isTold ? error.message : `${tooLong}: ${error.message}` } };
}
