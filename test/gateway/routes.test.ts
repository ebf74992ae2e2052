// What clients ask beside answers, errors in each dialect, and what happens when one side goes away or falls silent.
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGateway } from '../../src/gateway/index.ts';
import type { Gateway } from '../../src/gateway/index.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Answer, ScriptedServer } from '../../src/model/script/index.ts';

let upstream: ScriptedServer;
let gateway: Gateway;
let next: Answer = { text: 'Sales rose.' };

const at = (model: `${string}/${string}`): { model: `${string}/${string}`; baseUrl: string; key: string } => ({
  model,
  baseUrl: upstream.url,
  key: 'secret',
});

beforeAll(async () => {
  upstream = await scriptedServer(script(() => next));
  gateway = await openGateway({
    port: 0,
    models: {
      claude: at('anthropic/claude-sonnet-5'),
      gpt: at('openai/gpt-5.4'),
      gem: at('gemini/gemini-2.5-pro'),
      qwen: at('ollama/qwen3-vl'),
    },
    routes: { both: ['gpt', 'claude'], 'claude-haiku-*': ['gem'] },
    origins: ['https://app.example.com'],
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const ask = (path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${gateway.url}${path}`, {
    method: body ? 'POST' : 'GET',
    ...(body && { body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', ...headers },
  });

const anthropic = (): Anthropic => new Anthropic({ apiKey: 'none', baseURL: gateway.url, maxRetries: 0 });
const openai = (): OpenAI => new OpenAI({ apiKey: 'none', baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const google = (): GoogleGenAI => new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: gateway.url } });

test("a name that is none of the client's own vendor is answered by the default, and not looked for on this machine", async () => {
  await using own = await openGateway({
    port: 0,
    models: { claude: at('anthropic/claude-sonnet-5') },
    default: 'claude',
  });
  const body = JSON.stringify({ model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hi.' }] });
  const answer = await fetch(`${own.url}/v1/chat/completions`, { method: 'POST', body });
  expect([answer.status, answer.headers.get('x-sightline-model')]).toEqual([200, 'anthropic/claude-sonnet-5']);
});

test('models are listed as each vendor lists them, to its own SDK', async () => {
  const claudes = (await anthropic().models.list()).data.map(({ id }) => id);
  expect(claudes).toEqual(['anthropic.both', 'claude', 'anthropic.gpt', 'anthropic.gem', 'anthropic.qwen']);
  expect((await anthropic().models.retrieve('claude')).id).toBe('claude');
  const gpts = (await openai().models.list()).data.map(({ id }) => id);
  expect(gpts).toEqual(['both', 'claude', 'gpt', 'gem', 'qwen']);
  const gems: unknown[] = [];
  for await (const { name } of await google().models.list()) gems.push(name);
  expect(gems).toContain('models/gem');
  expect((await google().models.get({ model: 'gem' })).inputTokenLimit).toBeGreaterThan(100_000);
  const ollama = new Ollama({ host: gateway.url });
  expect((await ollama.list()).models.map(({ name }) => name)).toContain('qwen');
  expect((await ollama.show({ model: 'qwen' })).capabilities).toContain('vision');
  expect((await ollama.ps()).models).toEqual([]);
});

test('the names that Claude Code is offered lead somewhere', async () => {
  const answer = await anthropic().messages.create({ model: 'anthropic.gpt', max_tokens: 10, messages: [{ role: 'user', content: 'Hi.' }] }); // prettier-ignore
  expect(answer.content).toMatchObject([{ type: 'text', text: 'Sales rose.' }]);
  expect(upstream.requests.at(-1)).toMatchObject({ wire: 'openai-responses', model: 'gpt-5.4' });
});

test('no two answers have the same id', async () => {
  const ids = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const body = { model: 'gem', max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hi.' }] };
      return (await anthropic().messages.create(body)).id;
    }),
  );
  expect(new Set(ids).size).toBe(5);
  expect(ids[0]).toMatch(/^msg_[A-Za-z0-9]{24}$/);
});

test('tokens are counted by whoever would answer, else estimated', async () => {
  const messages = [{ role: 'user' as const, content: 'How did we do in the third quarter?' }];
  const claude = await anthropic().messages.countTokens({ model: 'claude', messages });
  expect(claude.input_tokens).toBeGreaterThan(5);
  expect(upstream.requests.at(-1)?.path).toBe('/v1/messages/count_tokens');
  const asked = upstream.requests.length;
  const qwen = await anthropic().messages.countTokens({ model: 'qwen', messages });
  expect(qwen.input_tokens).toBeGreaterThan(5);
  expect(upstream.requests.slice(asked).filter(({ path }) => path === '/api/chat')).toEqual([]);
  const gem = await google().models.countTokens({ model: 'claude', contents: 'How did we do?' });
  expect(gem.totalTokens).toBeGreaterThan(2);
  const counted = await ask('/v1/responses/input_tokens', { model: 'gem', input: 'How did we do?' });
  expect(await counted.json()).toMatchObject({ object: 'response.input_tokens', input_tokens: expect.any(Number) });
});

test('probes are answered', async () => {
  expect(await (await ask('/')).text()).toBe('Ollama is running');
  expect((await fetch(gateway.url, { method: 'HEAD' })).status).toBe(200);
  expect(await (await ask('/healthz')).json()).toMatchObject({ ok: true, version: expect.any(String) });
  expect((await ask('/readyz')).status).toBe(200);
  expect(await (await ask('/api/version')).json()).toMatchObject({ version: expect.any(String) });
});

test('a stream of Gemini that was not asked for as events is one JSON list', async () => {
  const body = { contents: [{ role: 'user', parts: [{ text: 'Hi.' }] }] };
  const response = await ask('/v1beta/models/claude:streamGenerateContent', body);
  const list = (await response.json()) as { candidates: { content: { parts: { text: string }[] } }[] }[];
  const words = list.flatMap(({ candidates }) => candidates[0]?.content.parts.map(({ text }) => text) ?? []).join('');
  expect(words).toBe('Sales rose.');
});

test("Claude Code's billing line stays with its own vendor", async () => {
  const system = [
    { type: 'text' as const, text: 'x-anthropic-billing-header: cc_version=2.1;' },
    { type: 'text' as const, text: 'Be brief.' },
  ];
  const body = { max_tokens: 10, system, messages: [{ role: 'user' as const, content: 'Hi.' }] };
  await anthropic().messages.create({ ...body, model: 'gpt' });
  expect(upstream.requests.at(-1)?.body).toMatchObject({ instructions: 'Be brief.' });
  await anthropic().messages.create({ ...body, model: 'claude' });
  expect(upstream.requests.at(-1)?.body).toMatchObject({ system });
});

const chatBody = (model: string, stream = false): object => ({
  model,
  stream,
  messages: [{ role: 'user', content: 'Hi.' }],
});

test.each([
  ['/v1/messages', { ...chatBody('gpt'), max_tokens: 5 }, { type: 'error', error: { type: 'rate_limit_error' } }],
  ['/v1/chat/completions', chatBody('gem'), { error: { code: 'rate_limit_exceeded' } }],
  ['/v1/responses', { model: 'gem', input: 'Hi.' }, { error: { code: 'rate_limit_exceeded' } }],
  ['/v1beta/models/gpt:generateContent', { contents: [{ parts: [{ text: 'Hi.' }] }] }, { error: { status: 'RESOURCE_EXHAUSTED' } }], // prettier-ignore
  ['/api/chat', { ...chatBody('gpt'), stream: false }, { error: expect.stringContaining('Slow down') }],
])('a limit is told in the words of %s, with how long to wait', async (path, body, told) => {
  next = { error: { status: 429, message: 'Slow down.', retryAfter: 90_000 } };
  const response = await ask(path, body);
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('90');
  expect(await response.json()).toMatchObject(told);
  next = { text: 'Sales rose.' };
});

test.each([
  [{ status: 401, message: 'invalid x-api-key' }, 502, 'server_error', null],
  [{ status: 400, message: 'This model maximum context length is 1000 tokens' }, 400, 'invalid_request_error', 'context_length_exceeded'], // prettier-ignore
])('trouble behind the gateway is told as whose it is: %j', async (error, status, type, code) => {
  next = { error };
  const response = await ask('/v1/chat/completions', chatBody('claude'));
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { type, code } });
  next = { text: 'Sales rose.' };
});

test('a client that knows only the models of its own vendor asks for a longer answer than this one can give', async () => {
  const asked: unknown[] = [];
  await using strict = await scriptedServer(
    script(() => ({ text: 'Sales rose.' })),
    {
      check: ({ body }) => {
        const { max_completion_tokens: most = 0 } = body as { max_completion_tokens?: number };
        asked.push(most);
        if (most <= 32_768) return undefined;
        const message = `max_tokens is too large: ${most}. This model supports at most 32768 completion tokens, whereas you provided ${most}.`;
        return { status: 400, message };
      },
    },
  );
  await using other = await openGateway({
    port: 0,
    models: {
      gpt: { ...at('openai-chat/gpt-4.1'), baseUrl: strict.url },
      small: { ...at('ollama/qwen3-vl'), baseUrl: strict.url },
    },
  });
  const client = new Anthropic({ apiKey: 'none', baseURL: other.url, maxRetries: 0 });
  const body = { max_tokens: 128_000, messages: [{ role: 'user' as const, content: 'Hi.' }] };
  for (let turn = 0; turn < 2; turn++) {
    const { content } = await client.messages.stream({ ...body, model: 'gpt' }).finalMessage();
    expect(content).toMatchObject([{ text: 'Sales rose.' }]);
  }
  expect(asked, 'it is refused once, and not asked for again').toEqual([128_000, 32_768, 32_768]);
  await client.messages.stream({ ...body, model: 'small' }).finalMessage();
  expect(strict.requests.at(-1)?.body, 'room for the conversation is left').toMatchObject({
    options: { num_predict: 8192 },
  });
});

test('a model that nobody knows, a body that is none, a path that leads nowhere', async () => {
  const unknown = await ask('/v1/messages', { ...chatBody('nobody'), max_tokens: 5 });
  expect(unknown.status).toBe(404);
  expect(await unknown.json()).toMatchObject({
    error: { type: 'not_found_error', message: expect.stringContaining('both') },
  });
  const broken = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', body: '{"model":' });
  expect([broken.status, await broken.json()]).toMatchObject([400, { error: { type: 'invalid_request_error' } }]);
  expect((await ask('/v1/audio/speech', { model: 'gpt' })).status).toBe(404);
});

test('the next model answers when the first cannot be had', async () => {
  const failing = await scriptedServer(script(() => ({ error: { status: 503, message: 'Overloaded' } })));
  await using other = await openGateway({
    port: 0,
    models: { down: { ...at('openai/gpt-5.4'), baseUrl: failing.url }, claude: at('anthropic/claude-sonnet-5') },
    routes: { both: ['down', 'claude'] },
  });
  const response = await fetch(`${other.url}/v1/responses`, {
    method: 'POST',
    body: JSON.stringify({ model: 'both', input: 'Hi.' }),
  });
  expect(response.headers.get('x-sightline-model')).toBe('anthropic/claude-sonnet-5');
  await failing.close();
});

test.each([
  ['relay', '/v1/responses', { input: 'Hi.' }],
  ['convert', '/v1/messages', { max_tokens: 100, messages: [{ role: 'user', content: 'Hi.' }] }],
])('once a word has been said, no other model answers (%s)', async (way, path, body) => {
  await using breaking = await scriptedServer(
    script(() => ({ text: 'Sales fell in the first month.', reset: 'middle' })),
  );
  await using other = await openGateway({
    port: 0,
    models: { breaks: { ...at('openai/gpt-5.4'), baseUrl: breaking.url }, claude: at('anthropic/claude-sonnet-5') },
    routes: { both: ['breaks', 'claude'] },
  });
  const before = upstream.requests.length;
  const init = { method: 'POST', body: JSON.stringify({ ...body, model: 'both', stream: true }) };
  const response = await fetch(`${other.url}${path}`, init);
  expect(response.headers.get('x-sightline-way')).toBe(way);
  expect(await response.text()).toMatch(/fell [\s\S]*The connection broke before the answer was over/);
  expect([breaking.requests.length, upstream.requests.length - before]).toEqual([1, 0]);
});

const textOf = async (path: string, body: object): Promise<string> => (await ask(path, body)).text();

test('trouble in the middle of a stream is told in the stream', async () => {
  next = { text: 'Sales rose in every month of the year.', reset: 'middle' };
  const claude = await textOf('/v1/messages', { ...chatBody('gpt', true), max_tokens: 9 });
  expect(claude).toMatch(/event: error\ndata: {"type":"error".*The connection broke before the answer was over\./);
  const chat = await textOf('/v1/chat/completions', chatBody('claude', true));
  expect(chat).toMatch(/data: {"error":/);
  expect(chat).not.toContain('[DONE]');
  const responses = await textOf('/v1/responses', { model: 'claude', input: 'Hi.', stream: true });
  expect(responses).toMatch(/event: response.failed/);
  const contents = [{ role: 'user', parts: [{ text: 'Hi.' }] }];
  const gemini = await textOf('/v1beta/models/claude:streamGenerateContent?alt=sse', { contents });
  expect(gemini).toMatch(/\r\n\r\ndata: {"error":{"code":502.*}\r\n\r\n{"error":{"code":502.*}$/);
  const stream = await google().models.generateContentStream({ model: 'claude', contents: 'Hi.' });
  await expect(Array.fromAsync(stream)).rejects.toThrow(/The connection broke before the answer was over/);
  next = { text: 'Sales rose.' };
});

test.each<[string, string, object, RegExp]>([
  [
    'claude',
    '/v1/messages',
    { max_tokens: 9 },
    /rose [\s\S]*\n\nevent: error\ndata: {"type":"error".*"The connection broke/,
  ],
  [
    'gpt',
    '/v1/responses',
    { input: 'Hi.' },
    /rose [\s\S]*\n\nevent: error\ndata: {"type":"error".*"The connection broke/,
  ],
])('what a provider of the same dialect breaks off is told, too (%s)', async (model, path, more, told) => {
  next = { text: 'Sales rose in every month of the year.', reset: 'middle' };
  expect(await textOf(path, { ...chatBody(model, true), ...more })).toMatch(told);
  next = { text: 'Sales rose.' };
});

test('an answer longer than its provider gives is asked for again, shorter', async () => {
  const bodies: string[] = [];
  const strict = await scriptedServer(
    script(() => ({ text: 'Sales rose.' })),
    {
      check: ({ body }) => {
        bodies.push(JSON.stringify(body));
        const { max_tokens: most } = body as { max_tokens: number };
        return most > 8192 ? { status: 400, message: `max_tokens: ${most} > 8192, which is the maximum` } : undefined;
      },
    },
  );
  await using other = await openGateway({
    port: 0,
    models: { claude: { model: 'anthropic/claude-sonnet-5', baseUrl: strict.url, key: 'k' } },
  });
  const content = 'Write "max_tokens": 64000.';
  const answer = await fetch(`${other.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ messages: [{ role: 'user', content }], model: 'claude', max_tokens: 64000 }),
  });
  expect([answer.status, answer.headers.get('x-sightline-receipts')]).toEqual([
    200,
    expect.stringMatching(/^1 ignored/),
  ]);
  expect(bodies.map((body) => JSON.parse(body) as object)).toMatchObject([
    { max_tokens: 64000 },
    { max_tokens: 8192, messages: [{ content }] },
  ]);
  await strict.close();
});

