// Anything a model's answer may come as → events: a `Response`, a stream of bytes or text, the event objects of an SDK,
// or one whole body. Nothing here throws; trouble is the last event.
import { isRecord } from '../content/json.ts';
import type { ModelEvent } from '../message/event.ts';
import type { WireName } from '../window/profile.ts';
import type { Author } from './accepted.ts';
import { doneMark, frames } from './framing/detect.ts';
import { codeOfStatus, errorOf, providerError } from './provider-error.ts';
import type { ProviderError } from './provider-error.ts';
import type { Decoder, Framing, Wire } from './wire.ts';
import { wireClients } from './registry.ts';

/** A provider's answer in any form in which programs have it: a response, a stream, events, or the JSON. */
export type AnswerInput =
  | Response
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string | object>
  | string
  | object;

/**
 * Reads one answer. The input is let go of as soon as the answer is complete, or when nobody listens any more.
 *
 * @example
 * const events = decodeEvents('anthropic-messages', { endpoint: 'anthropic', model }, await fetch(url, request));
 * const message = await collect(events);
 */
export function decodeEvents(
  wire: WireName | Pick<Wire<object>, 'decode' | 'framing'>,
  author: Author,
  input: AnswerInput,
): AsyncIterableIterator<ModelEvent, undefined> {
  const { decode, framing } = typeof wire === 'string' ? wireClients[wire] : wire;
  return oneByOne(batches(decode(author), framing, input));
}

/** The events of one chunk after the other. */
async function* batches(
  decoder: Decoder,
  { contentType, split }: Framing,
  input: AnswerInput,
): AsyncGenerator<readonly ModelEvent[], undefined> {
  const failed = isResponse(input) && !input.ok ? input.status : undefined;
  let ready: ModelEvent[] = [];
  let over = false;

  function take(events: readonly ModelEvent[]): void {
    for (const event of events) {
      if (over) return;
      over = event.type === 'message-end' || event.type === 'message-error';
      ready.push(event);
    }
  }
  function fail(error: ProviderError | undefined): void {
    if (error) take([{ type: 'message-error', ...error }]);
  }
  function read(event: unknown): void {
    if (failed !== undefined) fail(errorOf(event, failed));
    else take(event === doneMark ? decoder.end(true) : decoder.push(event));
  }
  const isBinary = isResponse(input) && (input.headers.get('content-type') ?? '').startsWith(contentType);
  const framed = frames(read, { split, isBinary });
  try {
    for await (const chunk of chunksOf(input)) {
      if (chunk instanceof Uint8Array) fail(framed.push(chunk));
      else read(chunk);
      yield ready;
      ready = [];
      if (over) return undefined;
    }
    const wrong = framed.end();
    if (failed === undefined) fail(wrong);
    else
      fail(providerError(codeOfStatus(failed), wrong?.message ?? `The server answered ${failed}.`, { status: failed }));
    take(decoder.end());
  } catch (error) {
    const rest = decoder.end();
    if (rest.at(-1)?.type === 'message-end') take(rest); // it broke after all had come
    else fail(thrown(error));
  }
  yield ready;
  return undefined;
}

/** An async generator that hands out each event by itself costs more than reading it; this does not. */
function oneByOne(
  source: AsyncGenerator<readonly ModelEvent[], undefined>,
): AsyncIterableIterator<ModelEvent, undefined> {
  let batch: readonly ModelEvent[] = [];
  let at = 0;
  let waiting: Promise<unknown> = Promise.resolve();

  async function more(): Promise<IteratorResult<ModelEvent, undefined>> {
    while (at === batch.length) {
      const next = await source.next();
      if (next.done) return { done: true, value: undefined };
      batch = next.value;
      at = 0;
    }
    return { done: false, value: batch[at++] as ModelEvent };
  }
  const events: AsyncIterableIterator<ModelEvent, undefined> = {
    async next() {
      if (at < batch.length) return { done: false, value: batch[at++] as ModelEvent };
      // Whoever asks twice at once is answered in order.
      const result = waiting.then(more);
      waiting = result;
      return result;
    },
    async return() {
      batch = [];
      at = 0;
      await source.return(undefined);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => events,
  };
  return events;
}

async function* chunksOf(input: AnswerInput): AsyncGenerator<Uint8Array | object> {
  const encoder = new TextEncoder();
  const source = isResponse(input) ? input.body : input;
  if (source === null) return;
  if (typeof source === 'string') yield encoder.encode(source);
  else if ('getReader' in source) yield* readChunks(source as ReadableStream<Uint8Array>);
  else if (Symbol.asyncIterator in source)
    for await (const item of source as AsyncIterable<Uint8Array | string | object>)
      yield typeof item === 'string' ? encoder.encode(item) : item;
  else if (Array.isArray(source)) yield* source as object[];
  else yield source;
}

/** Told by its shape: not everybody's `fetch` is the platform's. */
function isResponse(input: AnswerInput): input is Response {
  return typeof input === 'object' && 'ok' in input && 'status' in input && 'body' in input;
}

/** The chunks of a stream: not every platform lets one be iterated. */
export async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}

/** What broke while the answer was read. SDKs throw the provider's error with its status. */
function thrown(error: unknown): ProviderError {
  const { name, message, status } = isRecord(error) ? error : {};
  const words = typeof message === 'string' && message !== '' ? message : String(error);
  if (typeof status === 'number')
    return errorOf(error, status) ?? providerError(codeOfStatus(status), words, { status });
  if (name === 'AbortError' || words.startsWith('Request was aborted')) return providerError('aborted', words);
  return providerError(name === 'TimeoutError' ? 'timed-out' : 'network', words);
}
