// Pictures that a model makes itself: stored once, named in the conversation, and given back to their provider as they
// were.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { parseTranscript } from '../../src/wire/parse-transcript.ts';
import type { AssistantMessage, MessageInput } from '../../src/message/message.ts';
import { answer } from '../../src/model/answer.ts';
import { prepare } from '../../src/model/prepare.ts';
import { assetsOf } from '../../src/session/entry.ts';

const plain = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The same pixel with some words in its metadata, which we cut. */
function annotated(): string {
  const bytes = Buffer.from(plain, 'base64');
  const body = Buffer.from(`tEXtprompt\0${'a rose '.repeat(50)}`, 'latin1');
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return Buffer.concat([bytes.subarray(0, 33), chunk, bytes.subarray(33)]).toString('base64');
}

type Made = { item: object; body: object };

const gemini = (data: string): Made => {
  const item = { inlineData: { mimeType: 'image/png', data }, thoughtSignature: 'c2ln' };
  const parts = [{ text: 'Here: ' }, item];
  return { item, body: { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] } };
};
const responses = (result: string): Made => {
  const item = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result };
  return { item, body: { object: 'response', status: 'completed', output: [item] } };
};
const openRouter = (data: string): Made => {
  const item = { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } };
  const message = { role: 'assistant', content: 'Here.', images: [item] };
  return { item, body: { choices: [{ index: 0, message, finish_reason: 'stop' }] } };
};

const rows: [string, string, string, Made][] = [
  ['Gemini', 'gemini/gemini-3-pro-image-preview', plain, gemini(plain)],
  ['Gemini, with metadata', 'gemini/gemini-3-pro-image-preview', annotated(), gemini(annotated())],
  ['Responses', 'openai/gpt-5.4', plain, responses(plain)],
  ['OpenRouter', 'openrouter/google/gemini-3-pro-image', plain, openRouter(plain)],
];

const question: MessageInput = { role: 'user', content: 'Draw a rose.' };
const next: MessageInput = { role: 'user', content: 'And a red one?' };

async function drawn(
  model: string,
  body: object,
): Promise<{ said: AssistantMessage; assets: ReturnType<typeof memoryAssets> }> {
  const assets = memoryAssets();
  const request = await prepare({ messages: [question] }, { model, assets });
  return { said: await request.decode(body), assets };
}

test.each(rows)('%s: is a picture of the message, which holds no base64', async (_, model, data, { body }) => {
  const { said, assets } = await drawn(model, body);
  const picture = said.content.find((block) => block.type === 'image');
  expect(picture).toMatchObject({ width: 1, height: 1, asset: { mediaType: 'image/png' } });
  expect(JSON.stringify(said)).not.toContain(data.slice(0, 40));
  // What goes back to the provider is among what a session keeps for this message.
  const kept = await Promise.all(assetsOf(said).map(({ id }) => assets.get(id)));
  expect(kept.map((bytes) => Buffer.from(bytes ?? []).toString('base64'))).toContain(data);
});

test.each(rows)('%s: goes back as it came, also out of a file', async (_, model, data, { body, item }) => {
  const { said, assets } = await drawn(model, body);
  const stored = parseTranscript(JSON.parse(JSON.stringify({ messages: [question, said, next] })));
  if (!stored.ok) throw new Error(stored.refusal.what);
  for (const transcript of [{ messages: [question, said, next] }, stored.value]) {
    const request = await prepare(transcript, { model, assets });
    expect(JSON.stringify(await request.json())).toContain(JSON.stringify(item));
    expect(request.totals.used.images).toBe(1);
    const { sent } = request.receipts.find(({ action }) => action === 'inside') ?? {};
    const bytes = await Promise.all((sent ?? []).map((id) => assets.get(id)));
    expect(bytes.map((one) => Buffer.from(one ?? []).toString('base64'))).toEqual([data]);
    expect(request.totals.used.tokens).toBeLessThan(3000);
  }
  const heavy = await prepare({ messages: [question, said, next] }, { model, assets });
  expect(heavy.contentLength).toBe(Buffer.byteLength(JSON.stringify(await heavy.json())));
  expect(heavy.contentLength).toBeGreaterThan(data.length);
});

test.each(rows)('%s: is words for another model, and where its bytes are lost', async (_, model, data, { body }) => {
  const { said, assets } = await drawn(model, body);
  const messages = [question, said, next];
  const others = [
    await prepare({ messages }, { model: 'anthropic/claude-sonnet-4-5', assets }),
    await prepare({ messages }, { model, assets: memoryAssets() }),
  ];
  for (const request of others) {
    const text = JSON.stringify(await request.json());
    expect(text).toContain('picture made by the model');
    expect(text).not.toContain(data.slice(0, 40));
  }
});

test('of what is no picture that can be read, everything stays as it came', async () => {
  const { said } = await drawn('gemini/gemini-3-pro-preview', gemini('AAAA').body);
  expect(said.content.at(-1)).toMatchObject({ type: 'sealed', seal: { item: { inlineData: { data: 'AAAA' } } } });
});

test('an answer over the network tells of the picture, not of its base64', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'text/event-stream');
      response.end(`data: ${JSON.stringify(gemini(plain).body)}\n\n`);
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = { model: 'gemini/gemini-3-pro-image-preview', baseUrl, key: 'k', assets: memoryAssets() };
  const ends: unknown[] = [];
  for await (const event of answer({ messages: [question] }, options))
    if (event.type === 'block-end') ends.push(event.block);
  server.close();
  expect(ends).toMatchObject([
    { type: 'text', text: 'Here: ' },
    { type: 'image', width: 1 },
  ]);
  expect(JSON.stringify(ends)).not.toContain(plain.slice(0, 40));
});
