// Events as Gemini streams them (server-sent events, one part each), and whole answers of generateContent. A call comes
// in one piece; a signature that stands on words comes with the last of them.
import type { Block } from '../../content/block.ts';
import type { MessageError } from '../../message/error.ts';
import type { Stop, Usage } from '../../message/message.ts';
import { follow, ownItem, statusOf } from '../emitter.ts';
import type { EmitOptions, Emitter } from '../emitter.ts';
import { argumentsObject } from '../spelling.ts';

const wire = 'gemini';

export function emit({ model, id = 'response-1' }: EmitOptions): Emitter {
  const blocks = follow((block) => partOf(block) !== undefined);
  const tail = { modelVersion: model, responseId: id };
  const chunk = (parts: object[], end: object = {}, usage: object = {}): string =>
    frame({ candidates: [{ content: { parts, role: 'model' }, index: 0, ...end }], ...usage, ...tail });
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
          return !open || open.block.type === 'call' ? [] : [chunk([words(open.block, event.text)])];
        }
        case 'block-end': {
          const done = blocks.end(event.index, event.block);
          const whole = done && partOf(done.block);
          if (!done || !whole) return [];
          if (done.block.type === 'call' || done.sent === '') return [chunk([whole])];
          const signature = ownItem(done.block, wire)?.['thoughtSignature'];
          if (done.rest === '' && signature === undefined) return [];
          return [
            chunk([
              { ...words(done.block, done.rest), ...(signature !== undefined && { thoughtSignature: signature }) },
            ]),
          ];
        }
        case 'message-end': {
          const usage = event.usage ? { usageMetadata: usageOf(event.usage) } : {};
          return [chunk([{ text: '' }], { finishReason: finishReason(event.stop) }, usage)];
        }
        case 'message-error':
          // Google's SDK before 2 takes an error for an empty answer unless it stands bare, as the last of a stream.
          return [frame(errorBody(event)), JSON.stringify(errorBody(event))];
      }
    },
    end: () => [],
    whole: (message) => {
      if ('type' in message) return { status: statusOf(message), body: errorBody(message) };
      const parts = message.content.map(partOf).filter((part) => part !== undefined);
      const finished = { finishReason: finishReason(message.stop ?? 'end'), index: 0 };
      const usage = message.usage ? { usageMetadata: usageOf(message.usage) } : {};
      const body = { candidates: [{ content: { parts, role: 'model' }, ...finished }], ...usage, ...tail };
      return { status: 200, body };
    },
  };
}

function frame(data: object): string {
  return `data: ${JSON.stringify(data)}\r\n\r\n`;
}

function words(block: Block, text: string): object {
  return block.type === 'thinking' ? { text, thought: true } : { text };
}

/** A whole block as a part; media, and items of other providers, have none. */
function partOf(block: Block): object | undefined {
  const own = ownItem(block, wire);
  if (own) return own;
  switch (block.type) {
    case 'text':
    case 'thinking':
      return words(block, block.text);
    case 'call':
      return { functionCall: { id: block.id, name: block.name, args: argumentsObject(block.input) } };
    default:
      return undefined;
  }
}

const reasons: Record<Stop, string> = {
  end: 'STOP',
  calls: 'STOP',
  length: 'MAX_TOKENS',
  paused: 'STOP',
  declined: 'SAFETY',
  aborted: 'OTHER',
  error: 'OTHER',
};

function finishReason(stop: Stop): string {
  return reasons[stop];
}

function usageOf({ inputTokens, outputTokens, cachedTokens, media }: Usage): object {
  const rows = Object.entries(media ?? {}).map(([kind, tokenCount]) => ({ modality: kind.toUpperCase(), tokenCount }));
  const text = inputTokens - rows.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens,
    totalTokenCount: inputTokens + outputTokens,
    ...(cachedTokens !== undefined && { cachedContentTokenCount: cachedTokens }),
    ...(media && { promptTokensDetails: [{ modality: 'TEXT', tokenCount: text }, ...rows] }),
  };
}

const names = new Map([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);

/** Gemini says in the body how long to wait. */
function errorBody(error: MessageError): object {
  const code = statusOf(error);
  const status = names.get(code) ?? (code >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
  const wait = {
    '@type': 'type.googleapis.com/google.rpc.RetryInfo',
    retryDelay: `${(error.retryAfter ?? 0) / 1000}s`,
  };
  return {
    error: { code, message: error.message, status, ...(error.retryAfter !== undefined && { details: [wait] }) },
  };
}
