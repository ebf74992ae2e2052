// Who may ask, for what, how often and how dearly; what is told about it; and how a gateway changes and ends.
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AssetStore } from '../../src/content/asset-store.ts';
import type { Asset } from '../../src/content/block.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { openRooms } from '../../src/gateway/house.ts';
import { openGateway } from '../../src/gateway/index.ts';
import type { Gateway, GatewayOptions } from '../../src/gateway/index.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Answer, ScriptedServer } from '../../src/model/script/index.ts';

let upstream: ScriptedServer;
let next: Answer = {};

beforeAll(async () => {
  upstream = await scriptedServer(
    script(() => ({ text: 'Fine.', usage: { inputTokens: 1000, outputTokens: 1000 }, ...next })),
  );
});
afterAll(() => upstream.close());

const hash = (key: string): string => `sha256:${createHash('sha256').update(key).digest('hex')}`;
const key = { per: 'month', upstream: 'gateway' } as const;

function options(more: GatewayOptions = {}): GatewayOptions {
  const baseUrl = upstream.url;
  return {
    port: 0,
    models: {
      claude: { model: 'anthropic/claude-sonnet-5', baseUrl, key: 'ours' },
      gpt: { model: 'openai/gpt-5.2', baseUrl, key: 'ours' },
      local: { model: 'ollama/qwen3-vl', baseUrl },
    },
    ...more,
  };
}

const said = (url: string, model: string, headers: Record<string, string>, content = 'Hi.'): Promise<Response> =>
  fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model, max_tokens: 1000, messages: [{ role: 'user', content }] }),
  });

const hi = [{ role: 'user', content: 'Hi.' }];
const contents = [{ role: 'user', parts: [{ text: 'Hi.' }] }];
const spoken = [{ role: 'user', content: [{ text: 'Hi.' }] }];

test('off this machine it does not start without keys', async () => {
  await expect(openGateway({ host: '0.0.0.0', port: 0 })).rejects.toThrow(/needs keys.*sightline serve key/);
});

test('a key is read wherever a client of any vendor puts it, and only its own names are had for it', async () => {
  const keys = { alice: { ...key, hash: hash('a-key'), routes: ['claude'] }, bob: { ...key, hash: hash('b-key') } };
  await using gateway = await openGateway(options({ keys }));
  const ways = [
    { 'x-api-key': 'a-key' },
    { authorization: 'Bearer a-key' },
    { 'x-goog-api-key': 'a-key' },
    { 'api-key': 'a-key' },
  ];
  for (const headers of ways)
    expect((await said(gateway.url, 'claude', headers as Record<string, string>)).status).toBe(200);
  const inAddress = await fetch(`${gateway.url}/v1beta/models?key=a-key`);
  expect(await inAddress.json()).toMatchObject({ models: [{ name: 'models/claude' }] });
  const wrong = await said(gateway.url, 'claude', { 'x-api-key': 'guess' });
  expect([wrong.status, await wrong.json()]).toMatchObject([401, { error: { type: 'authentication_error' } }]);
  const foreign = await said(gateway.url, 'gpt', { 'x-api-key': 'a-key' });
  expect([foreign.status, await foreign.json()]).toMatchObject([403, { error: { type: 'permission_error' } }]);
  expect((await said(gateway.url, 'gpt', { 'x-api-key': 'b-key' })).status).toBe(200);
  expect(JSON.stringify(upstream.requests)).not.toMatch(/[ab]-key/);
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  const keyless = await fetch(`${gateway.url}/metrics`);
  expect([keyless.status, await keyless.json()]).toMatchObject([401, { error: { type: 'authentication_error' } }]);
});

test('a key may use whatever fits a pattern among its names, and nothing beside it', async () => {
  const keys = { alice: { ...key, hash: hash('k'), routes: ['claude-haiku-*', 'local'] } };
  await using gateway = await openGateway(options({ keys, routes: { 'claude-haiku-*': ['claude'] } }));
  const statuses: number[] = [];
  for (const model of [
    'claude-haiku-4-5',
    'anthropic.claude-haiku-5',
    'local',
    'claude',
    'my-claude-haiku-5',
    'locally',
  ])
    statuses.push((await said(gateway.url, model, { 'x-api-key': 'k' })).status);
  expect(statuses).toEqual([200, 200, 200, 403, 403, 403]);
});

