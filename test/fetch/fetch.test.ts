// What the wrapper does to requests and leaves undone, request by request: written by hand in each dialect, sent to a
// server that speaks it.
import { readFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { ROOT_CONTEXT, context, trace } from '@opentelemetry/api';
import { AsyncLocalStorage } from 'node:async_hooks';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { edgeFetch } from '../../src/fetch/edge.ts';
import { sightlineFetch } from '../../src/fetch/index.ts';
import type { FetchOptions, Receipt } from '../../src/fetch/index.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedRequest, ScriptedServer } from '../../src/model/script/index.ts';
import { base64InText, schemaErrors } from '../judge/judge.ts';

const chart = readFileSync('examples/chart.png').toString('base64');
const phone = readFileSync('test/fixtures/image/hopper.heif').toString('base64');
const pdf = readFileSync('examples/report.pdf').toString('base64');

let server: ScriptedServer;
let check: ((request: ScriptedRequest) => { status: number; message: string } | undefined) | undefined;
beforeAll(async () => {
  server = await scriptedServer(
    script(() => ({ text: 'Good.' })),
    { check: (request) => check?.(request) },
  );
});
afterAll(() => server.close());
beforeEach(() => (check = undefined));

type Body = Record<string, unknown>;

const paths = {
  anthropic: '/v1/messages',
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  gemini: '/v1beta/models/gemini-2.5-pro:generateContent',
  ollama: '/api/chat',
};

/** Sends a body through the wrapper and gives what arrived. */
async function post(path: string, body: Body, fetchIt: typeof fetch): Promise<{ sent: Body; response: Response }> {
  const response = await fetchIt(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-own': 'kept' },
    body: JSON.stringify(body),
  });
  await response.clone().text();
  return { sent: server.requests.at(-1)?.body as Body, response };
}

async function arrived(path: string, body: Body, options: FetchOptions = {}): Promise<Body> {
  return (await post(path, body, sightlineFetch(options))).sent;
}

const image = (data = chart): Body => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
const toolUse = (id: string): Body => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'look', input: {} }],
});
const result = (id: string, content: unknown, more: Body = {}): Body => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});
const hidden = (data = chart): string => JSON.stringify({ note: 'as asked', screenshot: data });

function anthropic(...messages: unknown[]): Body {
  return { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'Look.' }, ...messages] };
}

function chat(...messages: unknown[]): Body {
  return { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Look.' }, ...messages] };
}

const chatPicture = (data: string, type: string): Body => ({
  type: 'image_url',
  image_url: { url: `data:image/${type};base64,${data}` },
});
const chatCall = (...ids: string[]): Body => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
});

/** A fetch that keeps its arguments. */
function recorder(): { calls: unknown[][]; fetch: typeof fetch } {
  const calls: unknown[][] = [];
  return { calls, fetch: async (...given) => (calls.push(given), new Response('{}')) };
}

async function pictures(count: number): Promise<string[]> {
  const out: string[] = [];
  for (let at = 0; at < count; at++) {
    const background = { r: at * 9, g: 40, b: 90 };
    const bytes = await sharp({ create: { width: 80 + at, height: 60, channels: 3, background } })
      .png()
      .toBuffer();
    out.push(bytes.toString('base64'));
  }
  return out;
}

function turn(data: string, at: number): unknown[] {
  return [chatCall(`call_${at}`), { role: 'tool', tool_call_id: `call_${at}`, content: hidden(data) }];
}

