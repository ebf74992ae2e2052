// An answer while it is read. A decoder says what it found in terms of a message; this keeps the order of events, the
// texts that grow, and the promise that one last event ends it all and nothing follows.
import type { Block, Seal } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import type { Json } from '../content/json.ts';
import { digest } from '../content/text.ts';
import type { AnswerName, DeltaKind, ModelEvent } from '../message/event.ts';
import type { Stop, Usage } from '../message/message.ts';
import type { WireName } from '../window/profile.ts';
import type { Author } from './accepted.ts';
import { errorOf, providerError } from './provider-error.ts';
import type { ProviderError } from './provider-error.ts';
import type { Decoder } from './wire.ts';

export type AnswerBuilder = {
  begin: () => void;
  /** Opens a block and gives its index. */
  open: (block: Block) => number;
  /** More of a block. */
  grow: (index: number, text: string) => void;
  /** All that a block has grown to. */
  text: (index: number) => string;
  /** Closes a block. What of its text has not come as a delta comes now. */
  close: (index: number, block: Block, argumentsText?: string) => void;
  /** A block that came in one piece. */
  whole: (block: Block, argumentsText?: string) => void;
  extra: (event: unknown) => void;
  end: (stop: Stop, usage: Usage | undefined) => void;
  fail: (error: ProviderError) => void;
  seal: (item: object) => Seal;
};

/** What a wire adds: how it reads one event, and what it does when the stream ends without having said so. */
export type Reader = {
  read: (event: Record<string, unknown>) => void;
  /** `told` when the stream has said itself that it is over. */
  finish?: (told: boolean) => void;
};

/** A decoder for one answer. Whatever is alike on all wires is done here. */
export function decoder(wire: WireName, author: Author, reader: (answer: AnswerBuilder) => Reader): Decoder {
  let out: ModelEvent[] = [];
  let begun = false;
  let over = false;
  let called = false;
  let stranger: unknown;
  let response: AnswerName = {};
  let looked = 0;
  const texts: string[] = [];
  const kinds: (DeltaKind | undefined)[] = [];

  const answer: AnswerBuilder = {
    begin() {
      if (begun) return;
      begun = true;
      out.push({ type: 'message-start', model: `${author.endpoint}/${author.model}` });
    },
    open(block) {
      answer.begin();
      const index = texts.push('') - 1;
      kinds.push(kindOf(block));
      out.push({ type: 'block-start', index, block });
      return index;
    },
    grow(index, text) {
      if (text === '') return;
      texts[index] += text;
      const kind = kinds[index];
      if (kind) out.push({ type: 'block-delta', index, kind, text });
    },
    text: (index) => texts[index] ?? '',
    close(index, block, argumentsText) {
      const whole = textOf(block, argumentsText);
      const grown = texts[index] ?? '';
      if (whole.length > grown.length && whole.startsWith(grown)) answer.grow(index, whole.slice(grown.length));
      if (block.type === 'call') called = true;
      texts[index] = '';
      out.push({ type: 'block-end', index, block });
    },
    whole(block, argumentsText) {
      answer.close(answer.open(bare(block)), block, argumentsText);
    },
    extra(event) {
      stranger ??= event;
      out.push({ type: 'message-extra', event });
    },
    end(stop, usage) {
      answer.begin();
      over = true;
      out.push({
        type: 'message-end',
        stop: stop === 'end' && called ? 'calls' : stop,
        ...(usage && { usage }),
        ...(Object.keys(response).length > 0 && { response }),
      });
    },
    fail(error) {
      over = true;
      out.push({ type: 'message-error', ...error });
    },
    seal: (item) => ({ wire, endpoint: author.endpoint, model: author.model, item: item as Json }),
  };
  const { read, finish } = reader(answer);

  function take(): ModelEvent[] {
    const taken = out;
    out = [];
    return taken;
  }
  return {
    push(event) {
      if (over) return [];
      const error = errorOf(event);
      if (error) answer.fail(error);
      else if (isRecord(event)) {
        const unnamed = response.id === undefined || response.model === undefined;
        if (unnamed && looked++ < namedWithin) response = { ...nameIn(event), ...response };
        read(event);
      } else answer.extra(event);
      return take();
    },
    end(told = false) {
      if (over) return [];
      finish?.(told && begun);
      if (!over) answer.fail(begun || stranger === undefined ? cutOff(begun) : notThisWire(wire, stranger));
      return take();
    },
  };
}

