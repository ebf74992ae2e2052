// Connections: kept for the next request when an answer is over, closed when it is left in the middle.
import { createServer, globalAgent } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, test, vi } from 'vitest';
import { exchangeOnce } from '../../src/model/http/node-http.ts';
import { prepare } from '../../src/model/prepare.ts';
import { send } from '../../src/model/send.ts';
import { all } from './all.ts';
import { certificateFor } from './certificate.ts';
import { streamOf } from './fault-server.ts';

async function listening(serve: RequestListener): Promise<{ url: string; sockets: Set<Socket>; close: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void request.resume().on('end', () => serve(request, response)));
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.keepAliveTimeout = 0; // it closes none by itself
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, close };
}

/** Whoever asks next finds the connection of the last answer at rest. */
const atRest = (url: string): Promise<void> =>
  expect.poll(() => globalAgent.sockets[`${new URL(url).host}:`] ?? []).toEqual([]); // as Node's agent calls it

const ask = (baseUrl: string): ReturnType<typeof prepare> =>
  prepare({ messages: [{ role: 'user', content: 'x' }] }, { model: 'anthropic/claude-sonnet-4-5', baseUrl });

test('answers and errors one after the other go over one connection', async () => {
  let count = 0;
  let end: (() => void) | undefined;
  const { url, sockets, close } = await listening((_request, response) => {
    if (++count % 2 === 0) return void response.writeHead(400).end('{"error":{"message":"no"}}');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(streamOf('fine'));
    end = () => response.end(); // behind the last event, as that of providers
  });
  const request = await ask(url);
  for (let turn = 0; turn < 6; turn++) {
    expect((await all(send(request, { key: 'k' }))).at(-1)?.type).toBe(
      turn % 2 === 0 ? 'message-end' : 'message-error',
    );
    end?.();
    await atRest(url);
  }
  close();
  expect(count).toBe(6);
  expect(sockets.size).toBeLessThanOrEqual(2);
});

test.each(['left', 'cancelled'])('an answer that is %s in the middle closes its connection', async (how) => {
  const { url, sockets, close } = await listening((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(streamOf('long').slice(0, -200));
  });
  const cancel = new AbortController();
  for await (const event of send(await ask(url), { key: 'k', signal: cancel.signal })) {
    if (event.type !== 'block-delta') continue;
    if (how === 'left') break;
    cancel.abort();
  }
  const [socket] = sockets;
  await expect.poll(() => socket?.destroyed).toBe(true);
  close();
});

test('a web page in place of an answer, which nobody reads, keeps no connection', async () => {
  const { url, close } = await listening((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>');
  });
  for await (const { type } of send(await ask(url), { key: 'k' })) expect(type).toBe('message-error');
  await atRest(url);
  close();
});

const asked = { headers: {}, redirect: 'manual', duplex: 'half' } as const;

const tellAddress: RequestListener = ({ headers: { host, authorization }, url }, response) =>
  void response.end(JSON.stringify([host, authorization, url]));

test.each(['http', 'https'])(
  'host, path, query and login of an address arrive as they stand in it (%s)',
  async (scheme) => {
    const { key, cert } = certificateFor('localhost');
    const server = scheme === 'http' ? createServer(tellAddress) : createSecureServer({ key, cert }, tellAddress);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `localhost:${(server.address() as AddressInfo).port}`;
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, cert]);
    try {
      const { signal } = new AbortController();
      const answer = await exchangeOnce(`${scheme}://u%40x:p%3Aw@${host}/a%20b?c=d#e`, {
        ...asked,
        method: 'GET',
        signal,
      });
      expect(await answer.json()).toEqual([host, `Basic ${Buffer.from('u@x:p:w').toString('base64')}`, '/a%20b?c=d']);
    } finally {
      setDefaultCACertificates(trusted);
      server.close();
      server.closeAllConnections();
    }
  },
);

test.each([
  ['DELETE', 204],
  ['HEAD', 200],
])('%s, to which %i without a body is the answer, holds no connection', async (method, status) => {
  const { url, close } = await listening((_request, response) => response.writeHead(status).end());
  const { body } = await exchangeOnce(url, { ...asked, method, signal: new AbortController().signal });
  expect(body).toBeNull();
  await atRest(url);
  close();
});