test('a conversation goes on with the id of an answer, as the SDK of OpenAI does it, where that was kept', async () => {
  const calls = [{ id: 'call_1', name: 'look', input: {} }];
  next = { text: 'Let me look.', thinking: 'Where?', calls };
  const look = { type: 'function' as const, name: 'look', parameters: { type: 'object' }, strict: false };
  const first = await openai().responses.create({ model: 'claude', input: 'How did we do?', tools: [look] });
  next = { text: 'Sales rose.' };
  const output = [{ type: 'function_call_output' as const, call_id: 'call_1', output: 'Up.' }];
  const going = { model: 'claude', tools: [look], previous_response_id: first.id, input: output };
  const second = await openai().responses.create(going);
  expect(second.output_text).toBe('Sales rose.');
  const sent = upstream.requests.at(-1)?.body as { messages: { role: string; content: unknown }[] };
  expect(sent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(JSON.stringify(sent.messages)).toMatch(
    /How did we do\?.*"signature":"scripted-.*"tool_use".*"tool_result".*Up\./,
  );
  const third = await openai().responses.create({ model: 'claude', previous_response_id: second.id, input: 'Sure?' });
  expect(third.status).toBe('completed');
  expect(upstream.requests.at(-1)?.body).toMatchObject({ messages: { length: 5 } });
  const unkept = await openai().responses.create({ model: 'claude', input: 'Hi.', store: false });
  for (const id of [unkept.id, 'resp_nobody'])
    await expect(
      openai().responses.create({ model: 'claude', input: 'Hi.', previous_response_id: id }),
    ).rejects.toThrow(new RegExp(`no answer "${id}"`));
});

test('an answer of this gateway is gone on with by a model of OpenAI, too, which knows nothing of it', async () => {
  next = { text: 'Let me look.' };
  const first = await openai().responses.create({ model: 'claude', input: 'How did we do?' });
  const named = { type: 'item_reference' as const, id: first.output[0]?.id ?? '' };
  const question = { role: 'user' as const, content: 'How did we do?' };
  for (const more of [{ previous_response_id: first.id, input: 'Sure?' }, { input: [question, named, question] }]) {
    await openai().responses.create({ model: 'gpt', ...more });
    const { body, wire } = upstream.requests.at(-1) ?? {};
    expect(wire).toBe('openai-responses');
    expect(body).not.toHaveProperty('previous_response_id');
    expect(JSON.stringify(body)).toMatch(/How did we do\?.*Let me look\./);
  }
  const theirs = { previous_response_id: 'resp_of_openai', input: 'Sure?' };
  const { response } = await openai()
    .responses.create({ model: 'gpt', ...theirs })
    .withResponse();
  expect(response.headers.get('x-sightline-way')).toBe('relay');
  expect(upstream.requests.at(-1)?.body).toMatchObject(theirs);
});

test.each([true, false])('parts of an answer are named by their ids, streamed: %s', async (stream) => {
  next = { text: 'Let me look.', thinking: 'Where?', calls: [{ id: 'call_1', name: 'look', input: {} }] };
  const asked = {
    model: 'gem',
    input: 'How did we do?',
    tools: [{ type: 'function' as const, name: 'look', parameters: { type: 'object' }, strict: false }],
  };
  const first = stream
    ? await openai().responses.stream(asked).finalResponse()
    : await openai().responses.create({ ...asked, stream });
  next = { text: 'Sales rose.' };
  const names = first.output.map((item) => ({ type: 'item_reference' as const, id: item.id ?? '' }));
  const output = { type: 'function_call_output' as const, call_id: 'call_1', output: 'Up.' };
  const input = [{ role: 'user' as const, content: 'How did we do?' }, ...names, output];
  const second = await openai().responses.create({ ...asked, input });
  expect(second.output_text).toBe('Sales rose.');
  const sent = JSON.stringify(upstream.requests.at(-1)?.body);
  expect(sent).toMatch(
    /How did we do\?.*Let me look\..*"functionCall":\{.*"look".*"functionResponse":\{[^}]*"name":"look"/,
  );
});

test('an answer of the same dialect that breaks off in the middle of its JSON is broken off', async () => {
  const broken = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"id":');
      setTimeout(() => outgoing.destroy(), 5);
    });
  });
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  const { port } = broken.address() as AddressInfo;
  const lines: string[] = [];
  await using other = await openGateway({
    port: 0,
    models: { gpt: { model: 'openai-chat/gpt-4.1', baseUrl: `http://127.0.0.1:${port}`, key: 'k' } },
    log: (line) => lines.push(line),
  });
  const answer = await fetch(`${other.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(chatBody('gpt')),
  });
  await expect(answer.text()).rejects.toThrow();
  await expect.poll(() => lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: 'server', overheadMs: expect.any(Number) });
  broken.close();
});

test.each(['gpt', 'claude'])('a client that goes away takes its request along (%s)', async (speaks) => {
  let [open, asked] = [0, 0];
  const silent = createServer((incoming, outgoing) => {
    asked++;
    open++;
    incoming.resume();
    outgoing.once('close', () => open--);
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const model = speaks === 'gpt' ? 'openai/gpt-5.4' : 'anthropic/claude-sonnet-5';
  const baseUrl = `http://127.0.0.1:${port}`;
  await using waiting = await openGateway({ port: 0, models: { hang: { model, baseUrl, key: 'k' } } });
  const gone = new AbortController();
  const body = JSON.stringify({ ...chatBody('hang', true), max_tokens: 5 });
  const answer = fetch(`${waiting.url}/v1/messages`, { method: 'POST', body, signal: gone.signal });
  await expect.poll(() => asked).toBe(1);
  gone.abort();
  await expect(answer).rejects.toThrow();
  await expect.poll(() => open).toBe(0);
  expect(asked).toBe(1);
  silent.close();
});

