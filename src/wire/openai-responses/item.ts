// The output items of the Responses API, and the frames that open one, bring it piece by piece, and close it.
import type { Block } from '../../content/block.ts';
import { ownItem } from '../emitter.ts';
import { argumentsText } from '../spelling.ts';
import { isComputerCall } from './computer.ts';

export type Frame = { type: string; [field: string]: unknown };
type ItemPlace = { item_id: string; output_index: number };

/** A whole block as an output item; media, and items of other providers, have none. */
export function itemOf(block: Block, id: string): object | undefined {
  const own = ownItem(block, 'openai-responses');
  if (own) return own;
  switch (block.type) {
    case 'text':
      return { id, type: 'message', role: 'assistant', status: 'completed', content: [textPart(block.text)] };
    case 'thinking':
      return { id, type: 'reasoning', summary: [{ type: 'summary_text', text: block.text }] };
    case 'call': {
      const call = { call_id: block.id, name: block.name, arguments: argumentsText(block.input) };
      return { id, type: 'function_call', status: 'completed', ...call };
    }
    default:
      return undefined;
  }
}

/** The item before any of its words have come. */
export function begun(block: Block, id: string): object {
  switch (block.type) {
    case 'text':
      return { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
    case 'thinking':
      return { id, type: 'reasoning', summary: [] };
    case 'call':
      if (hasNoArguments(block)) return itemOf(block, id) ?? {};
      return { id, type: 'function_call', status: 'in_progress', call_id: block.id, name: block.name, arguments: '' };
    default:
      return itemOf(block, id) ?? {};
  }
}

/** A call of the computer comes in one piece. */
function hasNoArguments(call: Block): boolean {
  return isComputerCall(ownItem(call, 'openai-responses'));
}

function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

export function opening(block: Block, place: ItemPlace): Frame[] {
  if (block.type === 'text')
    return [{ type: 'response.content_part.added', ...place, content_index: 0, part: textPart('') }];
  if (block.type !== 'thinking') return [];
  const part = { type: 'summary_text', text: '' };
  return [{ type: 'response.reasoning_summary_part.added', ...place, summary_index: 0, part }];
}

export function piece(block: Block, delta: string, place: ItemPlace): Frame[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'response.output_text.delta', ...place, content_index: 0, delta, logprobs: [] }];
    case 'thinking':
      return [{ type: 'response.reasoning_summary_text.delta', ...place, summary_index: 0, delta }];
    case 'call':
      return hasNoArguments(block) ? [] : [{ type: 'response.function_call_arguments.delta', ...place, delta }];
    default:
      return [];
  }
}

export function closing(block: Block, place: ItemPlace): Frame[] {
  switch (block.type) {
    case 'text': {
      const { text } = block;
      return [
        { type: 'response.output_text.done', ...place, content_index: 0, text, logprobs: [] },
        { type: 'response.content_part.done', ...place, content_index: 0, part: textPart(text) },
      ];
    }
    case 'thinking': {
      const { text } = block;
      return [
        { type: 'response.reasoning_summary_text.done', ...place, summary_index: 0, text },
        {
          type: 'response.reasoning_summary_part.done',
          ...place,
          summary_index: 0,
          part: { type: 'summary_text', text },
        },
      ];
    }
    case 'call': {
      if (hasNoArguments(block)) return [];
      const { name } = block;
      return [{ type: 'response.function_call_arguments.done', ...place, name, arguments: argumentsText(block.input) }];
    }
    default:
      return [];
  }
}
