// Connections: kept for the next request when an answer is over, closed when it is left in the middle.
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { prepare } from '../../src/model/prepare.ts';
import { send } from '../../src/model/send.ts';
import { all } from './all.ts';
import { streamOf } from './fault-server.ts';

async function listening(serve: RequestListener): Promise<{ url: string; sockets: Set<Socket>; close: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void request.resume().on('end', () => serve(request, response)));
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, close };
}

const ask = (baseUrl: string): ReturnType<typeof prepare> =>
  prepare({ messages: [{ role: 'user', content: 'x' }] }, { model: 'anthropic/claude-sonnet-4-5', baseUrl });

test('answers and errors one after the other go over one connection', async () => {
  let count = 0;
  const { url, sockets, close } = await listening((_request, response) => {
    if (++count % 2 === 0) response.writeHead(400).end('{"error":{"message":"no"}}');
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamOf('fine'));
  });
  const request = await ask(url);
  for (let turn = 0; turn < 6; turn++) {
    expect((await all(send(request, { key: 'k' }))).at(-1)?.type).toBe(
      turn % 2 === 0 ? 'message-end' : 'message-error',
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
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
