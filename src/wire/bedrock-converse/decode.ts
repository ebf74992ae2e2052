// An answer of Amazon Bedrock's Converse API → events. Every event of a stream is an object with one field that names
// it; a whole answer holds the same blocks complete. What it cost comes after its end.
import { decodeBase64, encodeBase64 } from '../../content/base64.ts';
import type { Block, Citation } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import type { Stop, Usage } from '../../message/message.ts';
import type { Author } from '../accepted.ts';
import { countAt, decoder, fieldText, holdsOnly, listAt, readArguments, usageOf } from '../event-decoder.ts';
import type { AnswerBuilder, Reader } from '../event-decoder.ts';
import type { Fields } from '../fields.ts';
import { providerError } from '../provider-error.ts';
import type { Decoder } from '../wire.ts';

/** A block under way: Amazon's item as far as it has come. Words have no start of their own. */
type Open = { index: number; item: Fields };

export function decode(author: Author): Decoder {
  return decoder('bedrock-converse', author, reader);
}

function reader(answer: AnswerBuilder): Reader {
  const open = new Map<unknown, Open>();
  let stop: string | undefined;
  let usage: unknown;

  function finish(): void {
    for (const block of open.values()) closeBlock(block, answer);
    open.clear();
    const reason = stopOf(stop);
    if (reason === 'error') answer.fail(providerError('server', `The model could not answer: ${stop ?? ''}`));
    else answer.end(reason, usageFrom(usage));
  }
  function grow(event: Fields): void {
    const delta = isRecord(event['delta']) ? event['delta'] : {};
    const at = event['contentBlockIndex'];
    const block = open.get(at) ?? openBlock(startOf(delta), answer);
    open.set(at, block);
    if (!growBlock(block, delta, answer)) answer.extra({ contentBlockDelta: event });
  }
  const readers: Readonly<Record<string, (event: Fields) => void>> = {
    messageStart: () => answer.begin(),
    contentBlockStart: (event) => {
      const start = isRecord(event['start']) ? event['start'] : {};
      open.set(event['contentBlockIndex'], openBlock(structuredClone(start), answer));
    },
    contentBlockDelta: grow,
    contentBlockStop: (event) => {
      const block = open.get(event['contentBlockIndex']);
      if (block) closeBlock(block, answer);
      open.delete(event['contentBlockIndex']);
    },
    messageStop: (event) => {
      stop = fieldText(event, 'stopReason');
      if (event['additionalModelResponseFields'] !== undefined) answer.extra({ messageStop: event });
    },
    metadata: (event) => {
      usage = event['usage'];
      if (event['trace'] !== undefined) answer.extra({ metadata: event });
      if (stop !== undefined) finish();
    },
    output: (output) => {
      answer.begin();
      for (const item of listAt(output['message'], 'content')) answer.whole(blockOf(item, answer));
    },
  };
  return {
    read(event) {
      const known = Object.keys(event).find((name) => Object.hasOwn(readers, name));
      const held = known === undefined ? undefined : event[known];
      if (known === undefined || !isRecord(held)) return answer.extra(event);
      readers[known]?.(held);
      if (known !== 'output') return;
      stop = fieldText(event, 'stopReason');
      usage = event['usage'];
      const { output: _, stopReason: __, usage: ___, metrics: ____, ...rest } = event;
      if (Object.keys(rest).length > 0) answer.extra(rest);
      finish();
    },
    finish() {
      if (stop !== undefined) finish();
    },
  };
}

/** What a block is that begins with this piece of it. */
function startOf(delta: Fields): Fields {
  if (isRecord(delta['reasoningContent'])) return { reasoningContent: {} };
  return delta['citation'] === undefined ? { text: '' } : { citationsContent: {} };
}

