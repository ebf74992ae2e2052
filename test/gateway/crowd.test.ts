// Many at once: five hundred answers are streamed side by side, and those who come in a crowd let the others have their turn.
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openGateway } from '../../src/gateway/index.ts';
import { openFairTurns } from '../../src/gateway/fair-turns.ts';

const crowd = 500;
const paths = ['/v1/chat/completions', '/v1/messages'];

const piece = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'gpt-4.1',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`;

test('five hundred streams, handed on and told in another dialect, are all under way before the first one ends, and all are whole', async () => {
  const begun: (() => void)[] = [];
  const upstream = createServer((incoming, outgoing) => {
    incoming.resume().once('end', () => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.write(piece({ role: 'assistant', content: 'First.' }));
      begun.push(() => outgoing.end(`${piece({ content: 'Last.' })}${piece({}, 'stop')}data: [DONE]\n\n`));
    });
  });
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
  await using gateway = await openGateway({
    port: 0,
    models: { chat: { model: 'openai-chat/gpt-4.1', baseUrl, key: 'none' } },
  });
  const agent = new Agent({ maxSockets: crowd });
  const body = JSON.stringify({
    model: 'chat',
    stream: true,
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hi.' }],
  });
  let heard = 0;
  const answers = Array.from(
    { length: crowd },
    (_, at) =>
      new Promise<string>((resolve, reject) => {
        const asked = request(`${gateway.url}${paths[at % 2]}`, { method: 'POST', agent }, (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => {
            if (text === '') heard++;
            text += chunk.toString();
          });
          response.once('end', () => resolve(text)).once('error', reject);
        });
        asked.once('error', reject).end(body);
      }),
  );
  const whole = Promise.all(answers);
  whole.catch(() => undefined); // told below, if we come to it
  await expect.poll(() => [begun.length, heard], { timeout: 4 * 60_000 }).toEqual([crowd, crowd]);
  for (const end of begun) end();
  for (const answer of await whole) expect(answer).toMatch(/First\.[\s\S]*Last\.[\s\S]*(?:DONE|stop)/);
  agent.destroy();
  upstream.close();
});

test('of a crowd a few go on in each turn of the event loop, in their order; who comes alone waits for nobody', async () => {
  const turns = openFairTurns(4);
  for (let alone = 0; alone < 3; alone++) {
    let gone = false;
    void turns().then(() => (gone = true));
    await Promise.resolve();
    await Promise.resolve();
    expect(gone).toBe(true);
    await nextTurn();
    await nextTurn();
  }
  const order: number[] = [];
  const going = Array.from({ length: 40 }, (_, at) => turns().then(() => void order.push(at)));
  let most = 0;
  for (let before = 0; order.length < 40; before = order.length) {
    await nextTurn();
    most = Math.max(most, order.length - before);
  }
  await Promise.all(going);
  expect(most).toBeLessThanOrEqual(8);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
});
