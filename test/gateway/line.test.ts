// What happens on the line: bodies wait for room, crawl, or come from a client that reads slowly, goes away, or brings a key of
// its own; and what is recorded of it all.
import { createHash } from 'node:crypto';
import { createServer, globalAgent } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGateway } from '../../src/gateway/index.ts';
import type { Gateway } from '../../src/gateway/index.ts';
import { openUploads } from '../../src/gateway/uploads.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer } from '../../src/model/script/index.ts';

let upstream: ScriptedServer;

beforeAll(async () => {
  upstream = await scriptedServer(script(() => ({ text: 'Fine.' })));
});

afterAll(() => upstream.close());

const at = (baseUrl: string): { model: 'openai/gpt-5.4'; baseUrl: string; key: string } => ({
  model: 'openai/gpt-5.4',
  baseUrl,
  key: 'ours',
});

/** A request on a raw socket, its body sent piece by piece. */
type Line = { socket: Socket; heard: () => string };

function post({ url }: Gateway, bytes: number, more = ''): Line {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk.toString('latin1'))).on('error', () => undefined);
  socket.write(`POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${bytes}\r\n${more}\r\n`);
  return { socket, heard: () => heard };
}

const asked = (letters: number): string =>
  JSON.stringify({ model: 'gpt', max_tokens: 9, messages: [{ role: 'user', content: 'x'.repeat(letters) }] });

test('a body waits unread until those before it leave room', async () => {
  await using gateway = await openGateway({ port: 0, models: { gpt: at(upstream.url) }, uploadsMib: 0.1 });
  const body = asked(70_000);
  const before = upstream.requests.length;
  const first = post(gateway, body.length);
  first.socket.write(body.slice(0, 50_000));
  await expect.poll(() => first.socket.bytesWritten).toBeGreaterThan(50_000);
  const second = post(gateway, body.length);
  second.socket.write(body);
  const small = asked(5);
  const third = post(gateway, small.length);
  third.socket.write(small);
  for (let round = 0; round < 30; round++) await fetch(`${gateway.url}/healthz`);
  expect(upstream.requests.length, 'nobody overtakes').toBe(before);
  first.socket.write(body.slice(50_000));
  for (const one of [first, second, third]) {
    await expect.poll(one.heard).toMatch(/^HTTP\/1\.1 200/);
    one.socket.destroy();
  }
});

test('the room of a client that went away while it waited, or while it sent, is free again', async () => {
  await using gateway = await openGateway({ port: 0, models: { gpt: at(upstream.url) }, uploadsMib: 0.1 });
  const body = asked(70_000);
  for (let round = 0; round < 20; round++) {
    const { socket } = post(gateway, body.length);
    socket.write(body.slice(0, 1000), () => socket.destroy());
  }
  const last = post(gateway, body.length);
  last.socket.write(body);
  await expect.poll(last.heard).toMatch(/^HTTP\/1\.1 200/);
  last.socket.destroy();
});

test('bodies are let in by their length, in their order, a large one alone', async () => {
  const uploads = openUploads(10);
  const inside: string[] = [];
  const enter = async (name: string, bytes: number): Promise<() => void> => {
    const leave = await uploads.enter(bytes);
    inside.push(name);
    return leave;
  };
  const leaveFirst = await enter('first', 6);
  const large = enter('large', 100);
  const small = enter('small', 1);
  await Promise.resolve();
  expect([inside, uploads.bytes]).toEqual([['first'], 6]);
  leaveFirst();
  const leaveLarge = await large;
  await Promise.resolve();
  expect([inside, uploads.bytes]).toEqual([['first', 'large'], 100]);
  leaveLarge();
  (await small)();
  expect([inside, uploads.bytes]).toEqual([['first', 'large', 'small'], 0]);
});

test('a body that crawls is not waited for, and hears why', async () => {
  let now = 0;
  const due: { at: number; act: () => void }[] = [];
  const clock = {
    now: () => now,
    after: (ms: number, act: () => void) => {
      const one = { at: now + ms, act };
      due.push(one);
      return () => void due.splice(due.indexOf(one), 1);
    },
  };
  const pass = (ms: number): void => {
    now += ms;
    for (const one of due.filter(({ at: then }) => then <= now)) {
      due.splice(due.indexOf(one), 1);
      one.act();
    }
  };
  await using gateway = await openGateway({ port: 0, models: { gpt: at(upstream.url) }, clock });
  const body = asked(400_000);
  const line = post(gateway, body.length);
  line.socket.write(body.slice(0, 200_000));
  await expect.poll(() => due.length).toBeGreaterThan(0);
  await expect.poll(() => line.socket.bytesWritten).toBeGreaterThan(200_000);
  await fetch(`${gateway.url}/healthz`);
  pass(10_000); // 20 KB a second
  line.socket.write(body.slice(200_000, 210_000));
  await fetch(`${gateway.url}/healthz`);
  expect(line.heard()).toBe('');
  pass(10_000); // 1 KB a second
  await expect.poll(line.heard).toMatch(/^HTTP\/1\.1 408[\s\S]*16 KiB a second/);
  await expect.poll(() => line.socket.readableEnded).toBe(true);
});