describe('what passes as it is', () => {
  const plain = JSON.stringify(chat({ role: 'user', content: 'x'.repeat(50) }));
  const form = new FormData();
  form.set('file', new Blob(['x']));
  const rows: [string, string, RequestInit][] = [
    ['a request without media', paths.chat, { method: 'POST', body: plain }],
    ['a body that is no JSON', paths.chat, { method: 'POST', body: `{"messages": [${chart}` }],
    ['JSON that is no request', paths.chat, { method: 'POST', body: JSON.stringify({ data: chart }) }],
    [
      'a list where none should be',
      paths.chat,
      { method: 'POST', body: JSON.stringify({ messages: [[chart], 3, null] }) },
    ],
    ['a form', paths.chat, { method: 'POST', body: form }],
    ['a stream', paths.chat, { method: 'POST', body: new Blob([hidden()]).stream(), duplex: 'half' } as RequestInit],
    ['bytes that are no text', paths.chat, { method: 'POST', body: new Uint8Array([255, 216, 255]) }],
    ['a request of another API', '/v1/embeddings', { method: 'POST', body: JSON.stringify({ input: [chart] }) }],
    ['a GET', paths.chat, {}],
    [
      'a compressed body',
      paths.chat,
      {
        method: 'POST',
        body: JSON.stringify(chat(chatCall('a'), { role: 'tool', tool_call_id: 'a', content: hidden() })),
        headers: { 'content-encoding': 'gzip' },
      },
    ],
    [
      '40 MB of text',
      paths.chat,
      { method: 'POST', body: JSON.stringify(chat({ role: 'user', content: 'a lot '.repeat(7_000_000) })) },
    ],
    [
      '40 MB of one letter in a result',
      paths.chat,
      {
        method: 'POST',
        body: JSON.stringify(chat(chatCall('a'), { role: 'tool', tool_call_id: 'a', content: 'a'.repeat(40_000_000) })),
      },
    ],
  ];
  test.each(rows)('%s, the very same object', async (_what, path, init) => {
    const { calls, fetch: base } = recorder();
    const input = `https://api.openai.com${path}`;
    await sightlineFetch({ fetch: base })(input, init);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.[0]).toBe(input);
    expect(calls[0]?.[1]).toBe(init);
  });

  test('pictures that stand where they should, with whatever their fields are', async () => {
    const body = anthropic(toolUse('a'), {
      role: 'user',
      content: [
        result('a', [image(), { type: 'text', text: 'x', citations: [] }], { cache_control: { type: 'ephemeral' } }),
      ],
    });
    expect(JSON.stringify(await arrived(paths.anthropic, body))).toBe(JSON.stringify(body));
  });

  test('a picture of the user for a model that nobody knows', async () => {
    const part = { type: 'image_url', image_url: { url: `data:image/png;base64,${chart}` } };
    const body = { ...chat({ role: 'user', content: [part] }), model: 'my-own-model' };
    expect(await arrived(paths.chat, body)).toEqual(body);
  });

  test('a HEIC that nobody here can open, for a model that takes it', async () => {
    const parts = [{ inlineData: { mimeType: 'image/heic', data: phone } }];
    const response = { functionResponse: { name: 'look', response: { ok: true }, parts } };
    const contents = [
      { role: 'user', parts: [{ text: 'Look.' }] },
      { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
      { role: 'user', parts: [response] },
    ];
    const path = '/v1beta/models/gemini-3-pro-preview:generateContent';
    expect((await post(path, { contents }, edgeFetch())).sent).toEqual({ contents });
  });

  test("an abort is the caller's own error, before and while", async () => {
    const gone = AbortSignal.abort(new Error('enough'));
    const init = {
      method: 'POST',
      signal: gone,
      body: JSON.stringify(chat(chatCall('a'), { role: 'tool', tool_call_id: 'a', content: hidden() })),
    };
    await expect(sightlineFetch()(`${server.url}${paths.chat}`, init)).rejects.toThrow('enough');
  });

  test('an error of the provider that is not about media, with its body unread', async () => {
    check = () => ({ status: 401, message: 'Incorrect API key provided' });
    const { response } = await post(
      paths.chat,
      chat(chatCall('a'), { role: 'tool', tool_call_id: 'a', content: hidden() }),
      sightlineFetch(),
    );
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { message: 'Incorrect API key provided' } });
  });
});