function openBlock(item: Fields, answer: AnswerBuilder): Open {
  const { toolUse, reasoningContent } = item;
  if (isCall(toolUse))
    return { index: answer.open({ type: 'call', id: fieldText(toolUse, 'toolUseId'), name: fieldText(toolUse, 'name'), input: {} }), item }; // prettier-ignore
  if (isRecord(reasoningContent)) return { index: answer.open({ type: 'thinking', text: '' }), item };
  if (typeof item['text'] === 'string' || isRecord(item['citationsContent']))
    return { index: answer.open({ type: 'text', text: '' }), item };
  return { index: answer.open({ type: 'sealed', seal: answer.seal(item) }), item };
}

/** A call that is ours to answer; those that Amazon answers itself are its own business. */
function isCall(toolUse: unknown): toolUse is Fields {
  return isRecord(toolUse) && toolUse['type'] !== 'server_tool_use';
}

/** Whether the piece was understood. */
function growBlock({ index, item }: Open, delta: Fields, answer: AnswerBuilder): boolean {
  const { toolUse, toolResult, reasoningContent, citation } = delta;
  if (typeof delta['text'] === 'string') answer.grow(index, delta['text']);
  else if (isRecord(toolUse)) {
    const called = isRecord(item['toolUse']) ? item['toolUse'] : (item['toolUse'] = {});
    answer.grow(index, fieldText(toolUse, 'input'));
    (called as Fields)['input'] = fieldText(called, 'input') + fieldText(toolUse, 'input');
  } else if (Array.isArray(toolResult) && isRecord(item['toolResult']))
    item['toolResult']['content'] = [...listAt(item['toolResult'], 'content'), ...(toolResult as unknown[])];
  else if (isRecord(reasoningContent)) {
    const held = isRecord(item['reasoningContent']) ? item['reasoningContent'] : (item['reasoningContent'] = {});
    grownThought(held, reasoningContent);
    answer.grow(index, fieldText(reasoningContent, 'text'));
  } else if (isRecord(citation) && isRecord(item['citationsContent']))
    item['citationsContent']['citations'] = [...listAt(item['citationsContent'], 'citations'), citation];
  else if (isRecord(citation)) {
    item['citationsContent'] = { citations: [citation] };
    delete item['text'];
  } else return false;
  return true;
}

function grownThought(held: Fields, piece: Fields): void {
  if (piece['redactedContent'] !== undefined)
    held['redactedContent'] = joinedBytes(held['redactedContent'], piece['redactedContent']);
  if (typeof piece['signature'] === 'string') held['signature'] = fieldText(held, 'signature') + piece['signature'];
}

/** Bytes are base64 on the wire, and bytes in the events of the vendor's SDK. */
function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  return (typeof value === 'string' ? decodeBase64(value) : undefined) ?? new Uint8Array(0);
}

function joinedBytes(before: unknown, more: unknown): string {
  if (before === undefined && typeof more === 'string') return more;
  return encodeBase64(Uint8Array.from([...bytesOf(before), ...bytesOf(more)]));
}

function closeBlock({ index, item }: Open, answer: AnswerBuilder): void {
  const { toolUse, reasoningContent, citationsContent } = item;
  const grown = answer.text(index);
  if (isRecord(toolUse)) {
    const json = fieldText(toolUse, 'input');
    const block = blockOf({ toolUse: { ...toolUse, input: readArguments(json) } }, answer);
    return answer.close(index, block, json === '' ? undefined : json);
  }
  if (isRecord(reasoningContent)) return answer.close(index, thought(reasoningContent, grown, answer));
  if (isRecord(citationsContent))
    return answer.close(index, blockOf({ citationsContent: { ...citationsContent, content: [{ text: grown }] } }, answer)); // prettier-ignore
  if (typeof item['text'] === 'string') return answer.close(index, { type: 'text', text: grown });
  answer.close(index, { type: 'sealed', seal: answer.seal(item) });
}

