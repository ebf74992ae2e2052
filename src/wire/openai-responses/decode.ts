// An answer of OpenAI's Responses API → events. It is a list of items, each with a start, deltas and the whole item at
// its end. One item is one block, sealed as it came: reasoning, words and calls go back with their ids. Items that are
// no words, no reasoning, no call of a function of ours and none of the computer are kept sealed.
import type { Block } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import type { Stop, Usage } from '../../message/message.ts';
import type { Author } from '../accepted.ts';
import { annotatedSource, citing } from '../annotations.ts';
import { countAt, decoder, listAt, readArguments, fieldText, usageOf } from '../event-decoder.ts';
import type { AnswerBuilder, Reader } from '../event-decoder.ts';
import { errorOf, providerError } from '../provider-error.ts';
import type { Decoder } from '../wire.ts';
import type { Fields } from '../fields.ts';
import { computerCall } from './computer.ts';

/** Ids of items may change from event to event; their place in the output does not. */
type Open = { index: number; part: unknown };

export function decode(author: Author): Decoder {
  return decoder('openai-responses', author, reader);
}

function reader(answer: AnswerBuilder): Reader {
  const open = new Map<unknown, Open>();
  const closed = new Set<unknown>();
  let declined = false;

  function close(place: unknown, item: Fields): void {
    if (closed.has(place)) return;
    const index = open.get(place)?.index ?? answer.open(startOf(item, answer));
    closed.add(place);
    declined ||= listAt(item, 'content').some((part) => part['type'] === 'refusal');
    answer.close(index, blockOf(item, answer), fieldText(item, 'arguments'));
  }
  function grow(event: Fields, part: unknown): void {
    const block = open.get(event['output_index']);
    if (!block) return answer.extra(event);
    if (block.part !== part && answer.text(block.index) !== '') answer.grow(block.index, betweenSummaries(event));
    block.part = part;
    answer.grow(block.index, fieldText(event, 'delta'));
  }
  function finish(response: Fields): void {
    answer.begin();
    const unseen = open.size === 0 && closed.size === 0;
    for (const [place, item] of listAt(response, 'output').entries()) if (unseen || open.has(place)) close(place, item);
    const error = errorOf(response);
    if (error) return answer.fail(error);
    const status = fieldText(response, 'status');
    if (status === 'failed' || status === 'cancelled')
      return answer.fail(providerError('server', `The provider ended the answer: it was ${status}.`));
    const reason = fieldText(response['incomplete_details'], 'reason');
    const stop: Stop = status === 'incomplete' ? 'length' : 'end';
    answer.end(declined || reason === 'content_filter' ? 'declined' : stop, usageFrom(response['usage']));
  }
  return {
    read(event) {
      switch (event['type']) {
        case 'response.output_text.delta':
        case 'response.refusal.delta':
        case 'response.function_call_arguments.delta':
          return grow(event, undefined);
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
          return grow(event, event['summary_index'] ?? event['content_index']);
        case 'response.output_item.added':
          if (isRecord(event['item'])) {
            const index = answer.open(startOf(event['item'], answer));
            open.set(event['output_index'], { index, part: undefined });
          }
          return;
        case 'response.output_item.done':
          if (isRecord(event['item'])) close(event['output_index'], event['item']);
          return;
        case 'response.created':
        case 'response.queued':
        case 'response.in_progress':
          return answer.begin();
        case 'response.completed':
        case 'response.incomplete':
        case 'response.failed':
        case 'response.cancelled':
          return finish(isRecord(event['response']) ? event['response'] : {});
        case 'response.content_part.added':
        case 'response.content_part.done':
        case 'response.output_text.annotation.added':
        case 'response.output_text.done':
        case 'response.refusal.done':
        case 'response.function_call_arguments.done':
        case 'response.reasoning_summary_part.added':
        case 'response.reasoning_summary_part.done':
        case 'response.reasoning_summary_text.done':
        case 'response.reasoning_text.done':
        case 'keepalive':
          return; // what they say stands in the whole item once more
        default:
          if (event['type'] === undefined && Array.isArray(event['output'])) finish(event);
          else answer.extra(event);
      }
    },
  };
}

/** Summaries are paragraphs of their own; the parts of a message are not. */
const paragraph = '\n\n';

function betweenSummaries(event: Fields): string {
  return event['summary_index'] === undefined ? '' : paragraph;
}

function startOf(item: Fields, answer: AnswerBuilder): Block {
  switch (item['type']) {
    case 'message':
      return { type: 'text', text: '' };
    case 'reasoning':
      return { type: 'thinking', text: '' };
    case 'function_call':
      return { type: 'call', id: fieldText(item, 'call_id'), name: fieldText(item, 'name'), input: {} };
    default:
      return blockOf(item, answer);
  }
}

function blockOf(item: Fields, answer: AnswerBuilder): Block {
  const seal = answer.seal(item);
  switch (item['type']) {
    case 'message': {
      const parts = listAt(item, 'content');
      const text = parts.map((part) => fieldText(part, 'text') || fieldText(part, 'refusal')).join('');
      const sources = parts.flatMap((part) => listAt(part, 'annotations')).map(annotatedSource);
      return { type: 'text', text, ...citing(sources), seal };
    }
    case 'reasoning': {
      const summary = listAt(item, 'summary').map((part) => fieldText(part, 'text'));
      const content = listAt(item, 'content').map((part) => fieldText(part, 'text'));
      const text = summary.length > 0 ? summary.join(paragraph) : content.join('');
      return { type: 'thinking', text, ...(text === '' && { redacted: true }), ...(canReturn(item) && { seal }) };
    }
    case 'function_call': {
      const input = readArguments(fieldText(item, 'arguments'));
      return { type: 'call', id: fieldText(item, 'call_id'), name: fieldText(item, 'name'), input, seal };
    }
    default:
      return computerCall(item, answer.seal) ?? { type: 'sealed', seal };
  }
}

/**
 * Nothing is stored at the provider, so reasoning can go back only if it carries itself, encrypted or in plain words. An
 * item that is no more than an id and a summary is refused there.
 */
function canReturn(reasoning: Fields): boolean {
  return fieldText(reasoning, 'encrypted_content') !== '' || listAt(reasoning, 'content').length > 0;
}

/** OpenAI counts cached tokens among the input, and reasoning among the output. */
function usageFrom(usage: unknown): Usage | undefined {
  const details = isRecord(usage) ? usage['input_tokens_details'] : undefined;
  return usageOf({
    input: countAt(usage, 'input_tokens'),
    output: countAt(usage, 'output_tokens'),
    cached: countAt(details, 'cached_tokens'),
    written: countAt(details, 'cache_write_tokens'),
  });
}
