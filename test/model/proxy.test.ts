// Through a proxy of the environment: one that is asked for whole addresses, and one that opens tunnels.
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { collect } from '../../src/message/collect.ts';
import { prepare } from '../../src/model/prepare.ts';
import { send } from '../../src/model/send.ts';
import { all } from './all.ts';
import { certificateFor } from './certificate.ts';
import { streamOf } from './fault-server.ts';
import { hastyClock } from './hasty-clock.ts';

afterEach(() => vi.unstubAllEnvs());

/** A proxy; its tunnels lead to a port of this machine, or nowhere. */
async function proxy(port?: number): Promise<{ host: string; seen: string[]; close: () => void }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(
      `${request.method} ${request.url} ${request.headers.host} ${request.headers['proxy-authorization'] ?? ''}`,
    );
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamOf('through the proxy'));
    });
  });
  server.on('connect', (request, socket) => {
    seen.push(`${request.method} ${request.url}`);
    if (port === undefined) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const onward = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, seen, close: () => void server.close() };
}

const messages = [{ role: 'user', content: 'x' }] as const;

test.each([
  ['pass%20word', 'pass word'],
  ['pass100%', 'pass100%'],
])('plain HTTP is asked of the proxy, with its login: %s', async (written, password) => {
  const { host, seen, close } = await proxy();
  vi.stubEnv('http_proxy', `http://user:${written}@${host}`);
  const options = { model: 'anthropic/claude-sonnet-4-5', baseUrl: 'http://model.example:81' };
  const { content } = await collect(send(await prepare({ messages: [...messages] }, options), { key: 'k' }));
  close();
  const login = Buffer.from(`user:${password}`).toString('base64');
  expect(content).toMatchObject([{ text: 'through the proxy' }]);
  expect(seen).toEqual([`POST http://model.example:81/v1/messages model.example:81 Basic ${login}`]);
});

test('encrypted requests ask for a tunnel, and a proxy that refuses is named', async () => {
  const { host, seen, close } = await proxy();
  vi.stubEnv('https_proxy', `http://${host}`);
  const options = { model: 'anthropic/claude-sonnet-4-5', baseUrl: 'https://model.example' };
  const request = await prepare({ messages: [...messages] }, options);
  const events = await all(send(request, { key: 'k', clock: hastyClock() }));
  close();
  expect(seen[0]).toBe('CONNECT model.example:443');
  expect(events).toMatchObject([{ type: 'message-error', code: 'network' }]);
  expect(JSON.stringify(events)).toContain(`${host} answered 403`);
});

test('through a tunnel the request is encrypted from here to the model', async () => {
  const { key, cert } = certificateFor('model.example');
  const heard: string[] = [];
  const model = createSecureServer({ key, cert }, (request, response) => {
    heard.push(`${request.method} ${request.url} ${request.headers.host} ${String(request.headers['x-api-key'])}`);
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamOf('through the tunnel'));
    });
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  const { host, seen, close } = await proxy((model.address() as AddressInfo).port);
  vi.stubEnv('https_proxy', `http://${host}`);
  const trusted = getCACertificates('default');
  const options = { model: 'anthropic/claude-sonnet-4-5', baseUrl: 'https://model.example' };
  const ask = async (): Promise<object[]> =>
    all(send(await prepare({ messages: [...messages] }, options), { key: 'k', clock: hastyClock() }));
  try {
    expect((await ask()).at(-1)).toMatchObject({ type: 'message-error', code: 'network' }); // a stranger's certificate
    expect(heard).toEqual([]);
    setDefaultCACertificates([...trusted, cert]);
    expect(await ask()).toContainEqual({
      type: 'block-end',
      index: 0,
      block: { type: 'text', text: 'through the tunnel' },
    });
    expect(heard).toEqual(['POST /v1/messages model.example k']);
    expect(new Set(seen)).toEqual(new Set(['CONNECT model.example:443']));
  } finally {
    setDefaultCACertificates(trusted);
    close();
    model.close();
  }
});