test('only invited pages may call', async () => {
  const foreign = await ask('/v1/chat/completions', chatBody('gpt'), { origin: 'https://evil.example' });
  expect(foreign.status).toBe(403);
  const invited = await fetch(`${gateway.url}/v1/messages`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.com' },
  });
  expect(invited.status).toBe(204);
  expect(invited.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
});

test('a silent stream says that it lives, in a way that its reader takes', async () => {
  const slow = await scriptedServer(script(() => ({ text: 'Sales rose.', silence: 400 })));
  let now = 0;
  const clock = { now: () => now, after: (ms: number, act: () => void) => {
      const timer = setTimeout(() => { now += ms; act(); }, ms >= 60_000 ? 1e6 : ms / 200);
      return () => clearTimeout(timer);
    } }; // prettier-ignore
  await using patient = await openGateway({
    port: 0,
    models: { gpt: { ...at('openai/gpt-5.4'), baseUrl: slow.url } },
    clock,
  });
  const messages = [{ role: 'user' as const, content: 'Hi.' }];
  const raw = await fetch(`${patient.url}/v1/messages`, { method: 'POST', body: JSON.stringify({ model: 'gpt', max_tokens: 9, messages, stream: true }) }); // prettier-ignore
  expect(await raw.text()).toMatch(/event: ping[\s\S]*message_start[\s\S]*rose/);
  const client = new Anthropic({ apiKey: 'none', baseURL: patient.url, maxRetries: 0 });
  const whole = await client.messages.stream({ model: 'gpt', max_tokens: 9, messages }).finalMessage();
  expect(whole.content).toMatchObject([{ text: 'Sales rose.' }]);
  const chat = new OpenAI({ apiKey: 'none', baseURL: `${patient.url}/v1`, maxRetries: 0 });
  const said = await chat.chat.completions.stream({ model: 'gpt', messages }).finalContent();
  expect(said).toBe('Sales rose.');
  await slow.close();
});

