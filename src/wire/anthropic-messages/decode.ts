// An answer of Anthropic's Messages API → events. Blocks come one after the other, each with a start, deltas and a stop;
// a whole message holds the same blocks complete.
import type { Block, Citation } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import type { Stop, Usage } from '../../message/message.ts';
import type { Author } from '../accepted.ts';
import { countAt, decoder, holdsOnly, listAt, readArguments, fieldText, usageOf } from '../event-decoder.ts';
import type { AnswerBuilder, Reader } from '../event-decoder.ts';
import { providerError } from '../provider-error.ts';
import type { Decoder } from '../wire.ts';
import type { Fields } from '../fields.ts';

/** A block under way: the provider's item as far as it has come; for a tool of its own, the JSON text of its input. */
type Open = { index: number; item: Fields; json: string };

export function decode(author: Author): Decoder {
  return decoder('anthropic-messages', author, reader);
}

function reader(answer: AnswerBuilder): Reader {
  const open = new Map<unknown, Open>();
  let id: unknown;
  let usage: Fields = {};
  let stop: string | undefined;

  function finish(): void {
    for (const block of open.values()) closeBlock(block, answer);
    answer.end(stopOf(stop), usageFrom(usage));
  }
  function heard(delta: Fields): void {
    if (typeof delta['stop_reason'] === 'string') stop = delta['stop_reason'];
    if (isRecord(delta['stop_details'])) answer.extra({ stop_details: delta['stop_details'] });
  }
  function counted(more: unknown): void {
    if (isRecord(more)) usage = { ...usage, ...Object.fromEntries(Object.entries(more).filter(([, n]) => n !== null)) };
  }
  return {
    read(event) {
      switch (event['type']) {
        case 'content_block_delta': {
          const block = open.get(event['index']);
          if (block && isRecord(event['delta'])) growBlock(block, event['delta'], answer);
          else answer.extra(event);
          return;
        }
        case 'content_block_start':
          if (isRecord(event['content_block'])) open.set(event['index'], openBlock(event['content_block'], answer));
          return;
        case 'content_block_stop': {
          const block = open.get(event['index']);
          if (block) closeBlock(block, answer);
          open.delete(event['index']);
          return;
        }
        case 'message_start': {
          const message = isRecord(event['message']) ? event['message'] : {};
          if (id !== undefined && id !== message['id'])
            return answer.fail(providerError('malformed', 'Another answer began before this one had ended.'));
          id = message['id'] ?? '';
          answer.begin();
          return counted(message['usage']);
        }
        case 'message_delta':
          if (isRecord(event['delta'])) heard(event['delta']);
          return counted(event['usage']);
        case 'message_stop':
          return finish();
        case 'message':
          answer.begin();
          for (const item of listAt(event, 'content')) answer.whole(blockOf(item, answer));
          heard(event);
          counted(event['usage']);
          return finish();
        case 'ping':
          return;
        default:
          answer.extra(event);
      }
    },
    finish() {
      if (stop !== undefined) finish();
    },
  };
}

function openBlock(item: Fields, answer: AnswerBuilder): Open {
  const index = answer.open(startOf(item, answer));
  answer.grow(index, item['type'] === 'thinking' ? fieldText(item, 'thinking') : fieldText(item, 'text'));
  return { index, item: { ...item }, json: '' };
}

function startOf(item: Fields, answer: AnswerBuilder): Block {
  switch (item['type']) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', text: '' };
    case 'tool_use':
      return { type: 'call', id: fieldText(item, 'id'), name: fieldText(item, 'name'), input: {} };
    default:
      return blockOf(item, answer);
  }
}

