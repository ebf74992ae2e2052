// What people do wrong at the gateway, with the SDKs of their vendors and by hand: each hears what is wrong and what to do, in
// a sentence that its own client shows; nothing that was asked for is lost without a word.
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import type { ModelMessage } from 'ai';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGateway } from '../../src/gateway/index.ts';
import type { Gateway, GatewayOptions } from '../../src/gateway/index.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Answer, ScriptedServer } from '../../src/model/script/index.ts';

let upstream: ScriptedServer;
let gateway: Gateway;
let guarded: Gateway;
let next: Answer = { text: 'Sales rose.' };
const lines: string[] = [];

const hash = (key: string): string => `sha256:${createHash('sha256').update(key).digest('hex')}`;

beforeAll(async () => {
  upstream = await scriptedServer(script(() => next));
  const at = { baseUrl: upstream.url, key: 'secret-of-the-house' };
  const models = {
    claude: { model: 'anthropic/claude-sonnet-5' as const, ...at },
    gpt: { model: 'openai-chat/gpt-4.1' as const, ...at },
  };
  const routes = { house: ['claude'] };
  gateway = await openGateway({ port: 0, models, routes });
  guarded = await openGateway({
    port: 0,
    models,
    routes,
    bodyMib: 1,
    log: (line) => lines.push(line),
    keys: {
      alice: { hash: hash('a-key'), routes: ['house'], per: 'ever', upstream: 'gateway', budget: 0.0001 },
      bob: { hash: hash('b-key'), per: 'month', upstream: 'gateway', requestsPerMinute: 1 },
    },
  });
});

afterAll(async () => {
  await gateway.close();
  await guarded.close();
  await upstream.close();
});

const openai = (): OpenAI => new OpenAI({ apiKey: 'none', baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const anthropic = (): Anthropic => new Anthropic({ apiKey: 'none', baseURL: gateway.url, maxRetries: 0 });
const google = (): GoogleGenAI => new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: gateway.url } });
const ollama = (): Ollama => new Ollama({ host: gateway.url });

async function told(path: string, body: object, url = gateway.url, headers = {}): Promise<[number, string]> {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return [response.status, await response.text()];
}

const hi = [{ role: 'user' as const, content: 'Hi.' }];

test.each<[string, () => Promise<unknown>]>([
  ['openai', () => openai().models.retrieve('nobody')],
  ['anthropic', () => anthropic().models.retrieve('nobody')],
  ['genai', () => google().models.get({ model: 'nobody' })],
  ['ollama', () => ollama().show({ model: 'nobody' })],
])(
  'a model that is not there is told to the SDK of %s in its own shape, with the names that are',
  async (name, ask) => {
    const error = await ask().then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect(error?.message.replaceAll('\\"', '"')).toContain(
      'There is no model "nobody" here. Ask for one of these: house, claude, gpt',
    );
    if (name === 'anthropic')
      expect(error).toMatchObject({ error: { type: 'error', error: { type: 'not_found_error' } } });
    if (name === 'genai') expect(error?.message).toContain('"status":"NOT_FOUND"');
    if (name === 'openai') expect(error).toMatchObject({ code: 'model_not_found' });
  },
);

test.each<[string, () => Promise<unknown>]>([
  ['/api/generate', () => ollama().generate({ model: 'claude', prompt: 'Hi.' })],
  ['/api/embed', () => ollama().embed({ model: 'claude', input: 'Hi.' })],
  ['/v1/images/generations', () => openai().images.generate({ model: 'claude', prompt: 'A cat.' })],
  ['/v1/completions', () => openai().completions.create({ model: 'claude', prompt: 'Hi.' })],
])('what is not served at %s is a sentence to its own SDK', async (path, ask) => {
  const instead = path.startsWith('/api') ? '/api/chat.' : '/v1/messages, /v1/chat/completions, /v1/responses, ';
  await expect(ask()).rejects.toThrow(`There is nothing at POST ${path}. Answers are asked for at ${instead}`);
});

