// What a record says was sent is what a server got, byte by byte: on every wire, whoever sent it, whatever became of it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { generateText } from 'ai';
import { createSightline } from '../../src/ai-sdk/index.ts';
import { runAgent } from '../../src/agent/run.ts';
import { sightlineFetch } from '../../src/fetch/index.ts';
import { openGateway } from '../../src/gateway/index.ts';
import { sentView } from '../../src/inspect/look.ts';
import type { MessageInput } from '../../src/message/message.ts';
import { answer } from '../../src/model/answer.ts';
import type { AnswerOptions } from '../../src/model/answer.ts';
import { prepare } from '../../src/model/prepare.ts';
import { scriptedServer, script } from '../../src/model/script/index.ts';
import { send } from '../../src/model/send.ts';
import { replayChain, sentStream } from '../../src/record/table.ts';
import { openJsonLines, openSessions } from '../../src/session/store.ts';
import type { FolderSessions, SessionStore } from '../../src/session/store.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { sdks } from '../fetch/sdks.ts';
import { all } from '../model/all.ts';
import { shotBytes } from '../model/shots.ts';
import { onePerWire } from '../laws/models.ts';
import { rawServer, sha256 } from './raw-server.ts';

const homes: string[] = [];

afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'sightline-record-'));
  homes.push(home);
  return home;
}

/** The hashes of all bodies in the order they were begun, made again from what is kept. */
async function recordedHashes(store: SessionStore): Promise<string[]> {
  const { requests, assets } = store;
  const hashes: { number: number; hash: string }[] = [];
  const order = (await requests?.sizes())?.map(({ id }) => id) ?? [];
  for (const { conversation } of (await requests?.conversations()) ?? [])
    for (const { id } of (await requests?.list(conversation)) ?? []) {
      const whole = replayChain((await requests?.chain(id)) ?? []);
      if (typeof whole === 'string') throw new Error(`${id} is ${whole}`);
      const chunks: Uint8Array[] = [];
      for await (const chunk of sentStream(whole.body, (asset) => assets.stream(asset))) chunks.push(chunk.slice());
      hashes.push({ number: order.indexOf(id), hash: sha256(Buffer.concat(chunks)) });
    }
  return hashes.toSorted((one, other) => one.number - other.number).map(({ hash }) => hash);
}

const stores: [string, (options: FolderSessions) => SessionStore][] = [
  ['SQLite', openSessions],
  ['lines', openJsonLines],
];

describe.each(stores)('records in %s', (_, open) => {
  test.each(onePerWire)('hold the bytes that %s got from an agent, also when opened again', async (model) => {
    const pictures = await shotBytes(4);
    let taken = 0;
    const shoot = defineTool({
      name: 'shoot',
      description: 'Takes a picture.',
      input: { type: 'object', properties: {} },
      run: () => ({ type: 'image' as const, data: pictures[taken++ % 4] ?? new Uint8Array(), name: 'a "b".png' }),
    });
    const call = { calls: [{ name: 'shoot', input: {} }] };
    await using server = await scriptedServer(
      script([call, call, call, { text: 'Seen.' }, { text: 'Bye. \u{1F44B}' }]),
    );
    await using raw = await rawServer(server.url);
    const home = newHome();
    const how = { model, tools: [shoot], baseUrl: raw.url, key: 'k', system: 'Look {"$asset": 1}.' } as const;
    {
      await using store = open({ home });
      const session = await store.create();
      await runAgent({ ...how, session, prompt: 'Take pictures. {"$asset":"x"} ½' });
      await session.close();
      const again = await store.open(session.id);
      expect((await runAgent({ ...how, session: again, prompt: 'And now?' })).stop).toBe('end');
      expect(raw.hashes).toHaveLength(5);
    }
    await using store = open({ home, readOnly: true });
    expect(await recordedHashes(store)).toEqual(raw.hashes);
    const [one] = (await store.requests?.conversations()) ?? [];
    const rows = (await store.requests?.list(one?.conversation ?? '')) ?? [];
    expect(rows.map(({ via, purpose, ended }) => [via, purpose, ended?.state])).toEqual(
      Array.from({ length: 5 }, () => ['agent', 'answer', 'answered']),
    );
    expect(rows.slice(1).every(({ before }, at) => before === rows[at]?.id)).toBe(true);
  });
});

