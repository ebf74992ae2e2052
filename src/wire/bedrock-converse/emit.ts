// Events as Amazon Bedrock's Converse API streams them, in its binary framing, and whole answers.
import type { Block } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import type { MessageError } from '../../message/error.ts';
import type { Stop, Usage } from '../../message/message.ts';
import { follow, markOf, ownItem, statusOf } from '../emitter.ts';
import type { EmitOptions, Emitter } from '../emitter.ts';
import { eventMessage } from '../framing/event-stream.ts';
import { argumentsObject } from '../spelling.ts';

const wire = 'bedrock-converse';

export function emit({ mark = false }: EmitOptions): Emitter {
  const blocks = follow((block) => itemOf(block, mark) !== undefined);
  return {
    push: (event) => {
      switch (event.type) {
        case 'message-start':
          return [frame('messageStart', { role: 'assistant' })];
        case 'block-start': {
          const open = blocks.start(event.index, event.block);
          if (open?.block.type !== 'call') return [];
          const { id, name } = open.block;
          return [
            frame('contentBlockStart', { contentBlockIndex: open.place, start: { toolUse: { toolUseId: id, name } } }),
          ];
        }
        case 'block-delta': {
          const open = blocks.delta(event.index, event.text);
          return open ? [piece(open.place, deltaOf(open.block, event.text))] : [];
        }
        case 'block-end': {
          const done = blocks.end(event.index, event.block);
          if (!done) return [];
          const more = done.rest === '' ? [] : [deltaOf(done.block, done.rest)];
          const pieces = [...more, ...seals(done.block, mark)].map((delta) => piece(done.place, delta));
          return [...pieces, frame('contentBlockStop', { contentBlockIndex: done.place })];
        }
        case 'message-extra':
          return [];
        case 'message-end':
          return [
            frame('messageStop', { stopReason: reasons[event.stop] }),
            frame('metadata', { usage: usageOf(event.usage), metrics: { latencyMs: 0 } }),
          ];
        case 'message-error':
          return [exception(event)];
      }
    },
    end: () => [],
    whole: (message) => {
      if ('type' in message) {
        const status = statusOf(message);
        return { status, body: { __type: exceptionName(status), message: message.message } };
      }
      const content = message.content.map((block) => itemOf(block, mark)).filter((item) => item !== undefined);
      const body = {
        output: { message: { role: 'assistant', content } },
        stopReason: reasons[message.stop ?? 'end'],
        usage: usageOf(message.usage),
        metrics: { latencyMs: 0 },
      };
      return { status: 200, body };
    },
  };
}

function frame(name: string, payload: object): Uint8Array {
  const headers = { ':event-type': name, ':content-type': 'application/json', ':message-type': 'event' };
  return eventMessage(headers, JSON.stringify(payload));
}

function piece(contentBlockIndex: number, delta: object): Uint8Array {
  return frame('contentBlockDelta', { contentBlockIndex, delta });
}

/** A whole block in this wire's spelling; media, and items of other providers, have none. */
function itemOf(block: Block, mark: boolean): object | undefined {
  const own = ownItem(block, wire);
  if (own) return own;
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'thinking':
      return {
        reasoningContent: { reasoningText: { text: block.text, ...(mark && { signature: markOf(block.text) }) } },
      };
    case 'call':
      return { toolUse: { toolUseId: block.id, name: block.name, input: argumentsObject(block.input) } };
    default:
      return undefined;
  }
}

function deltaOf(block: Block, text: string): object {
  if (block.type === 'call') return { toolUse: { input: text } };
  return block.type === 'thinking' ? { reasoningContent: { text } } : { text };
}

/** What stands on a block beside its words: the signature of a thought, bytes in its place, the sources of a text. */
function seals(block: Block, mark: boolean): object[] {
  const { reasoningContent, citationsContent } = ownItem(block, wire) ?? {};
  if (isRecord(citationsContent) && Array.isArray(citationsContent['citations']))
    return citationsContent['citations'].map((citation: unknown) => ({ citation }));
  if (block.type !== 'thinking') return [];
  if (!isRecord(reasoningContent)) return mark ? [{ reasoningContent: { signature: markOf(block.text) } }] : [];
  const { reasoningText, redactedContent } = reasoningContent;
  if (redactedContent !== undefined) return [{ reasoningContent: { redactedContent } }];
  return isRecord(reasoningText) ? [{ reasoningContent: { signature: reasoningText['signature'] } }] : [];
}

const reasons: Record<Stop, string> = {
  end: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  paused: 'end_turn',
  declined: 'content_filtered',
  aborted: 'end_turn',
  error: 'end_turn',
};

function usageOf({ inputTokens = 0, outputTokens = 0, cachedTokens, writtenTokens }: Partial<Usage> = {}): object {
  return {
    inputTokens: Math.max(0, inputTokens - (cachedTokens ?? 0) - (writtenTokens ?? 0)),
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...(cachedTokens !== undefined && { cacheReadInputTokens: cachedTokens }),
    ...(writtenTokens !== undefined && { cacheWriteInputTokens: writtenTokens }),
  };
}

const exceptions = new Map([
  [401, 'AccessDeniedException'],
  [403, 'AccessDeniedException'],
  [404, 'ResourceNotFoundException'],
  [408, 'ModelTimeoutException'],
  [429, 'ThrottlingException'],
  [503, 'ServiceUnavailableException'],
  [529, 'ServiceUnavailableException'],
]);

function exceptionName(status: number): string {
  return exceptions.get(status) ?? (status >= 500 ? 'InternalServerException' : 'ValidationException');
}

function exception(error: MessageError): Uint8Array {
  const name = exceptionName(statusOf(error));
  const headers = {
    ':exception-type': name.charAt(0).toLowerCase() + name.slice(1),
    ':content-type': 'application/json',
    ':message-type': 'exception',
  };
  return eventMessage(headers, JSON.stringify({ message: error.message }));
}
