// A fetch that records reads answers along: what came back stands in the record, and whoever asked notices nothing.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { sightlineFetch } from '../../src/fetch/index.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Ended, Recorder } from '../../src/record/record.ts';
import { memorySessions } from '../../src/session/store.ts';
import { shotBytes } from '../model/shots.ts';
import { sdks } from './sdks.ts';

function listener(): { recorder: Recorder; ends: Ended[] } {
  const ends: Ended[] = [];
  return { ends, recorder: { begin: () => undefined, end: (_, ended) => void ends.push(ended) } };
}

const rows = sdks.flatMap((sdk) => [false, true].map((stream) => ({ ...sdk, stream })));

test.each(rows)('$name, streamed: $stream: answer, tokens and the names of both are recorded', async (sdk) => {
  const [picture] = await shotBytes(1, 300);
  const usage = { inputTokens: 120, outputTokens: 7 };
  const call = { name: 'open_report', input: { quarter: 'Q3' } };
  await using server = await scriptedServer(
    script([
      { calls: [call], usage },
      { text: 'Well.', usage },
    ]),
  );
  const { recorder, ends } = listener();
  const data = picture?.toString('base64') ?? '';
  const returns = (): { data: string; mediaType: string }[] => [{ data, mediaType: 'image/png' }];
  const said = await sdk.run({ url: server.url, fetch: sightlineFetch({ recorder }), returns, stream: sdk.stream });
  expect(said).toContain('Well.');
  expect(ends.map(({ state, stop }) => [state, stop])).toEqual([
    ['answered', 'calls'],
    ['answered', 'end'],
  ]);
  expect(ends[0]?.answer?.content).toMatchObject([{ type: 'call', name: 'open_report' }]);
  expect(ends[1]?.answer?.content).toMatchObject([{ type: 'text', text: 'Well.' }]);
  expect(ends[1]?.latency).toMatchObject({ totalMs: expect.any(Number) });
  if (ends[1]?.usage) expect(ends[1].usage).toMatchObject(usage); // some ask their provider for no count of a stream
  else expect(sdk.stream).toBe(true);
});

const body = JSON.stringify({ model: 'gpt-4.1', stream: true, messages: [{ role: 'user', content: 'Hello' }] });
const ask = { method: 'POST', body, headers: { authorization: 'Bearer planted-word-77' } };
const chunk = (text: string): string =>
  `data: ${JSON.stringify({ id: 'chat-1', model: 'gpt-4.1-2025', choices: [{ index: 0, delta: { content: text } }] })}\n\n`;

type Stop = (reader: ReadableStreamDefaultReader, caller: AbortController) => unknown;

test.each<[string, Stop]>([
  ['stops reading', (reader) => reader.cancel()],
  ['stops while more is asked for', (reader) => (void reader.read(), setImmediate().then(() => reader.cancel()))],
  ['aborts', (reader, caller) => (caller.abort(), reader.read().catch(() => undefined))],
  [
    'aborts and stops while more is asked for',
    async (reader, caller) => {
      void reader.read();
      await setImmediate();
      caller.abort();
      await reader.cancel().catch(() => undefined);
    },
  ],
])('whoever %s stops the provider, and the record says how far it came', async (_how, stop) => {
  const gone = Promise.withResolvers<void>();
  const slow = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-own': 'kept' }).write(chunk('Half'));
    response.once('close', () => gone.resolve());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => slow.once('listening', resolve));
  const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/v1/chat/completions`;
  const { recorder, ends } = listener();
  const caller = new AbortController();
  const response = await sightlineFetch({ recorder })(url, { ...ask, signal: caller.signal });
  expect([response.url, response.headers.get('x-own'), response.ok]).toEqual([url, 'kept', true]);
  const reader = (response.body ?? new ReadableStream()).getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe(chunk('Half'));
  expect(ends).toEqual([]);
  await stop(reader, caller);
  await gone.promise;
  expect(ends).toMatchObject([{ state: 'aborted', answer: { content: [{ type: 'text', text: 'Half' }] } }]);
  slow.close();
});

test('an answer that breaks off is broken, and a refusal is told in the words of the provider without the key', async () => {
  const { recorder, ends } = listener();
  const answers = [
    new Response(chunk('Half'), { headers: { 'content-type': 'text/event-stream' } }),
    Response.json({ error: { message: 'No such key: planted-word-77' } }, { status: 401 }),
    Response.json({ strange: true }),
  ];
  const base: typeof fetch = async () => answers.shift() ?? Response.error();
  const own = sightlineFetch({ recorder, fetch: base });
  const read: string[] = [];
  for (let at = 0; at < 3; at++) read.push(await (await own('https://api.openai.com/v1/chat/completions', ask)).text());
  expect(read).toEqual([chunk('Half'), '{"error":{"message":"No such key: planted-word-77"}}', '{"strange":true}']);
  await expect.poll(() => ends.length).toBe(3);
  expect(ends[0]).toMatchObject({
    state: 'broken',
    error: { code: 'cut-off' },
    answer: { content: [{ text: 'Half' }] },
  });
  expect(ends[1]).toMatchObject({ state: 'refused', error: { message: 'No such key: [key]' } });
  expect(ends[2]).toMatchObject({ state: 'answered', attempts: [{ status: 200 }] });
  expect(JSON.stringify(ends)).not.toContain('planted-word-77');
});

test('what a provider calls its answer is kept, and what a request of a known price cost', async () => {
  const end = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1000,"completion_tokens":10}}\n\n`;
  const base: typeof fetch = async () =>
    new Response(`${chunk('Yes')}${end}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });
  await using store = memorySessions();
  const { recorder } = store;
  if (!recorder) throw new Error('there is no recorder');
  const fetch = sightlineFetch({ recorder, fetch: base });
  await (await fetch('https://api.openai.com/v1/chat/completions', ask)).text();
  const listed = async (): Promise<unknown> => {
    const [one] = (await store.requests?.conversations()) ?? [];
    return (await store.requests?.list(one?.conversation ?? ''))?.[0]?.ended;
  };
  await expect.poll(listed).toMatchObject({
    response: { id: 'chat-1', model: 'gpt-4.1-2025' },
    usage: { inputTokens: 1000, outputTokens: 10 },
    cost: 0.00208,
  });
});

test('a picture that stood in a request before is recorded without being stored again', async () => {
  const [picture] = await shotBytes(1, 1200);
  const puts: number[] = [];
  const assets = memoryAssets();
  const counting = {
    ...assets,
    put: (...given: Parameters<typeof assets.put>) => (puts.push(1), assets.put(...given)),
  };
  const bodies: unknown[] = [];
  const begin: Recorder['begin'] = async (_, sent) => void bodies.push(await sent());
  const fetch = sightlineFetch({
    recorder: { begin, end: () => undefined, assets: counting },
    fetch: async () => Response.json({}),
  });
  const url = `data:image/png;base64,${picture?.toString('base64')}`;
  const messages: object[] = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
  for (const count of [1, 2, 3]) {
    messages.push({ role: 'user', content: `Question ${count}` });
    const asked = { method: 'POST', body: JSON.stringify({ model: 'gpt-4.1', messages }) };
    await (await fetch('https://api.openai.com/v1/chat/completions', asked)).text();
    await expect.poll(() => bodies.length).toBe(count);
  }
  expect(puts).toHaveLength(1);
  for (const kept of bodies) expect(JSON.stringify(kept)).toContain('$asset');
});