test('refused, probed and healed requests are there as they were sent', async () => {
  const bytes = await shotBytes(3);
  const bad = bytes[1]?.toString('base64') ?? '';
  const check = (request: { body: unknown }): { status: number; message: string } | undefined =>
    JSON.stringify(request.body).includes(bad) ? { status: 400, message: 'Could not process image' } : undefined;
  await using server = await scriptedServer(script(Array.from({ length: 9 }, () => ({ text: 'fine' }))), { check });
  await using raw = await rawServer(server.url);
  await using store = openSessions({ home: newHome() });
  const session = await store.create();
  const content = bytes.map((data) => ({ type: 'image' as const, data }));
  const run = runAgent({ model: 'anthropic/claude-sonnet-4-5', session, prompt: content, baseUrl: raw.url, key: 'k' });
  expect((await run).stop).toBe('end');
  await store.recorder?.end('nobody', { state: 'answered', attempts: [] }); // stands in line behind the rest
  const rows = (await store.requests?.list(session.id)) ?? [];
  expect(rows.map(({ purpose, ended }) => `${purpose} ${ended?.state}`)).toEqual(
    expect.arrayContaining(['answer refused', 'probe refused', 'probe answered', 'answer answered']),
  );
  expect(rows).toHaveLength(raw.hashes.length);
  expect(await recordedHashes(store)).toEqual(raw.hashes);
});

test('answer and send without a session are recorded by the store, each conversation by how it begins', async () => {
  await using server = await scriptedServer(script(Array.from({ length: 9 }, () => ({ text: 'fine' }))));
  await using raw = await rawServer(server.url);
  await using store = openSessions({ home: newHome() });
  const { recorder, assets } = store;
  if (!recorder) throw new Error('there is no recorder');
  const how = { model: 'openai-chat/gpt-4.1' as const, baseUrl: raw.url, key: 'k', assets, recorder };
  const hello = [{ role: 'user' as const, content: 'Hello' }];
  await all(answer({ messages: hello }, how));
  const more = [...hello, { role: 'assistant' as const, content: 'fine' }, { role: 'user' as const, content: 'Go on' }];
  await all(answer({ messages: more }, how));
  await all(send(await prepare({ messages: [{ role: 'user', content: 'Other' }] }, how), how));
  await expect.poll(async () => (await store.requests?.conversations())?.length).toBe(2);
  await expect.poll(async () => await recordedHashes(store)).toEqual(raw.hashes);
  const [, first] = (await store.requests?.conversations()) ?? [];
  const rows = (await store.requests?.list(first?.conversation ?? '')) ?? [];
  expect(rows).toHaveLength(2);
  const stored = (await store.requests?.chain(rows[1]?.id ?? ''))?.at(-1);
  expect(stored?.answer?.content).toMatchObject([{ type: 'text', text: 'fine' }]);
});

type Door = (how: AnswerOptions, data: Uint8Array) => Promise<unknown>;
const shown = (data: Uint8Array): MessageInput[] => [{ role: 'user', content: [{ type: 'image', data }] }];