describe('what is repaired', () => {
  test.each(['undefined', '', '!!!!', '[object Object]'])(
    'a picture of which a tool left nothing but %j, once the provider refuses it',
    async (data) => {
      check = ({ body }) =>
        JSON.stringify(body).includes(`"data":"${data}"`)
          ? { status: 400, message: 'messages.2.content.0.image: Could not process image' }
          : undefined;
      const fetchIt = sightlineFetch();
      const body = anthropic(toolUse('a'), { role: 'user', content: [result('a', [image(data)])] });
      const before = server.requests.length;
      const { sent, response } = await post(paths.anthropic, body, fetchIt);
      expect(response.status).toBe(200);
      expect(JSON.stringify(sent)).toMatch(/not shown: /);
      await post(paths.anthropic, body, fetchIt); // from now on it is looked at before
      expect(server.requests.length - before).toBe(3);
    },
  );

  test('a picture of which nothing is left, beside one that the provider refuses as well', async () => {
    check = ({ body }) =>
      /"data":"undefined"|"data":"iVBOR/.test(JSON.stringify(body))
        ? { status: 400, message: 'Could not process image' }
        : undefined;
    const body = anthropic(toolUse('a'), { role: 'user', content: [result('a', [image('undefined')])] }, toolUse('b'), {
      role: 'user',
      content: [result('b', [image()])],
    });
    const fetchIt = sightlineFetch();
    const { response } = await post(paths.anthropic, body, fetchIt);
    expect(response.status).toBe(200);
    expect(JSON.stringify((await post(paths.anthropic, body, fetchIt)).sent)).not.toContain('"data":"undefined"');
  });

  test('a HEIC that nobody here can open becomes words, and the picture beside it is shown', async () => {
    for (const type of ['heic', 'png']) {
      const content = [chatPicture(chart, 'png'), chatPicture(phone, type)];
      const body = chat(chatCall('a'), { role: 'tool', tool_call_id: 'a', content });
      const { sent } = await post(paths.chat, body, edgeFetch());
      const [, , tool, after] = sent['messages'] as Body[];
      expect(JSON.stringify(tool)).toContain('not shown: It is no PNG, JPEG, GIF, WebP or PDF');
      expect(JSON.stringify(after)).toContain(chart);
      expect(JSON.stringify(sent)).not.toContain(phone);
    }
  });

  test('fields, blocks and headers that nobody here knows stay, in place', async () => {
    const search = {
      type: 'search_result',
      source: 'https://x',
      title: 'X',
      content: [{ type: 'text', text: 'found' }],
    };
    const byUrl = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    const body = {
      ...anthropic(
        toolUse('a'),
        {
          role: 'user',
          content: [
            result(
              'a',
              [
                { type: 'text', text: 'first', cache_control: { type: 'ephemeral' } },
                search,
                { type: 'text', text: hidden() },
                byUrl,
              ],
              { own: 1 },
            ),
            { type: 'text', text: 'and?', cache_control: { type: 'ephemeral', ttl: '1h' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'c2ln'.repeat(100) },
            { type: 'text', text: 'A.' },
          ],
        },
        { role: 'user', content: 'More.' },
      ),
      metadata: { user_id: 'u' },
      unheard_of: [1.0, { deep: true }],
    };
    const messages = (body as Body)['messages'] as Body[];
    const sent = await arrived(paths.anthropic, body);
    const [asked, called, results, ...rest] = sent['messages'] as Body[];
    expect([asked, called, ...rest]).toEqual(messages.filter((_, at) => at !== 2));
    const [answer, question] = (results ?? {})['content'] as [Body, Body];
    expect(answer).toMatchObject({ type: 'tool_result', tool_use_id: 'a', own: 1 });
    expect(answer['content']).toEqual([
      { type: 'text', text: 'first', cache_control: { type: 'ephemeral' } },
      search,
      { type: 'text', text: expect.stringContaining('as asked') },
      image(),
      byUrl,
    ]);
    expect(question).toEqual({ type: 'text', text: 'and?', cache_control: { type: 'ephemeral', ttl: '1h' } });
    expect({ ...sent, messages: 0 }).toEqual({ ...body, messages: 0 });
    expect(server.requests.at(-1)?.headers['x-own']).toBe('kept');
  });

  test('results that were split by a message stand together, and the message follows', async () => {
    const body = chat(
      chatCall('a', 'b'),
      { role: 'tool', tool_call_id: 'a', content: hidden() },
      { role: 'user', content: 'Attached.' },
      { role: 'tool', tool_call_id: 'b', content: 'fine' },
    );
    const sent = await arrived(paths.chat, body);
    expect((sent['messages'] as Body[]).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
      'user',
    ]);
    expect(await schemaErrors('openai-chat', sent)).toEqual([]);
  });

  test('a result whose call the server keeps is left under its id', async () => {
    const output = { type: 'function_call_output', call_id: 'far', output: hidden() };
    const sent = await arrived(paths.responses, { model: 'gpt-5.2', previous_response_id: 'resp_1', input: [output] });
    expect(sent['input']).toMatchObject([
      { type: 'function_call_output', call_id: 'far', output: [{ type: 'input_text' }, { type: 'input_image' }] },
    ]);
  });

  test('a picture after a failed call leaves the result that may hold words only', async () => {
    const body = anthropic(toolUse('a'), {
      role: 'user',
      content: [result('a', [{ type: 'text', text: 'no' }, image()], { is_error: true })],
    });
    const sent = await arrived(paths.anthropic, body);
    expect(await schemaErrors('anthropic-messages', sent)).toEqual([]);
    expect(JSON.stringify(sent)).toContain(chart);
  });

  test('a broken picture becomes the words that say so, and does not poison the conversation', async () => {
    const broken = `${chart.slice(0, 400)}${'A'.repeat(400)}`;
    const receipts: Receipt[] = [];
    const body = anthropic(toolUse('a'), { role: 'user', content: [result('a', [image(broken)])] });
    const sent = await arrived(paths.anthropic, body, { onReceipts: (told) => receipts.push(...told) });
    expect(JSON.stringify(sent)).toContain('not shown');
    expect(receipts).toMatchObject([{ action: 'words' }]);
  });

  test('a picture that an SDK sent twice is sent once: beside its response and in it (Gemini), as text and as picture (Ollama)', async () => {
    const call = { role: 'model', parts: [{ functionCall: { id: 'a', name: 'look', args: {} } }] };
    const inline = { inlineData: { mimeType: 'image/png', data: chart } };
    const twice = [
      { functionResponse: { id: 'a', name: 'look', response: { output: 'ok' }, parts: [inline] } },
      inline,
    ];
    const sent = await arrived(paths.gemini, {
      contents: [{ role: 'user', parts: [{ text: 'Look.' }] }, call, { role: 'user', parts: twice }],
    });
    expect(JSON.stringify(sent).split(chart)).toHaveLength(2);
    expect(await schemaErrors('gemini', sent)).toEqual([]);
    const messages = [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: '', tool_calls: [{ function: { name: 'look', arguments: {} } }] },
      {
        role: 'tool',
        tool_name: 'look',
        content: JSON.stringify([{ type: 'image', data: chart, mimeType: 'image/png' }]),
        images: [chart],
      },
    ];
    const local = await arrived(paths.ollama, { model: 'qwen3-vl', messages, stream: false });
    expect(JSON.stringify(local).split(chart)).toHaveLength(2);
    expect(await schemaErrors('ollama', local)).toEqual([]);
  });

  test('a picture that a user or a tool shows twice is shown twice: what is compared may be the same', async () => {
    const shown = [{ type: 'text', text: 'Before:' }, image(chart), { type: 'text', text: 'After:' }, image(chart)];
    const said = await arrived(paths.anthropic, anthropic({ role: 'user', content: shown }));
    expect(JSON.stringify(said).split(chart)).toHaveLength(3);
    const given = await arrived(
      paths.anthropic,
      anthropic(toolUse('a'), { role: 'user', content: [result('a', shown)] }),
    );
    expect(JSON.stringify(given).split(chart)).toHaveLength(3);
  });

  const wrap = (end: string): string => chart.replaceAll(/.{76}/g, `$&${end}`);
  const bytes = Buffer.from(chart, 'base64');
  test.each([
    ['YAML', `image: !!binary |\n  ${wrap('\n  ')}`],
    ['quoted mail', `> ${wrap('\n> ')}`],
    ['lines behind each other', wrap(' ')],
    ['letters as codes in a data URI', `<img src="data:image/png;base64,${encodeURIComponent(chart)}">`],
    ['lines that a data URI breaks', `data:image/png;base64,${wrap('%0A')}`],
    ['a Buffer in JSON', JSON.stringify({ pic: bytes })],
    ['a Buffer in JSON behind words', `Result: ${JSON.stringify({ pic: bytes })}`],
  ])('a picture in the words of a result, as %s', async (_what, content) => {
    const sent = await arrived(
      paths.anthropic,
      anthropic(toolUse('t1'), { role: 'user', content: [result('t1', content)] }),
    );
    expect(JSON.stringify(sent)).toContain(chart);
    expect(JSON.stringify(sent).length).toBeLessThan(chart.length + 1000);
    const over = await arrived(paths.chat, chat(chatCall('c1'), { role: 'tool', tool_call_id: 'c1', content }));
    expect(JSON.stringify(over)).toContain(chart);
  });

  test('a body of bytes and a Request are repaired too', async () => {
    const body = JSON.stringify(chat(chatCall('a'), { role: 'tool', tool_call_id: 'a', content: hidden() }));
    const wrapped = sightlineFetch();
    const url = `${server.url}${paths.chat}`;
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length), 'x-own': 'kept' };
    await wrapped(url, { method: 'POST', headers, body: new TextEncoder().encode(body) });
    await wrapped(
      new Request(url, { method: 'POST', headers: { 'content-type': 'application/json', 'x-own': 'kept' }, body }),
    );
    for (const request of server.requests.slice(-2)) {
      expect(base64InText('openai-chat', request.body)).toEqual([]);
      expect(request.headers['x-own']).toBe('kept');
      expect(request.headers['content-length']).toBe(String(request.bytes));
    }
  });
});