/** A provider that speaks Responses, as fast as it is let. */
async function provider(
  answer: (response: ServerResponse, headers: IncomingHttpHeaders) => void,
): Promise<{ url: string; close: () => void }> {
  const server = createServer((incoming, outgoing) => {
    incoming.resume().once('end', () => answer(outgoing, incoming.headers));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

const delta = `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word '.repeat(2000) } })}\n\n`;
const opening = [
  { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 1, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''); // prettier-ignore

test.each(['/v1/messages', '/v1/chat/completions'])(
  'a provider that is faster than its client has to wait, and stops when the client goes (%s)',
  async (path) => {
    let written = 0;
    let closed = false;
    const flood = await provider((response) => {
      response.once('close', () => (closed = true));
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(opening);
      const pour = (): void => {
        while (!response.destroyed && response.write(delta)) written += delta.length;
        written += delta.length;
        response.once('drain', pour);
      };
      pour();
    });
    const model = { model: 'anthropic/claude-sonnet-5' as const, baseUrl: flood.url, key: 'ours' };
    await using gateway = await openGateway({ port: 0, models: { claude: model } });
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    const messages = [{ role: 'user', content: 'Hi.' }];
    const body = JSON.stringify({ model: 'claude', max_tokens: 9, stream: true, messages });
    socket.write(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    await new Promise((heard) => socket.once('data', heard));
    socket.pause();
    let before = -1;
    await expect.poll(() => [before === written, (before = written)][0], { interval: 300 }).toBe(true);
    expect(written, 'what lies on the way').toBeLessThan(30 * 1024 * 1024);
    expect(closed).toBe(false);
    socket.destroy();
    await expect.poll(() => closed).toBe(true);
    flood.close();
  },
);

test.each(['/v1/messages', '/v1/chat/completions'])(
  'that a provider closes connections which rest is never told to a client (%s)',
  async (path) => {
    const used = new Set<Socket | null>();
    const told: number[] = [];
    const tired = await provider((response) => {
      const { socket } = response;
      told.push(used.has(socket) ? 0 : 200);
      if (used.has(socket)) return void socket?.destroy();
      used.add(socket);
      const stop = `event: message_stop\ndata: {"type":"message_stop"}\n\n`;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(opening + delta + stop);
    });
    const model = { model: 'anthropic/claude-sonnet-5' as const, baseUrl: tired.url, key: 'ours' };
    await using gateway = await openGateway({ port: 0, models: { claude: model } });
    const messages = [{ role: 'user', content: 'Hi.' }];
    const body = JSON.stringify({ model: 'claude', max_tokens: 9, stream: true, messages });
    for (let turn = 0; turn < 3; turn++) {
      const answer = await fetch(gateway.url + path, { method: 'POST', body });
      expect([answer.status, (await answer.text()).includes('word word')]).toEqual([200, true]);
      await expect.poll(() => globalAgent.sockets[`${new URL(tired.url).host}:`] ?? []).toEqual([]); // it rests
    }
    expect(told).toEqual([200, 0, 200, 200]); // the second new connection is not kept
    tired.close();
  },
);

test("a client's own key goes to its own vendor, and to nobody else", async () => {
  const keys: (string | undefined)[] = [];
  const vendor = await provider((response, headers) => {
    keys.push(headers['x-api-key']?.toString() ?? headers.authorization);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-5', content: [{ type: 'text', text: 'Fine.' }], stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1 } })); // prettier-ignore
  });
  const variables = { ANTHROPIC_BASE_URL: vendor.url, ANTHROPIC_API_KEY: 'ours', OPENAI_API_KEY: 'ours' };
  const outer = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    const hash = `sha256:${createHash('sha256').update('sk-theirs').digest('hex')}`;
    await using gateway = await openGateway({
      port: 0,
      models: { elsewhere: { model: 'anthropic/claude-sonnet-5', baseUrl: upstream.url } },
      keys: { alice: { hash, per: 'month', upstream: 'client' } },
    });
    const ask = (model: string, headers: Record<string, string>): Promise<Response> =>
      fetch(`${gateway.url}/v1/messages`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi.' }] }),
      });
    const before = upstream.requests.length;
    const own = await ask('claude-sonnet-5', { 'x-api-key': 'sk-theirs' });
    expect([own.status, keys]).toEqual([200, ['sk-theirs']]);
    for (const model of ['elsewhere', 'openai/gpt-5.4']) {
      const other = await ask(model, { 'x-api-key': 'sk-theirs' });
      expect([other.status, await other.json()]).toMatchObject([403, { error: { message: /its own vendor alone/ } }]);
    }
    const counted = (model: string): Promise<Response> =>
      fetch(`${gateway.url}/v1/messages/count_tokens`, {
        method: 'POST',
        headers: { 'x-api-key': 'sk-theirs' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi.' }] }),
      });
    expect([(await counted('claude-sonnet-5')).status, (await counted('openai/gpt-5.4')).status]).toEqual([200, 403]);
    expect(keys, 'the key of the gateway is not sent in its place').toEqual(['sk-theirs', 'sk-theirs']);
    expect(upstream.requests.length).toBe(before);
  } finally {
    for (const [name, value] of outer) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    vendor.close();
  }
});
