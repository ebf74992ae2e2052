// What becomes of a request when a model of its route fails: who answers then, in which stream, and who rests.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openGateway } from '../../src/gateway/index.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Answer, ScriptedServer } from '../../src/model/script/index.ts';
import { hastyClock } from '../model/hasty-clock.ts';

let upstream: ScriptedServer;
let next: Answer = {};

beforeAll(async () => {
  upstream = await scriptedServer(script(() => next));
});
afterAll(() => upstream.close());
afterEach(() => vi.unstubAllEnvs());

/** A provider that takes requests and leaves their answers to the test. */
async function silentServer(): Promise<{ url: string; waiting: ServerResponse[] } & AsyncDisposable> {
  const waiting: ServerResponse[] = [];
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => waiting.push(outgoing));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const streamed = { max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'Hi.' }] };

test.each<[string, Answer, RegExp]>([
  ['answers', { text: 'Sales rose.' }, /event: ping[\s\S]*rose[\s\S]*event: message_stop/],
  ['refuses', { error: { status: 400, message: 'Not this.' } }, /event: ping[\s\S]*event: error\ndata: .*Not this\./],
])('after a sign of life the next model of a route %s in the stream that was begun', async (_what, answer, told) => {
  next = answer;
  await using silent = await silentServer();
  const clock = hastyClock(0);
  const lines: string[] = [];
  await using gateway = await openGateway({
    port: 0,
    clock,
    models: {
      first: { model: 'openai/gpt-5.4', baseUrl: silent.url, key: 'k' },
      second: { model: 'anthropic/claude-sonnet-5', baseUrl: upstream.url, key: 'k' },
    },
    routes: { both: ['first', 'second'] },
    log: (line) => lines.push(line),
  });
  const asked = fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-stainless-retry-count': '1' },
    body: JSON.stringify({ model: 'both', ...streamed }),
  });
  await expect.poll(() => silent.waiting.length).toBe(1);
  clock.pass(10_000);
  const response = await asked;
  silent.waiting[0]?.writeHead(503).end('Too many.');
  expect(await response.text()).toMatch(told);
  await expect.poll(() => lines.length).toBe(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ way: 'relay', target: 'anthropic/claude-sonnet-5' });
});

const key = (name: string): { hash: string; per: 'month' } => ({
  hash: `sha256:${createHash('sha256').update(name).digest('hex')}`,
  per: 'month',
});

test.each<[string, string, string, object]>([
  ['a key with a budget, for nobody knows its price', 'spends', '/v1/messages', streamed],
  ["a client's own key, which is another vendor's", 'brings', '/v1/messages', streamed],
  ['what only another dialect has', 'plain', '/v1/responses/compact', { input: 'Hi.' }],
])('a model that was not asked by %s does not rest', async (_what, who, path, body) => {
  next = { text: 'Sales rose.' };
  for (const vendor of ['ANTHROPIC', 'OPENAI']) vi.stubEnv(`${vendor}_BASE_URL`, upstream.url);
  for (const vendor of ['ANTHROPIC', 'OPENAI']) vi.stubEnv(`${vendor}_API_KEY`, 'ours');
  await using gateway = await openGateway({
    port: 0,
    models: { first: { model: 'ollama/qwen3-vl', baseUrl: upstream.url } },
    routes: { both: ['first', path.includes('responses') ? 'openai/gpt-5.4' : 'anthropic/claude-sonnet-5'] },
    keys: {
      spends: { ...key('spends'), upstream: 'gateway', budget: 1 },
      brings: { ...key('brings'), upstream: 'client' },
      plain: { ...key('plain'), upstream: 'gateway' },
    },
  });
  const ask = async (by: string, at: string, asked: object): Promise<string | null> => {
    const init = { method: 'POST', headers: { 'x-api-key': by }, body: JSON.stringify({ model: 'both', ...asked }) };
    const response = await fetch(gateway.url + at, init);
    await response.text();
    return response.headers.get('x-sightline-model');
  };
  expect(await ask(who, path, body)).not.toBe('ollama/qwen3-vl');
  expect(await ask('plain', '/v1/messages', streamed)).toBe('ollama/qwen3-vl');
});