test.each(['/v1/messages', '/v1/chat/completions'])(
  'a model whose name is not written in Latin letters answers as every other, at %s',
  async (path) => {
    const model = 'openai-chat/通义千问-max';
    await using own = await openGateway({ port: 0, models: { qwen: at(model) } });
    for (const stream of [false, true]) {
      const body = JSON.stringify({ ...chatBody('qwen', stream), max_tokens: 9 });
      const answer = await fetch(own.url + path, { method: 'POST', body });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('rose')]);
      expect(decodeURIComponent(answer.headers.get('x-sightline-model') ?? '')).toBe(model);
      expect(upstream.requests.at(-1)?.body).toMatchObject({ model: '通义千问-max' });
    }
  },
);

test('a model whose name is a whole book is one that nobody knows, and is not told again as a whole', async () => {
  const lines: string[] = [];
  const models = { claude: at('anthropic/claude-sonnet-5') };
  await using own = await openGateway({ port: 0, models, log: (line) => lines.push(line) });
  const body = JSON.stringify({ ...chatBody('Call me Ishmael. '.repeat(10_000)), max_tokens: 9 });
  const answer = await fetch(`${own.url}/v1/messages`, { method: 'POST', body });
  expect([answer.status, (await answer.text()).length < 2000]).toEqual([404, true]);
  await expect.poll(() => lines.length).toBe(1);
  expect(lines[0]?.length).toBeLessThan(2000);
});