test('a pattern of a key leads to the default for names that nobody knows, unless the pattern has a route', async () => {
  const keys = { alice: { ...key, hash: hash('k'), routes: ['claude-*'] } };
  const answering = async (more: GatewayOptions): Promise<string | null> => {
    await using gateway = await openGateway(options({ keys, default: 'gpt', ...more }));
    expect((await said(gateway.url, 'gpt', { 'x-api-key': 'k' })).status).toBe(403);
    const answer = await said(gateway.url, 'claude-nobody', { 'x-api-key': 'k' });
    return answer.headers.get('x-sightline-model');
  };
  expect(await answering({})).toBe('openai/gpt-5.2');
  expect(await answering({ routes: { 'claude-*': ['claude'] } })).toBe('anthropic/claude-sonnet-5');
});

test('what a budget allows is never exceeded, by several gateways with many clients at once', async () => {
  const database = join(mkdtempSync(join(tmpdir(), 'gateway-')), 'sessions.db');
  const budget = 0.1;
  const settings = options({ database, keys: { alice: { ...key, hash: hash('k'), budget } } });
  const gateways: Gateway[] = [];
  for (let at = 0; at < 4; at++) gateways.push(await openGateway(settings));
  const asks = gateways.flatMap(({ url }) =>
    Array.from({ length: 8 }, () => said(url, 'claude', { 'x-api-key': 'k' })),
  );
  const statuses = (await Promise.all(asks)).map(({ status }) => status);
  const answered = statuses.filter((status) => status === 200).length;
  expect(answered).toBeGreaterThan(0);
  // 1,000 tokens in and 1,000 out of this model cost 1.2 cents.
  expect(answered * 0.012).toBeLessThanOrEqual(budget);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  for (const { status } of [await said(gateways[0]?.url ?? '', 'local', { 'x-api-key': 'k' })])
    expect(status).toBe(403);
  for (const gateway of gateways) await gateway.close();
});

test.each([
  ['/v1/messages', (max_tokens: number) => ({ max_tokens, messages: hi })],
  ['/v1/chat/completions', (max_tokens: number) => ({ max_tokens, messages: hi })],
  ['/v1/chat/completions', (max_completion_tokens: number) => ({ max_completion_tokens, messages: hi })],
  ['/v1/chat/completions', (n: number) => ({ max_tokens: 1000, n: n / 1000, messages: hi })],
  ['/v1/responses', (max_output_tokens: number) => ({ max_output_tokens, input: 'Hi.' })],
  [
    '/v1beta/models/claude:generateContent',
    (max: number) => ({ contents, generationConfig: { maxOutputTokens: max } }),
  ],
  [
    '/v1beta/models/claude:generateContent',
    (max: number) => ({ contents, generation_config: { max_output_tokens: max } }),
  ],
  ['/api/chat', (num_predict: number) => ({ messages: hi, stream: false, options: { num_predict } })],
  ['/model/claude/converse', (maxTokens: number) => ({ messages: spoken, inferenceConfig: { maxTokens } })],
])('a budget puts aside the longest answer that is asked for, at %s %#', async (path, bodyWith) => {
  const keys = { alice: { ...key, hash: hash('k'), budget: 0.05 } };
  await using gateway = await openGateway(options({ keys }));
  const statusWith = async (most: number): Promise<number> => {
    const body = JSON.stringify({ model: 'claude', ...bodyWith(most) });
    return (await fetch(gateway.url + path, { method: 'POST', headers: { authorization: 'Bearer k' }, body })).status;
  };
  expect([await statusWith(20_000), await statusWith(1000)]).toEqual([429, 200]);
});