test.each([0, 5])('an answer that is all here, and given up after %i bytes, troubles nobody', async (read) => {
  const uncaught: unknown[] = [];
  const hear = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtException', hear);
  const { url, sockets, close } = await listening((_request, response) => response.end('here it is, all of it'));
  const cancel = new AbortController();
  const { body } = await exchangeOnce(url, { ...asked, method: 'GET', signal: cancel.signal });
  await new Promise((resolve) => setTimeout(resolve, 20)); // it has come to its end, and waits to be read
  const reader = body?.getReader();
  if (read > 0) await reader?.read();
  else void reader?.read().catch(() => undefined);
  cancel.abort();
  await reader?.cancel().catch(() => undefined);
  await expect.poll(() => [...sockets].filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('uncaughtException', hear);
  close();
  expect(uncaught).toEqual([]);
});

/** A server that takes one request on each connection; what comes over it later meets `next`. */
async function onceEach(
  next: (socket: Socket) => void,
): Promise<Awaited<ReturnType<typeof listening>> & { heard: string[] }> {
  const used = new Set<Socket>();
  const heard: string[] = [];
  const server = await listening((request, response) => {
    heard.push(used.has(request.socket) ? 'again' : 'first');
    if (used.has(request.socket)) return next(request.socket);
    used.add(request.socket);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamOf('fine'));
  });
  return { ...server, heard };
}

const closes = (socket: Socket): void => void socket.destroy();
const thinksFirst = (socket: Socket): void => {
  vi.advanceTimersByTime(10_000);
  socket.destroy();
};
const beginsToAnswer = (socket: Socket): void => void socket.write('HTTP/1.1 200 OK\r\n', () => socket.destroy());

test('what meets a connection that its server has closed goes again over a new one, without a wait', async () => {
  const { url, heard, close } = await onceEach(closes);
  const request = await ask(url);
  for (let turn = 0; turn < 2; turn++) {
    expect((await all(send(request, { key: 'k', tries: 1 }))).at(-1)?.type).toBe('message-end');
    await atRest(url);
  }
  close();
  expect(heard).toEqual(['first', 'again', 'first']);
});

const bytes = [new TextEncoder().encode('{}')];

test.each([
  ['after the first byte of an answer', beginsToAnswer, () => bytes],
  ['when its body is there only once', closes, bytes],
  ['to a server that had time to work on it', thinksFirst, () => bytes],
] as const)('nothing goes again %s', async (_when, next, body) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { url, heard, close } = await onceEach(next);
  const init = { ...asked, method: 'POST', headers: { 'content-length': '2' } };
  const go = (): Promise<Response> => exchangeOnce(url, { ...init, body, signal: new AbortController().signal });
  await (await go()).text();
  await atRest(url);
  await expect(go()).rejects.toThrow();
  vi.useRealTimers();
  close();
  expect(heard).toEqual(['first', 'again']);
});

test('a server that closes every connection is asked no more than once over a new one', async () => {
  let count = 0;
  const { url, close } = await listening((request) => void (count++, request.socket.destroy()));
  expect((await all(send(await ask(url), { key: 'k', tries: 1 }))).at(-1)?.type).toBe('message-error');
  close();
  expect(count).toBe(1);
});

test.each([
  [
    'ENOTFOUND',
    'getaddrinfo ENOTFOUND model.example',
    /ENOTFOUND model\.example\. Nobody here knows that host: .*online/,
  ],
  [
    'EAI_AGAIN',
    'getaddrinfo EAI_AGAIN model.example',
    /EAI_AGAIN model\.example\. Nobody here knows that host: .*online/,
  ],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'unable to verify the first certificate',
    /first certificate\. .*NODE_EXTRA_CA_CERTS/,
  ],
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9', /127\.0\.0\.1:9\. Nobody listens there: start the server/],
])('a way that is closed is told with what to do: %s', async (code, message, told) => {
  const fetch = (): never => {
    throw Object.assign(new Error(message), { code });
  };
  const request = await prepare({ messages: [{ role: 'user', content: 'x' }] }, { model: 'anthropic/claude-sonnet-5' });
  const [last] = (await all(send(request, { key: 'k', fetch, tries: 1 }))).slice(-1);
  expect(last).toMatchObject({ type: 'message-error', code: 'network', message: expect.stringMatching(told) });
});