test('an endpoint without the name of a model is none that is known', async () => {
  const answer = await ask('/v1/messages', { ...chatBody('openai/'), max_tokens: 5 });
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('or for endpoint/model')]);
});

test.each<[string, string, object, object]>([
  [
    'claude',
    '/v1/projects/p/locations/global/publishers/anthropic/models/claude:streamRawPredict',
    { anthropic_version: 'vertex-2023-10-16', max_tokens: 9, stream: true },
    { model: 'claude-sonnet-5', stream: true },
  ],
  [
    'claude',
    '/v1/projects/p/locations/global/publishers/anthropic/models/claude:rawPredict',
    { anthropic_version: 'vertex-2023-10-16', max_tokens: 9 },
    { model: 'claude-sonnet-5' },
  ],
  ['chat', '/openai/deployments/chat/chat/completions?api-version=2024-10-21', {}, { model: 'gpt-4.1' }],
])('a model of %s that only the address names (%s) is named to its provider', async (_name, path, more, sent) => {
  const models = { claude: at('anthropic/claude-sonnet-5'), chat: at('openai-chat/gpt-4.1') };
  await using own = await openGateway({ port: 0, models, carry: 'refuse' });
  const body = JSON.stringify({ ...more, messages: [{ role: 'user', content: 'Hi.' }] });
  const answer = await fetch(own.url + path, { method: 'POST', body });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/rose/)]);
  const { body: came } = upstream.requests.at(-1) ?? {};
  expect(came).toMatchObject(sent);
  expect(came).not.toHaveProperty('anthropic_version');
});

test('a deployment of Azure, whose address names it, gets the bytes of its client without a model among them', async () => {
  const models = { chat: { ...at('azure-chat/mine'), apiVersion: '2024-10-21' } };
  await using own = await openGateway({ port: 0, models });
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hi.' }] });
  const path = '/openai/deployments/chat/chat/completions?api-version=2024-10-21';
  const answer = await fetch(own.url + path, { method: 'POST', body });
  expect([answer.status, answer.headers.get('x-sightline-way')]).toEqual([200, 'relay']);
  expect(upstream.requests.at(-1)?.path).toMatch(/\/deployments\/mine\/chat\/completions/);
});