test.each([
  ['claude', true],
  ['claude', false],
  ['gpt', true],
  ['gpt', false],
])('who leaves before the answer of %s is over (streamed: %s) pays for it', async (model, stream) => {
  next = { text: 'Slow and steady. '.repeat(50), slow: 50 };
  const lines: string[] = [];
  const keys = { alice: { ...key, hash: hash('k'), budget: 0.02 } };
  await using gateway = await openGateway(options({ keys, log: (line) => lines.push(line) }));
  const leaves = new AbortController();
  const asked = upstream.requests.length;
  const answer = fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'k' },
    body: JSON.stringify({ model, max_tokens: 1000, stream, messages: hi }),
    signal: leaves.signal,
  });
  if (stream) await (await answer).body?.getReader().read();
  else await expect.poll(() => upstream.requests.length).toBe(asked + 1);
  leaves.abort();
  await answer.catch(() => undefined);
  await expect.poll(() => lines.length).toBe(1);
  next = {};
  const way = model === 'claude' ? 'relay' : 'convert';
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ way, target: expect.any(String), status: 499, error: 'aborted' });
  expect((await said(gateway.url, 'claude', { 'x-api-key': 'k' })).status).toBe(429);
});

test.each(['claude', 'gpt'])('what the provider of %s refuses costs nothing', async (model) => {
  const keys = { alice: { ...key, hash: hash('k'), budget: 0.02 } };
  await using gateway = await openGateway(options({ keys }));
  next = { error: { status: 400, message: 'No.' } };
  const refused = [await said(gateway.url, model, { 'x-api-key': 'k' }), await said(gateway.url, model, { 'x-api-key': 'k' })]; // prettier-ignore
  next = {};
  expect(refused.map(({ status }) => status)).toEqual([400, 400]);
  expect((await said(gateway.url, model, { 'x-api-key': 'k' })).status).toBe(200);
});

test('a spent budget says that asking again does not help', async () => {
  await using gateway = await openGateway(options({ keys: { alice: { ...key, hash: hash('k'), budget: 0.0001 } } }));
  const headers = { authorization: 'Bearer k' };
  const body = JSON.stringify({ model: 'claude', messages: [{ role: 'user', content: 'Hi.' }] });
  const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
  expect([response.status, response.headers.get('x-should-retry')]).toEqual([429, 'false']);
  expect(await response.json()).toMatchObject({ error: { code: 'insufficient_quota' } });
});

test('a key asks so often a minute, and is told how long to wait', async () => {
  const keys = { alice: { ...key, hash: hash('k'), requestsPerMinute: 2 } };
  await using gateway = await openGateway(options({ keys }));
  const answers = [];
  for (let at = 0; at < 3; at++) answers.push(await said(gateway.url, 'claude', { 'x-api-key': 'k' }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  const wait = answers[2]?.headers.get('retry-after');
  expect(Number(wait)).toBeGreaterThan(50);
  expect(await answers[2]?.text()).toContain(`The key alice asks more often than it may. Ask again in ${wait} s.`);
});

test('a budget puts aside what a request only names: the conversation that it goes on with', async () => {
  await using gateway = await openGateway(withBudget(1));
  const ask = async (more: object): Promise<Response> =>
    fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: 'Bearer k' },
      body: JSON.stringify({ model: 'claude', max_output_tokens: 1000, ...more }),
    });
  const { id } = (await (await ask({ input: 'All quiet on the northern side. '.repeat(6000) })).json()) as {
    id: string;
  };
  gateway.reload(withBudget(0.05));
  expect((await ask({ input: 'And?' })).status).toBe(200);
  expect((await ask({ input: 'And?', previous_response_id: id })).status).toBe(429);
  const theirs = { model: 'gpt', input: 'And?', previous_response_id: 'resp_of_the_vendor' };
  expect([(await ask({ ...theirs, previous_response_id: undefined })).status, (await ask(theirs)).status]).toEqual([
    200, 429,
  ]);
  gateway.reload(withBudget(0.2));
  for (const named of [{ conversation: 'conv_1' }, { conversation: { id: 'conv_1' } }, { prompt: { id: 'pmpt_1' } }])
    expect((await ask({ model: 'gpt', input: 'And?', ...named })).status, JSON.stringify(named)).toBe(429);
  expect((await ask({ model: 'gpt', input: 'And?' })).status).toBe(200);
});