const doors: [string, Door][] = [
  ['answer', (how, data) => all(answer({ messages: shown(data) }, how))],
  ['send', async (how, data) => all(send(await prepare({ messages: shown(data) }, how), how))],
  ['an agent', async (how, data) => runAgent({ ...how, messages: shown(data) }).result()],
  [
    'the AI SDK',
    ({ model, ...how }, image) =>
      generateText({
        model: createSightline(how)(model),
        messages: [{ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: image }] }],
      }),
  ],
  [
    'a client of a gateway with a key of its own',
    async ({ model, baseUrl = '', recorder }, data) => {
      const hash = `sha256:${sha256(Buffer.from('sl-key'))}`;
      const models = { house: { model, baseUrl, key: 'k' } };
      const keys = { ann: { hash, upstream: 'gateway' as const, per: 'ever' as const } };
      await using gateway = await openGateway({ port: 0, models, keys, ...(recorder && { recorder }) });
      const { json } = await prepare({ messages: shown(data) }, { model: 'anthropic/claude-opus-4-8' });
      const body = JSON.stringify({ ...(await json()), model: 'house' });
      const headers = { 'x-api-key': 'sl-key' };
      await (await fetch(`${gateway.url}/v1/messages`, { method: 'POST', headers, body })).text();
    },
  ],
];

test.each(doors)('media that %s sends are stored with their records, wherever else they lie', async (_, ask) => {
  const [data = new Uint8Array()] = await shotBytes(1, 900);
  await using server = await scriptedServer(script([{ text: 'fine' }]));
  await using raw = await rawServer(server.url);
  await using store = openSessions({ home: newHome() });
  const { recorder } = store;
  if (!recorder) throw new Error('there is no recorder');
  const how = { model: 'ollama/qwen3-vl' as const, baseUrl: raw.url, key: 'k', recorder };
  await ask(how, data);
  await expect.poll(async () => await recordedHashes(store)).toEqual(raw.hashes);
  const [one] = (await store.requests?.sizes()) ?? [];
  const { missing, sections } = await sentView(store, one?.id ?? '', true);
  const media = sections.flatMap(({ leaves }) => leaves.filter(({ kind }) => kind === 'medium'));
  expect([media.length, missing]).toEqual([1, []]);
});

test('a conversation of another program is one whatever its system prompt says, and a question beside it breaks nothing', async () => {
  await using server = await scriptedServer(script(Array.from({ length: 9 }, () => ({ text: 'fine' }))));
  await using store = openSessions({ home: newHome() });
  const { recorder } = store;
  if (!recorder) throw new Error('there is no recorder');
  const fetch = sightlineFetch({ recorder });
  const long = 'You look after the orders of a small shop, and answer every question about them as shortly as you can.';
  const ask = async (system: string, ...said: string[]): Promise<void> => {
    const messages = said.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
    const body = { model: 'gpt-4.1', messages: [{ role: 'system', content: system }, ...messages] };
    await (await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(body) })).text();
  };
  await ask(`${long} It is 16:02.`, 'Hello');
  await ask('Give this conversation a title.', 'Hello');
  await ask(`${long} It is 16:09.`, 'Hello', 'fine', 'And now?');
  await expect.poll(async () => (await store.requests?.sizes())?.length).toBe(3);
  const conversations = (await store.requests?.conversations()) ?? [];
  expect(conversations).toHaveLength(1);
  const rows = (await store.requests?.list(conversations[0]?.conversation ?? '')) ?? [];
  expect(rows.map(({ broke }) => broke?.part)).toEqual([undefined, undefined, 'system']);
});

const clocks: [string, (system: string, said: Said) => [path: string, body: object]][] = [
  ['Chat', (system, said) => ['/v1/chat/completions', { model: 'gpt-4.1', messages: [{ role: 'system', content: system }, ...said] }]],
  ['Messages', (system, messages) => ['/v1/messages', { model: 'claude-sonnet-5', max_tokens: 9, system, messages }]],
]; // prettier-ignore
type Said = { role: string; content: string }[];

