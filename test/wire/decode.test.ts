// What each wire's answers become: rows of small answers, and the troubles that may befall one.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { collect, collector } from '../../src/message/collect.ts';
import type { ModelEvent } from '../../src/message/event.ts';
import type { AssistantMessage } from '../../src/message/message.ts';
import { decodeEvents } from '../../src/wire/decode.ts';
import type { WireName } from '../../src/window/profile.ts';
import { author, decodeAll } from './recordings.ts';

function decoded(
  wire: WireName,
  ...events: unknown[]
): AssistantMessage & { last: ModelEvent | undefined; extras: unknown[] } {
  const all = decodeAll(wire, events);
  const collected = collector();
  for (const event of all) collected.push(event);
  const extras = all.flatMap((event) => (event.type === 'message-extra' ? [event.event] : []));
  return { ...collected.message(), last: all.at(-1), extras };
}

const chat = (message: object, more: object = {}, choice: object = { finish_reason: 'stop' }): object => ({
  id: 'chatcmpl-1',
  created: 1,
  choices: [{ index: 0, message: { role: 'assistant', ...message }, ...choice }],
  ...more,
});
const piece = (delta: object, finish_reason: string | null = null): object => ({
  id: 'chatcmpl-1',
  created: 1,
  choices: [{ index: 0, delta, finish_reason }],
});
const anthropic = (content: object[], more: object = {}): object => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content,
  stop_reason: 'end_turn',
  ...more,
});
const responses = (output: object[], more: object = {}): object => ({
  object: 'response',
  status: 'completed',
  error: null,
  output,
  ...more,
});
const gemini = (parts: object[], more: object = {}, body: object = {}): object => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  ...body,
});
const ollama = (message: object, more: object = { done: true, done_reason: 'stop' }): object => ({
  model: 'm',
  created_at: '2026-01-01T00:00:00Z',
  message: { role: 'assistant', content: '', ...message },
  ...more,
});

describe('an answer stops', () => {
  const refusal = { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] };
  const called = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
  const toolCall = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
  const rows: [WireName, string, string, object][] = [
    ['anthropic-messages', 'end', 'stop_sequence', anthropic([], { stop_reason: 'stop_sequence' })],
    ['anthropic-messages', 'length', 'max_tokens', anthropic([], { stop_reason: 'max_tokens' })],
    ['anthropic-messages', 'paused', 'pause_turn', anthropic([], { stop_reason: 'pause_turn' })],
    ['anthropic-messages', 'declined', 'refusal', anthropic([], { stop_reason: 'refusal' })],
    ['openai-chat', 'calls', 'calls although it says stop', chat({ tool_calls: [toolCall] })],
    ['openai-chat', 'length', 'length', chat({ content: 'Hi' }, {}, { finish_reason: 'length' })],
    ['openai-chat', 'declined', 'content_filter', chat({ content: '' }, {}, { finish_reason: 'content_filter' })],
    ['openai-chat', 'declined', 'a refusal', chat({ content: null, refusal: 'No.' })],
    ['openai-responses', 'calls', 'a call', responses([called])],
    ['openai-responses', 'declined', 'a refusal', responses([refusal])],
    [
      'openai-responses',
      'declined',
      'content_filter',
      responses([], { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }),
    ],
    [
      'openai-responses',
      'length',
      'max_output_tokens',
      responses([], { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
    ],
    ['gemini', 'calls', 'a call', gemini([{ functionCall: { name: 'f', args: {} } }], { finishReason: 'STOP' })],
    ['gemini', 'length', 'MAX_TOKENS', gemini([{ text: 'Hi' }], { finishReason: 'MAX_TOKENS' })],
    ['gemini', 'declined', 'SAFETY', gemini([], { finishReason: 'SAFETY' })],
    ['gemini', 'declined', 'PROHIBITED_CONTENT', gemini([], { finishReason: 'PROHIBITED_CONTENT' })],
    ['gemini', 'declined', 'a blocked prompt', { promptFeedback: { blockReason: 'OTHER' } }],
    ['ollama', 'length', 'length', ollama({ content: 'Hi' }, { done: true, done_reason: 'length' })],
  ];
  test.each(rows)('%s: %s, for %s', (wire, stop, _, body) => {
    expect(decoded(wire, body)).toMatchObject({ stop, last: { type: 'message-end' } });
  });

  test('with the words of a refusal as its text', () => {
    expect(decoded('openai-responses', responses([refusal])).content).toMatchObject([{ type: 'text', text: 'No.' }]);
    expect(decoded('openai-chat', chat({ refusal: 'No.' })).content).toEqual([{ type: 'text', text: 'No.' }]);
  });
});

describe('usage counts every token of the input once', () => {
  const rows: [WireName, object, object][] = [
    [
      'anthropic-messages',
      anthropic([], {
        usage: { input_tokens: 10, cache_read_input_tokens: 70, cache_creation_input_tokens: 20, output_tokens: 5 },
      }),
      { inputTokens: 100, outputTokens: 5, cachedTokens: 70, writtenTokens: 20 },
    ],
    [
      'openai-chat',
      chat(
        {},
        {
          usage: {
            prompt_tokens: 100,
            completion_tokens: 5,
            total_tokens: 105,
            prompt_tokens_details: { cached_tokens: 70 },
          },
        },
      ),
      { inputTokens: 100, outputTokens: 5, cachedTokens: 70 },
    ],
    [
      'openai-chat', // where reasoning is left out of the completion
      chat({}, { usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 300 } }),
      { inputTokens: 100, outputTokens: 200 },
    ],
    [
      'openai-chat',
      chat({}, { usage: { prompt_tokens: 100, completion_tokens: 5, prompt_cache_hit_tokens: 64 } }),
      { inputTokens: 100, outputTokens: 5, cachedTokens: 64 },
    ],
    [
      'openai-responses',
      responses([], {
        usage: {
          input_tokens: 100,
          output_tokens: 5,
          input_tokens_details: { cached_tokens: 70, cache_write_tokens: 20 },
        },
      }),
      { inputTokens: 100, outputTokens: 5, cachedTokens: 70, writtenTokens: 20 },
    ],
    [
      'gemini',
      gemini(
        [],
        { finishReason: 'STOP' },
        {
          usageMetadata: {
            promptTokenCount: 90,
            toolUsePromptTokenCount: 10,
            cachedContentTokenCount: 70,
            candidatesTokenCount: 2,
            thoughtsTokenCount: 3,
          },
        },
      ),
      { inputTokens: 100, outputTokens: 5, cachedTokens: 70 },
    ],
    [
      'ollama',
      ollama({}, { done: true, prompt_eval_count: 100, eval_count: 5 }),
      { inputTokens: 100, outputTokens: 5 },
    ],
  ];
  test.each(rows)('%s', (wire, body, usage) => {
    expect(decoded(wire, body).usage).toEqual(usage);
  });
});