/** So many events may come before one that names the answer. */
const namedWithin = 4;

/** Providers say it in the event itself, or in what it is about. */
function nameIn(event: Record<string, unknown>): AnswerName {
  const places = [event, event['message'], event['response']].filter(isRecord);
  const said = (...keys: string[]): unknown =>
    places.flatMap((place) => keys.map((key) => place[key])).find((value) => typeof value === 'string' && value !== '');
  const [id, model] = [said('id', 'responseId'), said('model', 'modelVersion')];
  return { ...(typeof id === 'string' && { id }), ...(typeof model === 'string' && { model }) };
}

function cutOff(begun: boolean): ProviderError {
  return providerError(
    'cut-off',
    begun ? 'The answer broke off before its end.' : 'The stream ended before an answer came.',
  );
}

function notThisWire(wire: WireName, event: unknown): ProviderError {
  return providerError('malformed', `What came is no answer of ${wire}: ${JSON.stringify(event)}`, {
    retryable: false,
  });
}

function textOf(block: Block, argumentsText: string | undefined): string {
  if (block.type === 'text' || block.type === 'thinking') return block.text;
  return block.type === 'call' ? (argumentsText ?? JSON.stringify(block.input)) : '';
}

/** What the pieces of a block are; of the others none are told. */
function kindOf({ type }: Block): DeltaKind | undefined {
  return type === 'text' || type === 'thinking' || type === 'call' ? type : undefined;
}

/** A block before anything of it has come. */
function bare(block: Block): Block {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', text: '', ...(block.redacted && { redacted: true }) };
    case 'call':
      return { type: 'call', id: block.id, name: block.name, input: {} };
    default:
      return block;
  }
}

/** The arguments of a call. What is no JSON stays the text that came, so that it can be repaired or complained about. */
export function readArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An id for a call that came without one: the same whenever this answer is read, another one in another answer. */
export function madeCallId(...of: unknown[]): string {
  return `call_${digest(JSON.stringify(of))}`;
}

/** Whether an item holds these fields and no other. Fields that are null say nothing. */
export function holdsOnly(item: Record<string, unknown>, fields: readonly string[]): boolean {
  return Object.entries(item).every(([field, value]) => value === null || fields.includes(field));
}

/** A field that should be text. */
export function fieldText(item: unknown, field: string): string {
  const value = isRecord(item) ? item[field] : undefined;
  return typeof value === 'string' ? value : '';
}

/** A field that should be a count. */
export function countAt(item: unknown, field: string): number | undefined {
  const value = isRecord(item) ? item[field] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The objects in a field that should be a list of them. */
export function listAt(item: unknown, field: string): readonly Record<string, unknown>[] {
  const value = isRecord(item) ? item[field] : undefined;
  if (!Array.isArray(value)) return nothing;
  return value.every(isRecord) ? value : value.filter(isRecord);
}

const nothing: readonly Record<string, unknown>[] = [];

/** What an answer cost. `input` counts every token of the request, those from and to the cache included. */
export function usageOf(counts: {
  input: number | undefined;
  output: number | undefined;
  cached?: number | undefined;
  written?: number | undefined;
  media?: Usage['media'] | undefined;
}): Usage | undefined {
  const { input, output, cached, written, media } = counts;
  if (input === undefined && output === undefined) return undefined;
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    ...(cached !== undefined && { cachedTokens: cached }),
    ...(written !== undefined && { writtenTokens: written }),
    ...(media && { media }),
  };
}