test.each(clocks)('a clock at the head of a system prompt breaks the prefix over %s, also for who opens the records again', async (_, spelled) => {
  await using server = await scriptedServer(script(Array.from({ length: 9 }, () => ({ text: 'fine' }))));
  const home = newHome();
  const ask = async (time: string, ...said: string[]): Promise<unknown[]> => {
    await using store = openSessions({ home });
    const messages = said.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
    const [path, body] = spelled(`It is ${time}. You look after the orders of a small shop.`, messages);
    const how = { method: 'POST', body: JSON.stringify(body) };
    await (await sightlineFetch({ ...(store.recorder && { recorder: store.recorder }) })(server.url + path, how)).text();
    await store.recorder?.end('nobody', { state: 'answered', attempts: [] }); // stands in line behind the rest
    const conversation = (await store.requests?.conversations())?.[0]?.conversation ?? '';
    return ((await store.requests?.list(conversation)) ?? []).map(({ broke }) => broke?.part);
  };
  expect(await ask('16:02', 'Hello')).toEqual([undefined]);
  expect(await ask('16:02', 'Hello', 'fine', 'And now?')).toEqual([undefined, undefined]);
  expect(await ask('16:09', 'Hello', 'fine', 'And now?', 'fine', 'Bye')).toEqual([undefined, undefined, 'system']);
  const more = ['Hello', 'fine', 'And now?', 'fine', 'Bye', 'fine', 'Really?'];
  expect(await ask('16:11', ...more)).toEqual([undefined, undefined, 'system', 'system']);
}); // prettier-ignore

const foreign = sdks.filter(({ name }) => !name.includes('LangChain') || name.includes('Anthropic'));

test.each(foreign)('what $name sends over the fetch is recorded as it went out', async ({ run }) => {
  const [picture] = await shotBytes(1, 900);
  const data = picture?.toString('base64') ?? '';
  await using server = await scriptedServer(
    script([{ calls: [{ name: 'open_report', input: { quarter: 'Q3' } }] }, { text: 'Well.' }]),
  );
  await using raw = await rawServer(server.url);
  await using store = openSessions({ home: newHome() });
  const { recorder } = store;
  if (!recorder) throw new Error('there is no recorder');
  await run({
    url: raw.url,
    fetch: sightlineFetch({ recorder }),
    returns: () => [{ text: 'Q3' }, { data, mediaType: 'image/png', name: 'q3.png' }],
  });
  await expect.poll(async () => (await recordedHashes(store)).length).toBe(raw.hashes.length);
  expect(await recordedHashes(store)).toEqual(raw.hashes);
});

const spellings: [string, string][] = [
  [
    'spaces',
    '{ "model" : "gpt-4.1",\n "messages": [ {"role": "user", "content": "a"} , {"role":"user","content":"b"} ] }\n',
  ],
  ['numbers and escapes', '{"model":"gpt-4.1","temperature":1.0,"messages":[{"role":"user","content":"\\u00e9\\/"}]}'],
  [
    'the same key twice',
    '{"model":"gpt-4.1","model":"gpt-4.1","messages":[{"role":"user","role":"user","content":"x"}]}',
  ],
  ['keys that are numbers', '{"messages":[{"role":"user","content":"x"}],"model":"gpt-4.1","2":[1],"1":[2]}'],
  ['empty lists', '{"model":"gpt-4.1","tools":[ ],"stop":[],"messages":[{"role":"user","content":"x"}]}'],
  ['our own key', '{"model":"gpt-4.1","messages":[{"role":"user","content":[{"$asset":"sha256:x","$$asset":1}]}]}'],
];

test.each(spellings)('a body that another program spells with %s comes back letter by letter', async (_, body) => {
  await using server = await scriptedServer(script([{ text: 'a' }, { text: 'b' }]));
  await using raw = await rawServer(server.url);
  await using store = openSessions({ home: newHome() });
  const { recorder } = store;
  if (!recorder) throw new Error('there is no recorder');
  const fetch = sightlineFetch({ recorder });
  for (const text of [body, body.replace('"user"', '"system"')])
    await (await fetch(`${raw.url}/v1/chat/completions`, { method: 'POST', body: text })).text();
  await expect.poll(async () => (await recordedHashes(store)).length).toBe(2);
  expect(await recordedHashes(store)).toEqual(raw.hashes);
});
