// The vendors' SDKs through a gateway, each against a model of every dialect, plain and streamed. The provider's side is
// a server on this machine that speaks the real protocols and keeps what arrived.
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGateway } from '../../src/gateway/index.ts';
import type { Gateway } from '../../src/gateway/index.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedRequest, ScriptedServer } from '../../src/model/script/index.ts';
import { base64InText, schemaErrors } from '../judge/judge.ts';
import { chart, clients, report, targets } from './clients.ts';

const said = 'Sales rose. 😀';

/** What the server here gave as a server may, and gets back; OpenAI's own has no such field. */
const own = /unknown field "reasoning_content"/;

let upstream: ScriptedServer;
let gateway: Gateway;

beforeAll(async () => {
  upstream = await scriptedServer(
    script(({ transcript }) => {
      const answered = transcript.messages.some(({ role }) => role === 'tool');
      return answered
        ? { text: said }
        : { thinking: 'I should look.', calls: [{ name: 'open_report', input: { quarter: 'Q3' } }] };
    }),
  );
  const models = Object.entries(targets).map(([name, model]) => [
    name,
    { model, baseUrl: upstream.url, key: 'secret' },
  ]);
  gateway = await openGateway({ port: 0, models: Object.fromEntries(models) });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

function lastRequest(): ScriptedRequest {
  const request = upstream.requests.at(-1);
  if (!request) throw new Error('No request was made.');
  return request;
}

const pairs = clients.flatMap((client) =>
  Object.keys(targets).flatMap((name) => [false, true].map((stream) => ({ client, wire: client.wire, name, stream }))),
);

test.each(pairs)('$wire, answered by $name, streamed: $stream', async ({ client, name, stream }) => {
  expect(await client.run({ url: gateway.url, model: name, stream })).toBe(said);
  const { body, wire, model, headers } = lastRequest();
  expect(`${model}`).toBe(targets[name as keyof typeof targets].replace(/^[^/]+\//, ''));
  const text = JSON.stringify(body);
  expect(text, 'the picture').toContain(chart);
  if (wire === 'ollama') expect(text, 'the PDF in another form').toMatch(/Q3|images/);
  else expect(text, 'the PDF').toContain(report);
  expect(base64InText(wire ?? 'ollama', body)).toEqual([]);
  if (client.wire !== wire)
    expect((await schemaErrors(wire ?? 'ollama', body)).filter((error) => !own.test(error))).toEqual([]);
  expect(JSON.stringify(headers)).not.toContain('none');
});

test.each(Object.keys(targets))(
  'thirty pictures of one message all reach %s, the same one twice among them',
  async (name) => {
    const pictures = await Promise.all(
      Array.from({ length: 29 }, (_, at) =>
        sharp({ create: { width: 64, height: 64, channels: 3, background: { r: at * 8, g: 0, b: 0 } } })
          .png()
          .toBuffer(),
      ),
    );
    const parts = [...pictures, pictures[0] as Buffer].map((bytes) => ({
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` },
    }));
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: name, messages: [{ role: 'user', content: parts }] }),
    });
    expect(answer.headers.get('x-sightline-receipts')).not.toContain('words');
    const seen = (lastRequest().transcript?.messages ?? []).flatMap(({ content }) => content as { type: string }[]);
    expect(seen.filter(({ type }) => type === 'image')).toHaveLength(30);
  },
);

test('a picture that has to be another one on its way is made once, and is the same with every request after that', async () => {
  const pixels = { raw: { width: 90, height: 60, channels: 3 } } as const;
  const tiff = await sharp(randomBytes(90 * 60 * 3), pixels)
    .tiff()
    .toBuffer();
  const url = `data:image/tiff;base64,${tiff.toString('base64')}`;
  const asked = { role: 'user', content: [{ type: 'image_url', image_url: { url } }] };
  const words: string[] = [];
  for (const messages of [[asked], [asked], [asked, asked, { role: 'user', content: 'And again?' }]]) {
    const body = JSON.stringify({ model: 'chat', messages });
    const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', body });
    expect([response.status, response.headers.get('x-sightline-way')]).toEqual([200, 'relay']);
    await response.text();
    words.push(JSON.stringify((lastRequest().body as { messages: unknown[] }).messages));
  }
  const [first = '', second, third = ''] = words;
  expect(second).toBe(first);
  expect(third.startsWith(first.slice(0, -1))).toBe(true);
  const made = /data:image\/(?:png|jpeg|webp);base64,([^"]+)/.exec(third)?.[1] ?? '';
  expect(await sharp(Buffer.from(made, 'base64')).metadata()).toMatchObject({ width: 90, height: 60 });
  expect(third.split(made)).toHaveLength(3);
});

test('a picture of many chunks that was seen before arrives as it was sent, packed or not', async () => {
  const pixels = { raw: { width: 500, height: 300, channels: 3 } } as const;
  const png = await sharp(randomBytes(500 * 300 * 3), pixels)
    .png()
    .toBuffer();
  const url = `data:image/png;base64,${png.toString('base64')}`;
  const asked = { role: 'user', content: [{ type: 'image_url', image_url: { url } }] };
  for (const name of ['chat', 'claude'])
    for (const packed of [false, true, false, true]) {
      const body = Buffer.from(JSON.stringify({ model: name, max_tokens: 9, messages: [asked, asked] }));
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        body: packed ? gzipSync(body) : body,
        headers: packed ? { 'content-encoding': 'gzip' } : {},
      });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('choices')]);
      expect(JSON.stringify(lastRequest().body).split(png.toString('base64'))).toHaveLength(3);
    }
});
