// Through a proxy of the environment: one that is asked for whole addresses, and one that opens tunnels.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { collect } from '../../src/message/collect.ts';
import { prepare } from '../../src/model/prepare.ts';
import { send } from '../../src/model/send.ts';
import { all } from './all.ts';
import { streamOf } from './fault-server.ts';
import { hastyClock } from './hasty-clock.ts';

afterEach(() => vi.unstubAllEnvs());

async function proxy(): Promise<{ host: string; seen: string[]; close: () => void }> {
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
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, seen, close: () => void server.close() };
}

const messages = [{ role: 'user', content: 'x' }] as const;

test('plain HTTP is asked of the proxy, with its login', async () => {
  const { host, seen, close } = await proxy();
  vi.stubEnv('http_proxy', `http://user:pass%20word@${host}`);
  const options = { model: 'anthropic/claude-sonnet-4-5', baseUrl: 'http://model.example:81' };
  const { content } = await collect(send(await prepare({ messages: [...messages] }, options), { key: 'k' }));
  close();
  const login = Buffer.from('user:pass word').toString('base64');
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