/** Thinking in pieces, as one item. Only what is signed can go back: models take other models' thoughts for their own words. */
function thought({ redactedContent, signature }: Fields, text: string, answer: AnswerBuilder): Block {
  if (redactedContent !== undefined) return blockOf({ reasoningContent: { redactedContent } }, answer);
  return blockOf(
    { reasoningContent: { reasoningText: { text, ...(signature !== undefined && { signature }) } } },
    answer,
  );
}

/** A whole item. It is sealed wherever writing it anew would not give the same. */
function blockOf(item: Fields, answer: AnswerBuilder): Block {
  const { text, toolUse, reasoningContent, citationsContent } = item;
  if (typeof text === 'string') return { type: 'text', text };
  if (isCall(toolUse)) {
    const { input = {}, type, ...rest } = toolUse;
    const call = {
      type: 'call' as const,
      id: fieldText(toolUse, 'toolUseId'),
      name: fieldText(toolUse, 'name'),
      input,
    };
    const plain = holdsOnly(rest, ['toolUseId', 'name']) && (type === undefined || type === 'tool_use');
    return { ...call, ...(!plain && isRecord(input) && { seal: answer.seal(item) }) };
  }
  if (isRecord(reasoningContent)) {
    const { reasoningText, redactedContent } = reasoningContent;
    if (redactedContent !== undefined) {
      const bytes = typeof redactedContent === 'string' ? redactedContent : encodeBase64(bytesOf(redactedContent));
      const seal = answer.seal({ reasoningContent: { redactedContent: bytes } });
      return { type: 'thinking', text: '', redacted: true, seal };
    }
    const signed = fieldText(reasoningText, 'signature') !== '';
    return { type: 'thinking', text: fieldText(reasoningText, 'text'), ...(signed && { seal: answer.seal(item) }) };
  }
  if (!isRecord(citationsContent)) return { type: 'sealed', seal: answer.seal(item) };
  const citations = listAt(citationsContent, 'citations').map(citationOf);
  const words = listAt(citationsContent, 'content').map((one) => fieldText(one, 'text')).join(''); // prettier-ignore
  return { type: 'text', text: words, ...(citations.length > 0 && { citations }), seal: answer.seal(item) };
}

/** Pages count from 1; an end is the first that is not meant. */
function citationOf(item: Fields): Citation {
  const location = isRecord(item['location']) ? item['location'] : {};
  const [pages, letters] = ['documentPage', 'documentChar'].map((name) => location[name]);
  const place = [pages, letters].find(isRecord);
  const [document, start, end] = ['documentIndex', 'start', 'end'].map((name) => countAt(place, name));
  const text = listAt(item, 'sourceContent').map((one) => fieldText(one, 'text')).join(''); // prettier-ignore
  const title = fieldText(item, 'title');
  const range = start !== undefined && end !== undefined ? ([start, end] as const) : undefined;
  return {
    ...(text !== '' && { text }),
    ...(title !== '' && { title }),
    ...(document !== undefined && { document }),
    ...(range && isRecord(pages) && { pages: [range[0] - 1, range[1] - 1] as const }),
    ...(range && !isRecord(pages) && { characters: range }),
  };
}

function stopOf(reason: string | undefined): Stop {
  switch (reason) {
    case 'tool_use':
      return 'calls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'guardrail_intervened':
    case 'content_filtered':
      return 'declined';
    case 'malformed_model_output':
    case 'malformed_tool_use':
      return 'error';
    default:
      return 'end';
  }
}

/** Amazon counts what came from the cache, and what was written to it, apart from the rest of the input. */
function usageFrom(usage: unknown): Usage | undefined {
  const cached = countAt(usage, 'cacheReadInputTokens');
  const written = countAt(usage, 'cacheWriteInputTokens');
  const rest = countAt(usage, 'inputTokens');
  const input = rest === undefined ? undefined : rest + (cached ?? 0) + (written ?? 0);
  return usageOf({ input, output: countAt(usage, 'outputTokens'), cached, written });
}