function growBlock(block: Open, delta: Fields, answer: AnswerBuilder): void {
  const { item, index } = block;
  switch (delta['type']) {
    case 'text_delta':
      return answer.grow(index, fieldText(delta, 'text'));
    case 'thinking_delta':
      return answer.grow(index, fieldText(delta, 'thinking'));
    case 'input_json_delta':
      if (item['type'] === 'tool_use') answer.grow(index, fieldText(delta, 'partial_json'));
      else block.json += fieldText(delta, 'partial_json');
      return;
    case 'signature_delta':
      item['signature'] = fieldText(item, 'signature') + fieldText(delta, 'signature');
      return;
    case 'citations_delta':
      item['citations'] = [...listAt(item, 'citations'), delta['citation']];
      return;
    case 'compaction_delta': {
      const { type: _, ...fields } = delta;
      Object.assign(item, fields);
      return;
    }
    default:
      answer.extra(delta);
  }
}

function closeBlock({ index, item, json: its }: Open, answer: AnswerBuilder): void {
  const json = item['type'] === 'tool_use' ? answer.text(index) : its;
  if (item['type'] === 'text') item['text'] = answer.text(index);
  if (item['type'] === 'thinking') item['thinking'] = answer.text(index);
  if (json !== '') item['input'] = readArguments(json);
  answer.close(index, blockOf(item, answer), json === '' ? undefined : json);
}

/** A whole item. It is sealed wherever writing it anew would not give the same. */
function blockOf(item: Fields, answer: AnswerBuilder): Block {
  switch (item['type']) {
    case 'text': {
      // Without words there is nothing that could go back: no text may be empty.
      const plain = holdsOnly(item, ['type', 'text']) || fieldText(item, 'text').trim() === '';
      const citations = listAt(item, 'citations').filter(isRecord).map(citationOf);
      const sources = citations.length > 0 ? { citations } : {};
      return { type: 'text', text: fieldText(item, 'text'), ...sources, ...(!plain && { seal: answer.seal(item) }) };
    }
    case 'thinking':
      return { type: 'thinking', text: fieldText(item, 'thinking'), seal: answer.seal(item) };
    case 'redacted_thinking':
      return { type: 'thinking', text: '', redacted: true, seal: answer.seal(item) };
    case 'tool_use': {
      const { input = {} } = item;
      const plain = holdsOnly(item, ['type', 'id', 'name', 'input']) || !isRecord(input);
      const call = { type: 'call' as const, id: fieldText(item, 'id'), name: fieldText(item, 'name'), input };
      return { ...call, ...(!plain && { seal: answer.seal(item) }) };
    }
    default:
      return { type: 'sealed', seal: answer.seal(item) };
  }
}

/** Anthropic counts pages from 1 and characters from 0; the end of either is the first that is not meant. */
function citationOf(item: Fields): Citation {
  const [document, page, pageEnd, from, to] = [
    'document_index',
    'start_page_number',
    'end_page_number',
    'start_char_index',
    'end_char_index',
  ].map((name) => countAt(item, name));
  const [text, title, url] = [
    item['cited_text'],
    item['document_title'] ?? item['title'],
    item['url'] ?? item['source'],
  ];
  return {
    ...(typeof text === 'string' && { text }),
    ...(typeof title === 'string' && { title }),
    ...(document !== undefined && { document }),
    ...(page !== undefined && pageEnd !== undefined && { pages: [page - 1, pageEnd - 1] as const }),
    ...(from !== undefined && to !== undefined && { characters: [from, to] as const }),
    ...(typeof url === 'string' && { url }),
  };
}

/** `pause_turn` and `compaction` mean that the answer is not complete: sent back as it is, it goes on. */
function stopOf(reason: string | undefined): Stop {
  switch (reason) {
    case 'tool_use':
      return 'calls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'pause_turn':
    case 'compaction':
      return 'paused';
    case 'refusal':
      return 'declined';
    default:
      return 'end';
  }
}

/** Anthropic counts what came from the cache, and what was written to it, apart from the rest of the input. */
function usageFrom(usage: Fields): Usage | undefined {
  const cached = countAt(usage, 'cache_read_input_tokens');
  const written = countAt(usage, 'cache_creation_input_tokens');
  const rest = countAt(usage, 'input_tokens');
  const input = rest === undefined ? undefined : rest + (cached ?? 0) + (written ?? 0);
  return usageOf({ input, output: countAt(usage, 'output_tokens'), cached, written });
}