test('an address that belongs to nobody names all where answers are asked for', async () => {
  const { error } = (await (await fetch(`${gateway.url}/v1/nope`, { method: 'POST', body: '{}' })).json()) as {
    error: { message: string };
  };
  for (const path of [
    '/v1/messages',
    '/v1/chat/completions',
    '/v1/responses',
    '/models/MODEL:generateContent',
    '/api/chat',
  ])
    expect(error.message).toContain(path);
});

test.each([
  ['', 'The body is empty. Send a JSON object.'],
  ['[]', 'The body is no JSON object. Send one.'],
  ['{"model":"claude","messages":[{"ro', 'The body, 34 bytes, is no JSON: look whether all of it was sent.'],
])('a body that cannot be read is told as what it is: %s', async (body, sentence) => {
  const answer = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain(sentence);
});

test.each(['/v1/chat/completions', '/v1/messages', '/v1/responses', '/api/chat'])(
  'whoever opens %s in a browser hears that it is asked by POST',
  async (path) => {
    const response = await fetch(`${gateway.url}${path}`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await response.text()).toContain(`${path} is asked by POST`);
  },
);

test.each<[string, object, string]>([
  ['/v1/chat/completions', { messages: [] }, 'messages'],
  ['/v1/chat/completions', { messages: [{ role: 'system', content: 'Be kind.' }] }, 'messages'],
  ['/v1/messages', { max_tokens: 9, messages: [] }, 'messages'],
  ['/v1/messages/count_tokens', { messages: [] }, 'messages'],
  ['/v1/responses', { input: [] }, 'input'],
  ['/v1beta/models/claude:generateContent', { contents: [] }, 'contents'],
  ['/v1beta/models/gpt:countTokens', { contents: [] }, 'contents'],
  ['/api/chat', { messages: [] }, 'messages'],
])('%s with nothing to answer names its own list: %j', async (path, body, list) => {
  for (const model of path.startsWith('/v1/chat') ? ['claude'] : ['claude', 'gpt']) {
    if (path === '/v1/messages' && model === 'claude') continue; // its own vendor says so
    const [status, text] = await told(path, { model, ...body });
    expect([status, text.replaceAll('\\"', '"')]).toEqual([
      400,
      expect.stringContaining(`There is nothing to answer in "${list}". Put into it what the user says.`),
    ]);
  }
});

test.each<[string, object]>([
  ['/v1/chat/completions', { messages: hi }],
  ['/v1/chat/completions', { model: 5, messages: hi }],
  ['/v1/messages', { max_tokens: 9, messages: hi }],
  ['/v1/responses', { input: 'Hi.' }],
  ['/api/chat', { messages: hi }],
])('%s without the name of a model hears which there are: %j', async (path, body) => {
  expect(await told(path, body)).toEqual([
    400,
    expect.stringContaining('No model is named. Ask for one of these: house, claude, gpt; or for endpoint/model.'),
  ]);
  expect(await told(path, body, guarded.url, { authorization: 'Bearer a-key' })).toEqual([
    400,
    expect.stringContaining('No model is named. Ask for one of these: house.'),
  ]);
});

test('a key that may not use a name hears those that it may', async () => {
  const [status, text] = await told('/v1/chat/completions', { model: 'gpt', messages: hi }, guarded.url, {
    authorization: 'Bearer a-key',
  });
  expect([status, text.replaceAll('\\"', '"')]).toEqual([
    403,
    expect.stringContaining('The key alice may not use "gpt". Ask for one of these: house.'),
  ]);
});