test.each([401, 403, 429])(
  "a client's own key that its vendor answers with %i is told so in the vendor's words, and no model rests",
  async (status) => {
    const words = JSON.stringify({ type: 'error', error: { type: 'some_error', message: 'Not with this key.' } });
    const vendor = createServer((incoming, outgoing) => {
      incoming.resume();
      if (incoming.headers['x-api-key'] === 'brings') return void outgoing.writeHead(status).end(words);
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"type":"message","content":[]}');
    });
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
    vi.stubEnv('ANTHROPIC_BASE_URL', `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`);
    vi.stubEnv('ANTHROPIC_API_KEY', 'ours');
    await using gateway = await openGateway({
      port: 0,
      routes: { both: ['anthropic/claude-sonnet-5', 'anthropic/claude-opus-4-7'] },
      keys: { brings: { ...key('brings'), upstream: 'client' }, plain: { ...key('plain'), upstream: 'gateway' } },
    });
    const ask = (by: string, path: string, body?: object): Promise<Response> =>
      fetch(gateway.url + path, {
        method: body ? 'POST' : 'GET',
        headers: { 'x-api-key': by, 'anthropic-version': '2023-06-01' },
        ...(body && { body: JSON.stringify({ model: 'both', ...body }) }),
      });
    const { stream: _stream, ...whole } = streamed;
    for (const refused of [await ask('brings', '/v1/messages', whole), await ask('brings', '/v1/files')])
      expect([refused.status, await refused.text()]).toEqual([status, words]);
    const answer = await ask('plain', '/v1/messages', whole);
    expect([answer.status, answer.headers.get('x-sightline-model')]).toEqual([200, 'anthropic/claude-sonnet-5']);
    vendor.close();
  },
);

const minutes = 60_000;

test.each<[string, boolean, number]>([
  ['streamed', true, 5],
  ['in one piece', false, 10],
])(
  'a provider of the same dialect that takes a request for an answer %s and says nothing is given up',
  async (_what, stream, limit) => {
    next = { text: 'Sales rose.' };
    await using silent = await silentServer();
    const clock = hastyClock(0);
    await using gateway = await openGateway({
      port: 0,
      clock,
      models: {
        silent: { model: 'anthropic/claude-sonnet-5', baseUrl: silent.url, key: 'k' },
        second: { model: 'anthropic/claude-opus-4-7', baseUrl: upstream.url, key: 'k' },
      },
      routes: { both: ['silent', 'second'] },
    });
    const ask = (model: string): Promise<Response> =>
      fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: JSON.stringify({ ...streamed, model, stream }) });
    const alone = ask('silent');
    await expect.poll(() => silent.waiting.length).toBe(1);
    clock.pass(limit * minutes - 1);
    expect(silent.waiting[0]?.destroyed).toBe(false);
    clock.pass(1);
    const told = await alone;
    expect([told.status, await told.text()]).toEqual([
      504,
      expect.stringContaining(`Nothing came for ${limit * 60} s`),
    ]);
    await expect.poll(() => silent.waiting[0]?.destroyed).toBe(true);
    const either = ask('both');
    await expect.poll(() => silent.waiting.length).toBe(2);
    clock.pass(limit * minutes);
    const answer = await either;
    expect([answer.headers.get('x-sightline-model'), await answer.text()]).toEqual([
      'anthropic/claude-opus-4-7',
      expect.stringContaining('rose'),
    ]);
  },
);

test('every chunk of a relayed answer is a sign of life, and what falls silent on the way is told in the stream', async () => {
  await using silent = await silentServer();
  const clock = hastyClock(0);
  await using gateway = await openGateway({
    port: 0,
    clock,
    models: { slow: { model: 'anthropic/claude-sonnet-5', baseUrl: silent.url, key: 'k' } },
  });
  const asked = fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ ...streamed, model: 'slow' }),
  });
  await expect.poll(() => silent.waiting.length).toBe(1);
  const [vendor] = silent.waiting;
  vendor?.writeHead(200, { 'content-type': 'text/event-stream' });
  let heard = '';
  const over = asked.then(async ({ body }) => {
    for await (const chunk of body ?? []) heard += Buffer.from(chunk).toString();
  });
  for (const word of ['one', 'two', 'three']) {
    vendor?.write(`event: ping\ndata: {"type":"ping","word":"${word}"}\n\n`);
    await expect.poll(() => heard).toContain(word);
    clock.pass(4 * minutes);
  }
  expect(vendor?.destroyed).toBe(false);
  clock.pass(minutes);
  await over;
  expect(heard).toMatch(/three[\s\S]*event: error\ndata: .*Nothing came for 300 seconds\./);
  await expect.poll(() => vendor?.destroyed).toBe(true);
});
