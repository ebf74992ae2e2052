// Events as OpenAI's Responses API streams them, and whole responses. Every block is an output item of its own; its
// frames open it, bring its words and close it, and the last frame tells the whole response again.
import type { Block } from '../../content/block.ts';
import type { Stop, Usage } from '../../message/message.ts';
import { follow, markOf, openaiError, ownItem, serverSent, statusOf } from '../emitter.ts';
import type { EmitOptions, Emitter } from '../emitter.ts';
import { ownCall } from './client-tools.ts';
import { begun, closing, itemOf, opening, piece } from './item.ts';
import type { Frame } from './item.ts';

export function emit({ model, id = 'resp_1', created = '1970-01-01', asked, mark = false }: EmitOptions): Emitter {
  const callOf = ownCall(asked);
  const whole = (block: Block, itemId: string): object | undefined =>
    (block.type === 'call' ? callOf(block, itemId) : undefined) ?? marked(block, itemOf(block, itemId));
  const marked = (block: Block, item: object | undefined): object | undefined =>
    mark && item && block.type === 'thinking' && !ownItem(block, 'openai-responses')
      ? { ...item, encrypted_content: markOf(block.text) }
      : item;
  const blocks = follow((block) => itemOf(block, '') !== undefined);
  const output: object[] = [];
  const ids = new Map<number, string>();
  let sequence = 0;
  let answering = false;
  const frames = (all: Frame[]): string[] =>
    all.map((frame) => serverSent({ ...frame, sequence_number: sequence++ }, frame.type));
  const response = (rest: object): object => ({
    id,
    object: 'response',
    created_at: Math.floor(Date.parse(created) / 1000),
    model,
    error: null,
    incomplete_details: null,
    parallel_tool_calls: true,
    tools: [],
    tool_choice: 'auto',
    ...rest,
  });
  const idOf = (block: Block, place: number): string => {
    const own = ownItem(block, 'openai-responses')?.['id'];
    const known =
      ids.get(place) ?? (typeof own === 'string' ? own : `${prefixes[block.type] ?? 'item'}_${id}_${place}`);
    ids.set(place, known);
    return known;
  };
  return {
    push: (event) => {
      switch (event.type) {
        case 'message-start': {
          answering = true;
          const begins = response({ status: 'in_progress', output: [], usage: null });
          return frames([
            { type: 'response.created', response: begins },
            { type: 'response.in_progress', response: begins },
          ]);
        }
        case 'block-start': {
          const open = blocks.start(event.index, event.block);
          if (!open) return [];
          const itemId = idOf(open.block, open.place);
          const item = begun(open.block, itemId);
          const added = { type: 'response.output_item.added', output_index: open.place, item };
          return frames([added, ...opening(open.block, { item_id: itemId, output_index: open.place })]);
        }
        case 'block-delta': {
          const open = blocks.delta(event.index, event.text);
          if (!open) return [];
          const place = { item_id: idOf(open.block, open.place), output_index: open.place };
          return frames(piece(open.block, event.text, place));
        }
        case 'block-end': {
          const done = blocks.end(event.index, event.block);
          if (!done) return [];
          const place = { item_id: idOf(done.block, done.place), output_index: done.place };
          const item = { ...whole(done.block, place.item_id), id: place.item_id };
          output[done.place] = item;
          return frames([
            ...(done.rest === '' ? [] : piece(done.block, done.rest, place)),
            ...closing(done.block, place),
            { type: 'response.output_item.done', output_index: done.place, item },
          ]);
        }
        case 'message-extra':
          return [];
        case 'message-end': {
          const ended = finished(event.stop);
          const usage = event.usage ? usageOf(event.usage) : null;
          const last = response({ ...ended, output: output.filter(Boolean), usage });
          return frames([{ type: `response.${ended.status}`, response: last }]);
        }
        case 'message-error': {
          const { message, code, type } = openaiError(event);
          if (!answering) return frames([{ type: 'error', code: code ?? type, message, param: null }]);
          const error = { code: code ?? type, message };
          const last = response({ status: 'failed', error, output: output.filter(Boolean), usage: null });
          return frames([{ type: 'response.failed', response: last }]);
        }
      }
    },
    end: () => [],
    whole: (message) => {
      if ('type' in message) return { status: statusOf(message), body: { error: openaiError(message) } };
      const shown = message.content.filter((block) => itemOf(block, '') !== undefined);
      const items = shown.map((block, place) => whole(block, idOf(block, place)));
      const usage = message.usage ? usageOf(message.usage) : null;
      const ended = finished(message.stop ?? 'end');
      return { status: 200, body: response({ ...ended, output: items.filter((item) => item !== undefined), usage }) };
    },
  };
}

const prefixes: Partial<Record<Block['type'], string>> = { text: 'msg', thinking: 'rs', call: 'fc' };

function finished(stop: Stop): { status: 'completed' | 'incomplete'; incomplete_details: object | null } {
  if (stop === 'length') return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
  if (stop === 'declined') return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
  return { status: 'completed', incomplete_details: null };
}

function usageOf({ inputTokens, outputTokens, cachedTokens = 0, writtenTokens }: Usage): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: cachedTokens,
      ...(writtenTokens !== undefined && { cache_write_tokens: writtenTokens }),
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