test('a wrong key is told from none', async () => {
  const body = { model: 'house', messages: hi };
  expect(await told('/v1/chat/completions', body, guarded.url)).toEqual([
    401,
    expect.stringContaining('This gateway asks for a key of its own. Send one.'),
  ]);
  for (const headers of [{ authorization: 'Bearer guess-1' }, { 'x-api-key': 'guess-1' }]) {
    const [status, text] = await told('/v1/messages', body, guarded.url, headers);
    expect([status, text]).toEqual([401, expect.stringContaining('The key that was sent is none of this gateway')]);
    expect(text).not.toContain('guess-1');
  }
  const listed = await fetch(`${guarded.url}/api/tags`);
  expect([listed.status, await listed.json()]).toEqual([401, { error: expect.stringContaining('Send one.') }]);
});

test('a budget that does not cover a request says so, and not that it is spent', async () => {
  const [status, text] = await told('/v1/messages', { model: 'house', max_tokens: 9, messages: hi }, guarded.url, {
    'x-api-key': 'a-key',
  });
  expect(status).toBe(429);
  expect(text).toMatch(
    /The key alice may spend \$0\.0001, and what is left of it does not cover this request, which may cost \$0\.\d+\. Raise its budget\./,
  );
});

test('whoever is turned away stands in the log, too, without its key', async () => {
  lines.length = 0;
  const body = { model: 'house', messages: hi };
  await told('/v1/messages?key=guess-2', body, guarded.url, { 'x-api-key': 'guess-2' });
  await told('/v1/chat/completions', { ...body, padding: 'x'.repeat(2_000_000) }, guarded.url, { 'api-key': 'b-key' });
  await told('/v1/nowhere', body, guarded.url, { 'api-key': 'b-key' });
  await told('/v1/chat/completions', body, guarded.url, { 'api-key': 'b-key' });
  await told('/v1/chat/completions', body, guarded.url, { 'api-key': 'b-key' });
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { wire: 'anthropic-messages', route: '/v1/messages', status: 401, error: 'auth' },
    { wire: 'openai-chat', route: '/v1/chat/completions', status: 413, error: 'too-large' },
    { wire: 'none', route: '/v1/nowhere', status: 404, error: 'not-found', key: 'bob' },
    { key: 'bob', route: 'house', status: 200 },
    { key: 'bob', route: 'house', status: 429, error: 'rate-limited' },
  ]);
  expect(lines.join('')).not.toMatch(/guess-2|b-key/);
  const metrics = await (await fetch(`${guarded.url}/metrics`, { headers: { 'x-api-key': 'b-key' } })).text();
  expect(metrics).toContain(
    'sightline_requests_total{wire="anthropic-messages",target="none",way="none",status="401"}',
  );
});

test.each<[string, object, string]>([
  ['/v1/chat/completions', { messages: hi, tools: 'all' }, 'tools'],
  ['/v1/chat/completions', { messages: hi, tools: [{ type: 'function' }] }, 'tool of no name'],
  ['/v1/responses', { input: 'Hi.', tools: [{ type: 'function', parameters: {} }] }, 'tool of no name'],
  ['/v1/chat/completions', { messages: hi, stream: 'yes' }, 'stream'],
  ['/v1/chat/completions', { messages: hi, constructor: 'x' }, 'constructor'],
])('%s: what cannot be read is told, and refused where that is wanted: %j', async (path, body, what) => {
  const at = { model: 'anthropic/claude-sonnet-5' as const, baseUrl: upstream.url, key: 'k' };
  await using refuses = await openGateway({ port: 0, models: { claude: at }, carry: 'refuse' });
  const init = { method: 'POST', body: JSON.stringify({ model: 'claude', ...body }) };
  const response = await fetch(`${gateway.url}${path}`, init);
  expect(response.headers.get('x-sightline-receipts')).toMatch(/^(?:1 checkpoint, )?1 ignored; /);
  expect(await told(path, { model: 'claude', ...body }, refuses.url)).toEqual([
    400,
    expect.stringContaining(`anthropic/claude-sonnet-5 has no place for ${what}`),
  ]);
});

const shown = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aaaa' } };