test('what stands beside a Request as undefined hides nothing of it', async () => {
  const { calls, fetch: base } = recorder();
  const gone = new AbortController();
  const body = JSON.stringify(chat(chatCall('a'), { role: 'tool', tool_call_id: 'a', content: hidden() }));
  const headers = { 'content-type': 'application/json' };
  const given = new Request(`${server.url}${paths.chat}`, { method: 'POST', headers, body, signal: gone.signal });
  const nothing = { method: undefined, headers: undefined, signal: undefined } as unknown as RequestInit;
  await sightlineFetch({ fetch: base })(given, nothing);
  const sent = calls[0]?.[0] as Request;
  expect(sent.method).toBe('POST');
  expect(base64InText('openai-chat', JSON.parse(await sent.text()))).toEqual([]);
  gone.abort();
  expect(sent.signal.aborted).toBe(true);
});

const reference = (id: string): Body => ({ type: 'item_reference', id });
const output = (call_id: string, value: string): Body => ({ type: 'function_call_output', call_id, output: value });

function idOf({ id, call_id, role }: Body): unknown {
  return id ?? call_id ?? role;
}

describe('what has no pair in the request', () => {
  test.each([
    // As the AI SDK writes a conversation that OpenAI stores: calls, thoughts and words of the model by their ids.
    [
      'references to stored items',
      [
        { role: 'user', content: [{ type: 'input_text', text: 'Look.' }] },
        reference('rs_1'),
        reference('fc_1'),
        output('call_1', hidden()),
        reference('msg_1'),
        { role: 'user', content: [{ type: 'input_text', text: 'Again.' }] },
        reference('fc_2'),
        reference('fc_3'),
        output('call_2', 'nothing'),
        output('call_3', hidden()),
      ],
    ],
    [
      'calls of tools that the provider runs',
      [
        { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
        { type: 'function_call', call_id: 'call_2', name: 'look', arguments: '{}' },
        output('call_1', hidden()),
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
        output('call_2', hidden()),
      ],
    ],
    ['answers to a response before', [output('call_2', hidden()), output('call_1', 'nothing')]],
  ] as [string, Body[]][])('keeps its place: %s', async (_, input) => {
    const sent = await arrived(paths.responses, { model: 'gpt-5.2', input });
    const items = sent['input'] as Body[];
    expect(items.map(idOf)).toEqual(input.map(idOf));
    expect(items.filter(({ type }) => type === 'item_reference')).toEqual(
      input.filter(({ type }) => type === 'item_reference'),
    );
    const shown = items.filter(({ output: given }) => JSON.stringify(given)?.includes('"input_image"'));
    expect(shown.map(({ call_id }) => call_id)).toEqual(
      input.filter(({ output: given }) => given === hidden()).map(({ call_id }) => call_id),
    );
    expect(base64InText('openai-responses', sent)).toEqual([]);
  });
});

/** A fetch whose answers have streams of Node for bodies, as that of node-fetch. */
const fetchOfNode: typeof fetch = async (input, init) => {
  const came = await fetch(input, init);
  const words = await came.text();
  const { status, ok, headers } = came;
  const text = async (): Promise<string> => words;
  const answer = (): object => ({ status, ok, headers, text, body: Readable.from([words]), clone: answer });
  return answer() as Response;
};

describe('over many requests', () => {
  test('what was sent stays the beginning of what is sent next, through a batch that had to go', async () => {
    const all = await pictures(12);
    const wrapped = sightlineFetch({ budget: { images: 5 } });
    let before: unknown[] = [];
    let moves = 0;
    for (let count = 1; count <= all.length; count++) {
      const { sent } = await post(paths.chat, chat(...all.slice(0, count).flatMap(turn)), wrapped);
      const messages = sent['messages'] as unknown[];
      if (JSON.stringify(messages.slice(0, before.length)) !== JSON.stringify(before)) moves++;
      expect(JSON.stringify(sent).split('image_url":{"url').length - 1).toBeLessThanOrEqual(5);
      expect(JSON.stringify(sent)).toContain(all[count - 1]);
      before = messages;
    }
    expect(moves).toBeGreaterThan(0);
    expect(moves).toBeLessThanOrEqual(5);
  });

  test('a medium that the provider refuses goes one rung lower, the answer comes, and it stays there', async () => {
    const [bad = ''] = await pictures(1);
    check = ({ body }) =>
      JSON.stringify(body).includes(bad)
        ? { status: 400, message: 'Invalid image: could not process image' }
        : undefined;
    const told: Receipt[][] = [];
    const wrapped = sightlineFetch({ onReceipts: (receipts) => told.push(receipts) });
    const before = server.requests.length;
    const conversation = chat(...turn(bad, 1));
    const { response } = await post(paths.chat, conversation, wrapped);
    expect(response.status).toBe(200);
    expect(server.requests.length - before).toBe(2);
    expect(told.at(-1)?.[0]).toMatchObject({ action: 'checkpoint', subject: 'quarantine' });
    await post(
      paths.chat,
      chat(...turn(bad, 1), { role: 'assistant', content: 'Ah.' }, { role: 'user', content: 'So?' }),
      wrapped,
    );
    expect(server.requests.length - before).toBe(3); // not refused again
  });

  test('a refused medium is healed under a fetch of another library, whose bodies are streams of Node', async () => {
    const [bad = ''] = await pictures(1);
    check = ({ body }) =>
      JSON.stringify(body).includes(bad) ? { status: 400, message: 'Could not process image' } : undefined;
    const { response } = await post(paths.chat, chat(...turn(bad, 1)), sightlineFetch({ fetch: fetchOfNode }));
    expect(response.status).toBe(200);
  });

  test('a picture that is refused smaller, too, becomes words', async () => {
    check = ({ body }) =>
      JSON.stringify(body).includes('data:image') ? { status: 400, message: 'Could not process image' } : undefined;
    const wrapped = sightlineFetch();
    const before = server.requests.length;
    const { response, sent } = await post(paths.chat, chat(...turn(chart, 1)), wrapped);
    expect([response.status, server.requests.length - before]).toEqual([200, 3]);
    expect(JSON.stringify(sent)).toMatch(/\[image .*refused/);
    await post(paths.chat, chat(...turn(chart, 1), { role: 'assistant', content: 'Ah.' }, { role: 'user', content: 'So?' }), wrapped); // prettier-ignore
    expect(server.requests.length - before).toBe(4); // not refused again
  });

  test('a complaint that names a place lowers what stands there, and nothing beside it', async () => {
    const [good = '', bad = ''] = await pictures(2);
    const where = 'messages.2.content.0.tool_result.content.1.image.source.base64';
    check = ({ body }) =>
      JSON.stringify(body).includes(bad)
        ? { status: 400, message: `${where}: image could not be processed` }
        : undefined;
    const content = [result('a', [image(good), image(bad)])];
    const { response, sent } = await post(
      paths.anthropic,
      anthropic(toolUse('a'), { role: 'user', content }),
      sightlineFetch(),
    );
    expect(response.status).toBe(200);
    expect(JSON.stringify(sent)).toContain(good);
    expect(await schemaErrors('anthropic-messages', sent)).toEqual([]);
  });

  const severals = ['messages.2', 'messages.2.content.0', 'messages', undefined];
  test.each(severals)('a complaint about %s, where several media stand, lowers the guilty one alone', async (where) => {
    const [first = '', bad = '', last = ''] = await pictures(3);
    const said = `${where === undefined ? '' : `${where}: `}image could not be processed`;
    check = ({ body }) => (JSON.stringify(body).includes(bad) ? { status: 400, message: said } : undefined);
    const told: Receipt[][] = [];
    const content = [result('a', [image(first), image(bad), image(last)])];
    const before = server.requests.length;
    const { response, sent } = await post(
      paths.anthropic,
      anthropic(toolUse('a'), { role: 'user', content }),
      sightlineFetch({ onReceipts: (receipts) => told.push(receipts) }),
    );
    expect(response.status).toBe(200);
    expect([first, bad, last].map((picture) => JSON.stringify(sent).includes(picture))).toEqual([true, false, true]);
    expect(server.requests.length - before).toBe(3); // as it came, without the newest, without the one before
    expect(told.at(-1)?.map(({ action }) => action)).toEqual(['checkpoint', 'inside', 'reduced', 'inside']);
  });

  test('media that the model has taken before are not suspected of what came later', async () => {
    const [good = '', bad = ''] = await pictures(2);
    const wrapped = sightlineFetch();
    check = ({ body }) => (JSON.stringify(body).includes(bad) ? { status: 400, message: 'Invalid image' } : undefined);
    await post(paths.chat, chat(...turn(good, 1)), wrapped);
    const before = server.requests.length;
    const { sent } = await post(paths.chat, chat(...turn(bad, 1), ...turn(good, 2)), wrapped);
    expect(JSON.stringify(sent)).toContain(good);
    expect(server.requests.length - before).toBe(2);
  });

  test('when several are refused, all that are suspected go lower together', async () => {
    const all = await pictures(6);
    check = ({ body }) =>
      all.some((one) => JSON.stringify(body).includes(one)) ? { status: 400, message: 'Invalid image' } : undefined;
    const before = server.requests.length;
    const content = [result('a', all.map(image))];
    const { response } = await post(
      paths.anthropic,
      anthropic(toolUse('a'), { role: 'user', content }),
      sightlineFetch(),
    );
    expect(response.status).toBe(200);
    expect(server.requests.length - before).toBe(6); // four of them alone, then all
  });

  test('a model that takes no pictures gets words from then on', async () => {
    check = ({ body }) =>
      JSON.stringify(body).includes('image_url')
        ? { status: 400, message: 'This model does not support image input' }
        : undefined;
    const wrapped = sightlineFetch();
    const { response, sent } = await post(paths.chat, chat(...turn(chart, 1)), wrapped);
    expect(response.status).toBe(200);
    expect(base64InText('openai-chat', sent)).toEqual([]);
    const before = server.requests.length;
    await post(paths.chat, chat(...turn(chart, 1), { role: 'assistant', content: 'Ah.' }, ...turn(chart, 2)), wrapped);
    expect(server.requests.length - before).toBe(1);
  });

  test('a server that lets no user speak after a result gets words between them from then on', async () => {
    const roles = /"role":"tool"(?:(?!"role").)*"role":"user"/;
    const message = "Unexpected role 'user' after role 'tool'";
    check = ({ body }) => (roles.test(JSON.stringify(body)) ? { status: 400, message } : undefined);
    const wrapped = sightlineFetch();
    const { response, sent } = await post(paths.chat, { ...chat(...turn(chart, 1)), model: 'pixtral-12b' }, wrapped);
    expect(response.status).toBe(200);
    expect(JSON.stringify(sent)).toContain(chart);
    const before = server.requests.length;
    await post(
      paths.chat,
      { ...chat(...turn(chart, 1), { role: 'assistant', content: 'Ah.' }, ...turn(chart, 2)), model: 'pixtral-12b' },
      wrapped,
    );
    expect(server.requests.length - before).toBe(1);
  });

  test("when a lower rung does not help either, the provider's own answer comes back", async () => {
    check = () => ({ status: 400, message: 'Invalid image: could not process image' });
    const before = server.requests.length;
    const { response } = await post(paths.chat, chat(...turn(chart, 1)), sightlineFetch());
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('could not process image');
    expect(server.requests.length - before).toBe(3); // as it came, smaller, in words
  });

  test('a request that is too large leaves older media out', async () => {
    const [one = '', two = ''] = await pictures(2);
    check = ({ body }) =>
      JSON.stringify(body).includes(one) ? { status: 413, message: 'request_too_large' } : undefined;
    const { response, sent } = await post(paths.chat, chat(...turn(one, 1), ...turn(two, 2)), sightlineFetch());
    expect(response.status).toBe(200);
    expect(JSON.stringify(sent)).toContain('left out to fit the window');
    expect(JSON.stringify(sent)).toContain(two);
  });
});

const refusal = (): Response => Response.json({ error: { message: 'Could not process image' } }, { status: 400 });
const init = (...messages: unknown[]): RequestInit => ({ method: 'POST', body: JSON.stringify(chat(...messages)) });
const chatUrl = 'http://127.0.0.1:9/v1/chat/completions';

/** A fetch that does with its requests, one after the other, what is said. */
function acting(acts: (() => Response | Promise<Response>)[]): { bodies: string[]; fetch: typeof fetch } {
  const bodies: string[] = [];
  return {
    bodies,
    fetch: async (_, given) => (bodies.push(given?.body as string), acts[bodies.length - 1]?.() ?? Response.json({})),
  };
}

describe('what was tried in vain is forgotten', () => {
  test.each([
    ['the connection breaks', () => Promise.reject(new TypeError('fetch failed'))],
    ['the caller has gone', () => Promise.reject(new DOMException('Aborted', 'AbortError'))],
    ['it is answered with another error', () => Response.json({}, { status: 500 })],
    ['it is asked too often', () => Response.json({}, { status: 429 })],
  ])('%s while something is tried', async (_what, act) => {
    const { bodies, fetch } = acting([refusal, act]);
    const wrapped = sightlineFetch({ fetch });
    await wrapped(chatUrl, init(...turn(chart, 1))).catch(() => undefined);
    await wrapped(chatUrl, init(...turn(chart, 1)));
    expect(bodies.map((body) => body.includes(chart))).toEqual([true, false, true]);
  });

  test('the caller leaves while something else is made', async () => {
    const gone = new AbortController();
    const { bodies, fetch } = acting([() => (gone.abort(), refusal())]);
    const wrapped = sightlineFetch({ fetch });
    const left = wrapped(chatUrl, { ...init(...turn(chart, 1)), signal: gone.signal });
    await expect(left).rejects.toThrow('abort');
    await wrapped(chatUrl, init(...turn(chart, 1)));
    expect(bodies.map((body) => body.includes(chart))).toEqual([true, true]);
  });

  test('what another request has found out meanwhile stays', async () => {
    const tried = Promise.withResolvers<void>();
    const late = Promise.withResolvers<Response>();
    const slowly = (): Promise<Response> => (tried.resolve(), late.promise);
    const { bodies, fetch } = acting([refusal, slowly, refusal]);
    const wrapped = sightlineFetch({ fetch });
    const slow = wrapped(chatUrl, init(...turn(chart, 1)));
    await tried.promise;
    expect((await wrapped(chatUrl, init(...turn(chart, 1)))).ok).toBe(true);
    late.resolve(Response.json({}, { status: 502 }));
    await slow;
    await wrapped(chatUrl, init(...turn(chart, 1)));
    expect(bodies.map((body) => body.includes(chart))).toEqual([true, false, true, false, false]);
  });

  test.each([429, 500])(
    'a picture is not lowered when the look for empty blocks was answered with %i',
    async (status) => {
      const { bodies, fetch } = acting([refusal, () => Response.json({}, { status })]);
      const body = JSON.stringify(
        anthropic(
          ...['undefined', chart].flatMap((data, at) => [
            toolUse(`call_${at}`),
            { role: 'user', content: [result(`call_${at}`, [image(data)])] },
          ]),
        ),
      );
      const answer = await sightlineFetch({ fetch })('http://127.0.0.1:9/v1/messages', { method: 'POST', body });
      expect(answer.status).toBe(status);
      expect(bodies.map((one) => one.includes(chart))).toEqual([true, true]);
    },
  );
});

describe('what is told', () => {
  const body = chat(chatCall('a'), { role: 'tool', tool_call_id: 'a', content: hidden(pdf) });

  test('receipts name the model, and no key stands in the address', async () => {
    const told: unknown[] = [];
    const inline = { inlineData: { mimeType: 'image/png', data: chart } };
    const contents = [{ role: 'user', parts: [{ text: 'Look.' }, inline] }];
    await arrived(
      `${paths.gemini}?key=secret`,
      { contents },
      { onReceipts: (receipts, about) => told.push(receipts[0]?.action, about) },
    );
    expect(told).toEqual(['inside', { model: 'gemini/gemini-2.5-pro', url: expect.not.stringContaining('secret') }]);
  });

  test('a listener that throws stops nothing', async () => {
    const sent = await arrived(paths.chat, body, {
      onReceipts: () => {
        throw new Error('mine');
      },
    });
    expect(base64InText('openai-chat', sent)).toEqual([]);
  });

  test('a model whose name means nothing is told at once', () => {
    expect(() => sightlineFetch({ model: 'nobody' })).toThrow('has no endpoint');
  });

  test('the active span gets the receipts as attributes', async () => {
    const storage = new AsyncLocalStorage<ReturnType<typeof context.active>>();
    const attributes: Record<string, unknown> = {};
    context.setGlobalContextManager({
      active: () => storage.getStore() ?? ROOT_CONTEXT,
      with: (given, run, self, ...rest) => storage.run(given, () => run.call(self as never, ...rest)),
      bind: (_, target) => target,
      enable() {
        return this;
      },
      disable() {
        return this;
      },
    });
    const span = Object.assign(
      trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 }),
      {
        setAttributes: (given: object) => Object.assign(attributes, given),
      },
    );
    await context.with(trace.setSpan(ROOT_CONTEXT, span as never), () => arrived(paths.chat, body));
    context.disable();
    expect(attributes).toMatchObject({ 'sightline.model': 'openai-chat/gpt-4.1', 'sightline.media': 1 });
  });
});

test('where media cannot be loaded, their place is repaired all the same', async () => {
  const program = `
    import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => { if (url.includes('/src/media/')) throw new Error('not here'); return next(url, context); } });
    const { sightlineFetch } = await import(${JSON.stringify(new URL('../../src/fetch/index.ts', import.meta.url).href)});
    let sent;
    const wrapped = sightlineFetch({ fetch: async (_, init) => { sent = init.body; return new Response('{}'); } });
    await wrapped('https://api.openai.com/v1/chat/completions', { method: 'POST', body: process.argv[1] });
    console.log(sent);
  `;
  const body = JSON.stringify(chat(chatCall('a'), { role: 'tool', tool_call_id: 'a', content: hidden() }));
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, body]);
  const sent: unknown = JSON.parse(stdout);
  expect(base64InText('openai-chat', sent)).toEqual([]);
  expect(await schemaErrors('openai-chat', sent)).toEqual([]);
  expect(stdout).toContain(chart);
});