describe('calls', () => {
  test('may come in pieces that are interleaved', () => {
    const part = (index: number, args: string, head: object = {}): object =>
      piece({ tool_calls: [{ index, function: { arguments: args }, ...head }] });
    const named = (index: number, name: string): object =>
      piece({ tool_calls: [{ index, id: `call_${name}`, type: 'function', function: { name, arguments: '' } }] });
    const { content, stop } = decoded(
      'openai-chat',
      named(0, 'a'),
      named(1, 'b'),
      part(0, '{"x":'),
      part(1, '{"y":'),
      part(1, '2}'),
      part(0, '1}'),
      piece({}, 'tool_calls'),
    );
    expect(content).toEqual([
      { type: 'call', id: 'call_a', name: 'a', input: { x: 1 } },
      { type: 'call', id: 'call_b', name: 'b', input: { y: 2 } },
    ]);
    expect(stop).toBe('calls');
  });

  test('that share an index but not their id are two', () => {
    const [one, two] = ['a', 'b'].map((id) => ({ index: 0, id, function: { name: 'f', arguments: '{}' } }));
    const { content } = decoded('openai-chat', piece({ tool_calls: [one] }), piece({ tool_calls: [two] }, 'stop'));
    expect(content).toMatchObject([{ id: 'a' }, { id: 'b' }]);
  });

  const unparsable: [WireName, unknown[]][] = [
    ['openai-chat', [chat({ tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{"a": nope' } }] })]],
    ['openai-responses', [responses([{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a": nope' }])]],
    [
      'anthropic-messages',
      [
        { type: 'message_start', message: { id: 'm' } },
        { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'c', name: 'f', input: {} } },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a": nope' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
        { type: 'message_stop' },
      ],
    ],
    ['ollama', [ollama({ tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{"a": nope' } }] })]],
  ];
  test.each(unparsable)('whose arguments are no JSON keep their text: %s', (wire, events) => {
    expect(decoded(wire, ...events).content).toMatchObject([{ type: 'call', id: 'c', name: 'f', input: '{"a": nope' }]);
  });

  const nameless: [WireName, (source: string) => object][] = [
    [
      'ollama',
      (source) => ({
        ...ollama({ tool_calls: [1, 2].map(() => ({ function: { name: 'f', arguments: {} } })) }),
        created_at: source,
      }),
    ],
    [
      'gemini',
      (source) =>
        gemini(
          [1, 2].map(() => ({ functionCall: { name: 'f', args: {} } })),
          { finishReason: 'STOP' },
          { responseId: source },
        ),
    ],
    [
      'openai-chat',
      (source) =>
        chat({ tool_calls: [1, 2].map(() => ({ function: { name: 'f', arguments: '{}' } })) }, { id: source }),
    ],
  ];
  test.each(nameless)('without ids get some: the same for the same answer, others for others (%s)', (wire, body) => {
    const ids = ['one', 'one', 'two'].map((source) =>
      decoded(wire, body(source)).content.map((block) => block.type === 'call' && block.id),
    );
    expect(ids[0]).toEqual(ids[1]);
    expect(new Set([...(ids[0] ?? []), ...(ids[2] ?? [])]).size).toBe(4);
  });

  test('of Gemini take their arguments value by value, from any path', () => {
    const args = (...pieces: object[]): object =>
      gemini([{ functionCall: { partialArgs: pieces, willContinue: true } }]);
    const { content } = decoded(
      'gemini',
      gemini([{ functionCall: { name: 'f', willContinue: true } }]),
      args(
        { jsonPath: "$.rows[0]['the name']", stringValue: 'Ap' },
        { jsonPath: "$.rows[0]['the name']", stringValue: 'ple' },
      ),
      args({ jsonPath: '$.rows[1].on', boolValue: true }, { jsonPath: '$.rows[1].n', numberValue: 0 }),
      args({ jsonPath: '$.none', nullValue: 'NULL_VALUE' }, { jsonPath: '$.__proto__.bad', stringValue: 'x' }),
      gemini([{ functionCall: {} }], { finishReason: 'STOP' }),
    );
    const expected = JSON.parse(
      '{"rows":[{"the name":"Apple"},{"on":true,"n":0}],"none":null,"__proto__":{"bad":"x"}}',
    );
    expect(content).toMatchObject([{ type: 'call', name: 'f' }]);
    expect(JSON.stringify(content[0]?.type === 'call' && content[0].input)).toBe(JSON.stringify(expected));
    expect(({} as { bad?: string }).bad).toBeUndefined();
  });
});

describe('trouble is the last event', () => {
  const rows: [WireName, string, object, object[]][] = [
    [
      'anthropic-messages',
      'an error in mid-stream',
      { code: 'overloaded', message: 'Overloaded', retryable: true },
      [
        { type: 'message_start', message: { id: 'm' } },
        { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      ],
    ],
    [
      'openai-chat',
      'an error in a chunk',
      { code: 'server', status: 502 },
      [
        piece({ content: 'Hi' }),
        { error: { code: 502, message: 'Provider disconnected' }, choices: [{ delta: {}, finish_reason: 'error' }] },
      ],
    ],
    [
      'openai-chat',
      'no money left',
      { code: 'rate-limited', retryable: false },
      [{ error: { code: 'insufficient_quota', message: 'x' } }],
    ],
    [
      'openai-chat',
      'too long a prompt',
      { code: 'context', retryable: false },
      [{ error: { code: 'context_length_exceeded', message: 'x' } }],
    ],
    [
      'openai-responses',
      'a failed response',
      { code: 'rate-limited', message: 'Slow down.' },
      [
        {
          type: 'response.failed',
          response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Slow down.' }, output: [] },
        },
      ],
    ],
    [
      'openai-responses',
      'an error event',
      { code: 'server', message: 'Oh.' },
      [{ type: 'error', code: 'server_error', message: 'Oh.', param: null }],
    ],
    [
      'gemini',
      'a rate limit with its delay',
      { code: 'rate-limited', status: 429, retryAfter: 34_400 },
      [
        {
          error: {
            code: 429,
            status: 'RESOURCE_EXHAUSTED',
            message: 'x',
            details: [{ '@type': 'RetryInfo', retryDelay: '34.4s' }],
          },
        },
      ],
    ],
    [
      'gemini',
      'a call it could not write',
      { code: 'server', retryable: true },
      [gemini([], { finishReason: 'MALFORMED_FUNCTION_CALL' })],
    ],
    [
      'ollama',
      'an error line',
      { code: 'server', message: 'out of memory' },
      [ollama({ content: 'Hi' }, { done: false }), { error: 'out of memory' }],
    ],
    ['ollama', 'a body of another kind', { code: 'malformed', retryable: false }, [{ detail: 'Not Found' }]],
    [
      'openai-chat',
      'an error with a name that every object knows',
      { code: 'server', message: 'Oh.' },
      [{ error: { type: 'constructor', message: 'Oh.' } }],
    ],
    ['ollama', 'nothing at all', { code: 'cut-off', retryable: true }, []],
    ['openai-chat', 'an end without a reason', { code: 'cut-off', retryable: true }, [piece({ content: 'Hi' })]],
  ];
  test.each(rows)('%s: %s', (wire, _, error, events) => {
    const { last, stop, content } = decoded(wire, ...events);
    expect(last).toMatchObject({ type: 'message-error', ...error });
    expect(stop).toBe('error');
    expect(content.filter((block) => block.type === 'call')).toEqual([]);
  });

  test('and tells neither keys nor base64', () => {
    const message = `Bad key sk-proj-${'a1B2'.repeat(10)} for data:image/png;base64,${'iVBOR'.repeat(200)}`;
    const { last } = decoded('openai-chat', { error: { message, code: 'invalid_api_key' } });
    expect(last).toMatchObject({ code: 'auth', message: 'Bad key [key] for data:image/png;base64,…' });
  });

  test('nothing follows it', () => {
    const events = decodeAll('openai-chat', [{ error: 'Oh.' }, chat({ content: 'Hi' })]);
    expect(events.map(({ type }) => type)).toEqual(['message-error']);
  });
});

test('what has no place in a message is given as an extra', () => {
  const grounded = gemini([{ text: 'Hi' }], { finishReason: 'STOP', groundingMetadata: { webSearchQueries: ['x'] } });
  expect(decoded('gemini', grounded).extras).toEqual([{ groundingMetadata: { webSearchQueries: ['x'] } }]);
  expect(decoded('openai-chat', chat({ content: 'Hi', annotations: [{ type: 'url_citation' }] })).extras).toEqual([
    { annotations: [{ type: 'url_citation' }] },
  ]);
  const unknown = { type: 'content_block_sparkle' };
  expect(decoded('anthropic-messages', unknown, anthropic([])).extras).toEqual([unknown]);
});

type Chunk = Uint8Array | string | object;

async function* items(...values: Chunk[]): AsyncGenerator<Chunk> {
  yield* values;
}

describe('decodeEvents takes', () => {
  const stream =
    'data: {"choices":[{"delta":{"content":"Hé"}}]}\n\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const body = chat({ content: 'Hé' });
  const bytes = new TextEncoder().encode(stream);
  const inputs: [string, () => Parameters<typeof decodeEvents>[2]][] = [
    ['a response that streams', () => new Response(stream)],
    ['a response that is whole', () => Response.json(body)],
    ['a stream of bytes', () => new Response(stream).body ?? ''],
    ['bytes one by one', () => items(...Array.from(bytes, (byte) => Uint8Array.of(byte)))],
    ['text', () => stream],
    ['text in pieces', () => items(stream.slice(0, 40), stream.slice(40))],
    ['a whole body', () => body],
    ['the chunks of an SDK', () => items(piece({ content: 'Hé' }), piece({}, 'stop'))],
    ['a list of chunks', () => [piece({ content: 'Hé' }), piece({}, 'stop')]],
  ];
  test.each(inputs)('%s', async (_, input) => {
    expect(await collect(decodeEvents('openai-chat', author, input()))).toEqual({
      role: 'assistant',
      model: 'somewhere/some-model',
      content: [{ type: 'text', text: 'Hé' }],
      stop: 'end',
    });
  });

  const failures: [string, () => Parameters<typeof decodeEvents>[2], object][] = [
    [
      'an error with its status',
      () => Response.json({ error: { message: 'Oh.' } }, { status: 404 }),
      { code: 'not-found', status: 404, message: 'Oh.' },
    ],
    [
      'a complaint about a field, as Mistral and vLLM put it',
      () =>
        Response.json({ detail: [{ loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' }] }, { status: 422 }),
      { code: 'invalid', status: 422, message: expect.stringContaining('Extra inputs are not permitted') as string },
    ],
    [
      'a page instead of an answer',
      () => new Response('<html>Bad Gateway</html>', { status: 502 }),
      { code: 'server', status: 502 },
    ],
    ['a page with a good status', () => new Response('<html>Sign in</html>'), { code: 'malformed' }],
    ['an empty body', () => new Response(null), { code: 'cut-off' }],
    ['an empty error', () => new Response('', { status: 429 }), { code: 'rate-limited', status: 429, retryable: true }],
    ['broken JSON in mid-stream', () => new Response(`data: {"choices\n\n${stream}`), { code: 'malformed' }],
    [
      'an answer that was stopped',
      () => broken(new DOMException('Stopped.', 'AbortError')),
      { code: 'aborted', retryable: false },
    ],
    ['an answer that took too long', () => broken(new DOMException('Slow.', 'TimeoutError')), { code: 'timed-out' }],
    ['a connection that broke', () => broken(new TypeError('terminated')), { code: 'network', message: 'terminated' }],
    [
      'what an SDK throws',
      () => broken(Object.assign(new Error('429'), { status: 429, error: { message: 'Slow down.' } })),
      { code: 'rate-limited', message: 'Slow down.' },
    ],
  ];
  async function* broken(error: Error): AsyncGenerator<Uint8Array> {
    yield bytes.subarray(0, 20);
    throw error;
  }
  test.each(failures)('%s, and never throws', async (_, input, error) => {
    const events: ModelEvent[] = [];
    for await (const event of decodeEvents('openai-chat', author, input())) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'message-error', ...error });
  });

  test('a connection that breaks after the last word as complete', async () => {
    expect(await collect(decodeEvents('openai-chat', author, brokenLate()))).toMatchObject({ stop: 'end' });
  });

  test('a real connection, and lets go of it when the answer is complete', async () => {
    const closed = Promise.withResolvers<void>();
    const server = createServer((_, response) => {
      response.write(stream); // and never an end
      response.on('close', closed.resolve);
    });
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const message = await collect(decodeEvents('openai-chat', author, await fetch(`http://127.0.0.1:${port}/`)));
    expect(message.stop).toBe('end');
    await closed.promise;
    server.close();
  });

  test('its time: an event is told when its bytes are there, and a stream nobody reads is let go of', async () => {
    let cancelled = false;
    const line = `${JSON.stringify(ollama({ content: 'Hi' }, { done: false }))}\n`;
    const input = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(line)), // and nothing more
      cancel: () => void (cancelled = true),
    });
    const events = decodeEvents('ollama', author, input);
    for await (const event of events) if (event.type === 'block-delta') break;
    expect(cancelled).toBe(true);
  });
});

async function* brokenLate(): AsyncGenerator<object> {
  yield piece({ content: 'Hé' }, 'stop');
  throw new TypeError('terminated');
}

const thought = (text: string): object => ({ type: 'thinking', thinking: [{ type: 'text', text }] });

test('the parts in which Mistral thinks and speaks grow together, and go back as they came', () => {
  const { content } = decoded(
    'openai-chat',
    piece({ role: 'assistant', content: [thought('The chart ')] }),
    piece({ content: [thought('rises.')] }),
    piece({ content: [{ type: 'text', text: 'It ' }] }),
    piece({ content: [{ type: 'text', text: 'rises.' }] }, 'stop'),
  );
  const item = { content: [thought('The chart rises.'), { type: 'text', text: 'It rises.' }] };
  expect(content).toEqual([
    { type: 'thinking', text: 'The chart rises.', seal: expect.objectContaining({ item }) },
    { type: 'text', text: 'It rises.' },
  ]);
});

test('summaries of one thought are paragraphs, while they stream and at the end', () => {
  const place = { output_index: 0, item_id: 'rs_1' };
  const summary = ['First.', 'Then.'].map((text) => ({ type: 'summary_text', text }));
  const { content } = decoded(
    'openai-responses',
    { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } },
    { type: 'response.reasoning_summary_text.delta', ...place, summary_index: 0, delta: 'First.' },
    { type: 'response.reasoning_summary_text.delta', ...place, summary_index: 1, delta: 'Th' },
    { type: 'response.reasoning_summary_text.delta', ...place, summary_index: 1, delta: 'en.' },
    { type: 'response.output_item.done', output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary } },
    { type: 'response.completed', response: responses([{ type: 'reasoning', id: 'rs_1', summary }]) },
  );
  expect(content).toEqual([{ type: 'thinking', text: 'First.\n\nThen.' }]);
});