test.each([{ system: 5 }, { system: [{ type: 'text', text: 'Be kind.' }, shown] }])(
  'a system prompt that is no text is told: %j',
  async ({ system }) => {
    const init = { method: 'POST', body: JSON.stringify({ model: 'gpt', max_tokens: 9, system, messages: hi }) };
    const response = await fetch(`${gateway.url}/v1/messages`, init);
    expect(response.headers.get('x-sightline-receipts')).toMatch(/1 ignored/);
  },
);

test('when a provider refuses the key of the gateway, the client hears whose key that is', async () => {
  next = { error: { status: 401, message: 'invalid x-api-key: secret-of-the-house' } };
  for (const model of ['claude', 'gpt'])
    expect(await told('/v1/chat/completions', { model, messages: hi })).toEqual([
      502,
      expect.stringContaining('The provider refuses the key of this gateway: invalid x-api-key: [key]'),
    ]);
  next = { text: 'Sales rose.' };
});

test.each<[string, string, object]>([
  ['claude', '/v1/messages', { max_tokens: 9, messages: hi }],
  ['gpt', '/v1/chat/completions', { messages: hi }],
])(
  'a stream of the same dialect that ends before its answer does is told in the stream (%s)',
  async (model, path, body) => {
    next = { text: 'Sales rose in every month of the year.', cutAfter: 4 };
    const [, text] = await told(path, { model, stream: true, ...body });
    expect(text).toMatch(/Sales[\s\S]*\n\n(?:event: error\n)?data: {.*"The answer broke off before its end\."/);
    next = { text: 'Sales rose.' };
  },
);

test("a loop of the AI SDK names what was said by its ids, as OpenAI's own server takes it, and the model gets all of it", async () => {
  const steps: Answer[] = [
    { thinking: 'Where?', text: 'Let me look.', calls: [{ id: 'call_1', name: 'look', input: { at: 'sales.png' } }] },
    { text: 'Sales rose.' },
    { text: 'Very.' },
  ];
  const bodies: string[] = [];
  const provider = createOpenAI({
    baseURL: `${gateway.url}/v1`,
    apiKey: 'none',
    fetch: (url, init) => {
      if (typeof init?.body === 'string') bodies.push(init.body);
      return fetch(url, init);
    },
  });
  const look = tool({ inputSchema: jsonSchema<{ at: string }>({ type: 'object' }), execute: () => 'It goes up.' });
  const messages: ModelMessage[] = [{ role: 'user', content: 'How did we do?' }];
  for (const turn of ['Sure?', '']) {
    const heard = generateText({
      model: provider.responses('claude'),
      messages: [...messages],
      tools: { look },
      maxRetries: 0,
      stopWhen: isStepCount(2),
      prepareStep: () => ((next = steps.shift() ?? {}), {}),
    });
    messages.push(...(await heard).responseMessages, { role: 'user', content: turn });
  }
  expect(bodies[1], 'it names what it heard').toMatch(/"item_reference","id":"msg_resp_/);
  const said = [
    { role: 'user', content: [{ text: 'How did we do?' }] },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'Where?' }, { text: 'Let me look.' }, { type: 'tool_use', id: 'call_1', input: { at: 'sales.png' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1' }] },
    { role: 'assistant', content: [{ text: 'Sales rose.' }] },
    { role: 'user', content: [{ text: 'Sure?' }] },
  ]; // prettier-ignore
  expect(upstream.requests.at(-1)?.body).toMatchObject({ messages: said });
  next = { text: 'Sales rose.' };
});

test('what was said elsewhere, or to another, cannot be named here, and is not left out', async () => {
  const item = { type: 'item_reference' as const, id: 'msg_resp_0123456789abcdef01234567_0' };
  for (const input of [[item], [item, { role: 'user' as const, content: 'Go on.' }]])
    await expect(openai().responses.create({ model: 'claude', input })).rejects.toThrow(
      `There is no "${item.id}" here, and anthropic/claude-sonnet-5 has none. Send what was said itself: most clients do with store: false.`,
    );
});

test('a default that leads nowhere is told when it is set, not to whoever asks', async () => {
  const wrong = /The default "nobody" is no model\. Give endpoint\/model, or the name of a route or a model of yours\./;
  await expect(openGateway({ port: 0, default: 'nobody' })).rejects.toThrow(wrong);
  await using own = await openGateway({ port: 0, default: 'anthropic/claude-sonnet-5' });
  expect(() => own.reload({ default: 'nobody' })).toThrow(wrong);
});

test.each<[string, object, string]>([
  ['/v1/responses', { input: 'Hi.', conversation: 'conv_1' }, 'conversation'],
  ['/v1/responses', { input: 'Hi.', conversation: { id: 'conv_1' } }, 'conversation'],
  ['/v1/responses', { input: 'Hi.', prompt: { id: 'pmpt_1', variables: {} } }, 'prompt'],
  [
    '/v1beta/models/claude:generateContent',
    { contents: [{ parts: [{ text: 'Hi.' }] }], cachedContent: 'cachedContents/abc' },
    'cachedContent',
  ],
])('%s: words that only their vendor keeps are not left out: %j', async (path, body, field) => {
  const before = upstream.requests.length;
  const [status, text] = await told(path, { model: 'claude', ...body });
  expect([status, text.replaceAll('\\"', '"')]).toEqual([
    400,
    expect.stringContaining(`"${field}" names what another server keeps; anthropic/claude-sonnet-5 does not have it.`),
  ]);
  expect(upstream.requests.length).toBe(before);
});

test('a provider that answers with an empty stream, or with a whole answer of a shape of its own, is told from one another', async () => {
  const odd = createServer((incoming, outgoing) => {
    let asked = '';
    incoming.on('data', (chunk: Buffer) => (asked += chunk.toString()));
    incoming.on('end', () => {
      const counted = { 'content-type': 'text/event-stream', 'content-length': '0' };
      if (asked.includes('"stream":true')) outgoing.writeHead(200, counted).end();
      else outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[],"note":"odd"}');
    });
  });
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
  await using own = await openGateway({
    port: 0,
    models: { odd: { model: 'openai-chat/gpt-4.1', baseUrl, key: 'k' } },
  });
  const body = { model: 'odd', messages: hi };
  const [, empty] = await told('/v1/chat/completions', { ...body, stream: true }, own.url);
  expect(empty).toMatch(/^data: {"error":{"message":"The stream ended before an answer came\."/);
  expect(await told('/v1/chat/completions', body, own.url)).toEqual([200, '{"choices":[],"note":"odd"}']);
  odd.close();
});

test.each(['claude', 'gpt'])('a provider that nobody reaches is told with what to do: %s', async (name) => {
  const models = {
    claude: { model: 'anthropic/claude-sonnet-5', baseUrl: 'http://127.0.0.1:9', key: 'k' },
    gpt: { model: 'openai/gpt-5.2', baseUrl: 'http://127.0.0.1:9', key: 'k' },
  };
  await using closed = await openGateway({ port: 0, models });
  const [, words] = await told(
    '/v1/messages',
    { model: name, max_tokens: 9, messages: [{ role: 'user', content: 'Hi.' }] },
    closed.url,
    {
      'x-stainless-retry-count': '1',
    },
  );
  expect(words).toContain('connect ECONNREFUSED 127.0.0.1:9. Nobody listens there: start the server');
});

test('what is passed on as undefined is as if it were left out', async () => {
  const given = { host: undefined, routes: undefined, keys: undefined, origins: undefined, bodyMib: undefined };
  const models = { claude: { model: 'anthropic/claude-sonnet-5', baseUrl: upstream.url, key: 'k' } };
  await using own = await openGateway({ port: 0, models, ...given } as unknown as GatewayOptions);
  expect(own.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect((await told('/v1/messages', { model: 'claude', max_tokens: 9, messages: hi }, own.url))[0]).toBe(200);
});
