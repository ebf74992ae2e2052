// Bodies of many megabytes on their way through Node's own fetch: what arrives is what a text would have been.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sightlineFetch } from '../../src/fetch/index.ts';

type Arrived = { path: string | undefined; headers: IncomingMessage['headers']; body: string };

const arrived: Arrived[] = [];
const moved = '/moved/v1/messages';
const server = createServer(async (request, response) => {
  const path = request.url;
  arrived.push({ path, headers: request.headers, body: await text(request) });
  if (path === moved) response.writeHead(307, { location: '/v1/messages' }).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => void arrived.splice(0));
afterAll(() => void server.close());

/** Letters of one to four bytes. Most of them are two letters of a string, and chunks would end between them. */
const words = `größer … 絵 ${'😀'.repeat(1_100_000)}`;
const shown = JSON.stringify({ base64: readFileSync('examples/chart.png').toString('base64') });
const body = JSON.stringify({
  model: 'claude-sonnet-4-5',
  max_tokens: 9,
  messages: [
    { role: 'user', content: words },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: shown }] },
    { role: 'user', content: `x${words}` },
  ],
});
const headers = { 'content-type': 'application/json', 'x-api-key': 'key' };

/** What a fetch of the caller's own gets for it. */
async function asText(): Promise<string> {
  let got: unknown;
  const own: typeof fetch = async (_url, init) => ((got = init?.body), Response.json({}));
  await sightlineFetch({ fetch: own })(`${origin}/v1/messages`, { method: 'POST', headers, body });
  if (typeof got !== 'string') throw new Error('It is no text.');
  return got;
}

test('a long body arrives letter by letter, with its length', async () => {
  const [expected, send] = [await asText(), sightlineFetch()];
  expect(expected).not.toBe(body);
  await send(`${origin}/v1/messages`, { method: 'POST', headers, body });
  await send(new Request(`${origin}/v1/messages`, { method: 'POST', headers, body }));
  await send(new Request(`${origin}/v1/messages`, { method: 'POST', headers, body, keepalive: true }));
  expect(arrived.map((one) => one.body === expected)).toEqual([true, true, true]);
  for (const one of arrived) {
    expect(one.headers).toMatchObject({ ...headers, 'content-length': String(Buffer.byteLength(expected)) });
    expect(one.headers).not.toHaveProperty('transfer-encoding');
  }
});

test('a server that sends elsewhere gets the whole body there', async () => {
  const expected = await asText();
  const response = await sightlineFetch()(origin + moved, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  const last = arrived.at(-1);
  expect(last?.path).toBe('/v1/messages');
  expect(last?.body === expected).toBe(true);
});

test('a caller who wants to see that a server sends elsewhere sees it', async () => {
  const response = await sightlineFetch()(origin + moved, { method: 'POST', headers, body, redirect: 'manual' });
  expect(response.status).toBe(307);
});

test('a caller who gives up while it is sent gets his own reason', async () => {
  const gone = new AbortController();
  const sending = sightlineFetch()(`${origin}/v1/messages`, { method: 'POST', headers, body, signal: gone.signal });
  gone.abort(new Error('enough'));
  await expect(sending).rejects.toThrow('enough');
});