const withBudget = (budget: number): GatewayOptions =>
  options({ keys: { alice: { ...key, hash: hash('k'), budget } } });
test('what no other vendor can make costs nothing, however often it is asked for', async () => {
  const keys = { alice: { ...key, hash: hash('k'), budget: 0.05 } };
  await using gateway = await openGateway(options({ keys }));
  const headers = { authorization: 'Bearer k' };
  const body = JSON.stringify({ model: 'claude', max_output_tokens: 1000, input: 'Hi.' });
  const statuses: number[] = [];
  for (let at = 0; at < 6; at++)
    statuses.push((await fetch(`${gateway.url}/v1/responses/compact`, { method: 'POST', headers, body })).status);
  expect(statuses).toEqual(Array(6).fill(404));
  expect((await said(gateway.url, 'claude', { 'x-api-key': 'k' })).status).toBe(200);
});
test('an answer is gone on with by its id for the tenant it was given to, and for no other', async () => {
  const keys = { alice: { ...key, hash: hash('a-key') }, bob: { ...key, hash: hash('b-key') } };
  await using gateway = await openGateway(options({ keys }));
  const ask = (by: string, more: object = {}): Promise<Response> =>
    fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${by}` },
      body: JSON.stringify({ model: 'claude', input: 'My word is heliotrope.', ...more }),
    });
  const { id } = (await (await ask('a-key')).json()) as { id: string };
  expect((await ask('a-key', { previous_response_id: id, input: 'And?' })).status).toBe(200);
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('heliotrope');
  const before = upstream.requests.length;
  const foreign = await ask('b-key', { previous_response_id: id, input: 'And?' });
  expect([foreign.status, await foreign.text()]).toEqual([400, expect.stringContaining(id)]);
  expect(upstream.requests).toHaveLength(before);
});

test("a tenant finds nothing of another's: no seals, no media by their hash", async () => {
  const keys = { alice: { ...key, hash: hash('a') }, bob: { ...key, hash: hash('b') } };
  await using gateway = await openGateway(options({ keys }));
  const ask = async (who: string, messages: object[]): Promise<unknown> => {
    const body = JSON.stringify({ model: 'gpt', messages });
    const headers = { authorization: `Bearer ${who}` };
    const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
    return ((await response.json()) as { choices: { message: unknown }[] }).choices[0]?.message;
  };
  next = { thinking: 'A secret thought.' };
  const question = { role: 'user', content: 'Between us.' };
  const answer = (await ask('a', [question])) as object;
  const more = [question, { ...answer, reasoning_content: undefined }, { role: 'user', content: 'Go on.' }];
  await ask('b', more);
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toContain('encrypted_content":"');
  await ask('a', more);
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('encrypted_content":"');
  next = {};
  const png = await import('node:fs').then(({ readFileSync }) => readFileSync('examples/chart.png'));
  const data = png.toString('base64');
  await ask('a', [
    { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }] },
  ]);
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain(data);
  const id = `sha256:${createHash('sha256').update(png).digest('hex')}`;
  const forged = { type: 'image', asset: { id, mediaType: 'image/png', size: png.length }, width: 10, height: 10 };
  await ask('b', [{ role: 'user', content: [forged] }]);
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toContain(data);
});

test('one line a request, without words or keys, and counters of the same', async () => {
  const lines: string[] = [];
  await using gateway = await openGateway(options({ log: (line) => lines.push(line) }));
  await said(gateway.url, 'gpt', { 'x-api-key': 'none' }, 'A secret word.');
  await said(gateway.url, 'nobody', {});
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { wire: 'anthropic-messages', route: 'gpt', target: 'openai/gpt-5.2', way: 'convert', status: 200, usage: { inputTokens: 1000 }, cost: expect.any(Number) },
    { route: 'nobody', status: 404, error: 'not-found' },
  ]); // prettier-ignore
  expect(lines.join('')).not.toMatch(/secret|none|ours/);
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  expect(metrics).toContain(
    'sightline_requests_total{wire="anthropic-messages",target="openai/gpt-5.2",way="convert",status="200"} 1',
  );
  expect(metrics).toContain('sightline_tokens_total{kind="output"} 1000');
  expect(metrics).toMatch(
    /sightline_overhead_seconds_bucket{le="\+Inf"} 1\n[\s\S]*sightline_request_seconds_count 2\n/,
  );
});

test('new routes hold at once, wrong ones change nothing, and no request fails meanwhile', async () => {
  await using gateway = await openGateway(options({ routes: { house: ['claude'] } }));
  let reloads = 0;
  const reload = (): void => {
    gateway.reload(options({ routes: { house: [reloads++ % 2 === 0 ? 'gpt' : 'claude'] } }));
    expect(() => gateway.reload(options({ routes: { house: ['nobody'] } }))).toThrow(/nobody/);
  };
  const statuses: number[] = [];
  const client = async (): Promise<void> => {
    for (let at = 0; at < 10; at++) {
      const answer = said(gateway.url, 'house', {});
      reload();
      statuses.push((await answer).status);
      reload();
    }
  };
  await Promise.all(Array.from({ length: 5 }, client));
  expect(reloads).toBe(100);
  expect(statuses).toEqual(statuses.map(() => 200));
  expect((await said(gateway.url, 'house', {})).headers.get('x-sightline-model')).toBe('anthropic/claude-sonnet-5');
});

test('streams under way end before it does, and new ones are not taken', async () => {
  next = { text: 'Slow and steady wins the race.', slow: 20 };
  const gateway = await openGateway(options());
  const body = JSON.stringify({
    model: 'gpt',
    max_tokens: 9,
    stream: true,
    messages: [{ role: 'user', content: 'Hi.' }],
  });
  const asked = upstream.requests.length;
  const streams = Array.from({ length: 50 }, async () =>
    (await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body })).text(),
  );
  await expect.poll(() => upstream.requests.length).toBe(asked + 50);
  const closed = gateway.close();
  for (const text of await Promise.all(streams)) expect(text).toContain('message_stop');
  await closed;
  next = {};
  await expect(fetch(gateway.url)).rejects.toThrow();
});

test('what takes longer than it is given is told so in its own dialect', async () => {
  next = { text: 'Slow and steady. '.repeat(200), slow: 100 };
  const gateway = await openGateway(options());
  const body = JSON.stringify({
    model: 'gpt',
    max_tokens: 9,
    stream: true,
    messages: [{ role: 'user', content: 'Hi.' }],
  });
  const response = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body });
  await gateway.close(50);
  expect(await response.text()).toMatch(/event: error/);
  next = {};
});

const put = (store: AssetStore, byte: number): Promise<Asset> =>
  store.put(new Uint8Array(100).fill(byte), { mediaType: 'image/png' });

test('the media of all keys together stay within one bound, and none sees those of another', async () => {
  const roomOf = openRooms(memoryAssets(), undefined, memoryAssets({ maxBytes: 250 }));
  const [alice, bob] = [roomOf('alice').assets, roomOf('bob').assets];
  const [first, second] = [await put(alice, 1), await put(bob, 2)];
  expect((await alice.get(first.id))?.length).toBe(100);
  expect(await bob.get(first.id)).toBeUndefined();
  expect(await bob.missing([first.id, second.id])).toEqual(new Set([first.id]));
  await expect(Array.fromAsync(bob.stream(first.id))).rejects.toThrow('is gone');
  await put(bob, 1);
  expect((await bob.get(first.id))?.length, 'who has the bytes has them').toBe(100);
  await put(bob, 3);
  await put(bob, 4);
  expect(await alice.missing([first.id])).toEqual(new Set([first.id]));
});
