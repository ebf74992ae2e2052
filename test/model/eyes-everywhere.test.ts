// Eyes in runs that share a home, under a foreign SDK, in the gateway and at the terminal: each picture is looked at once.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { sightlineFetch } from '../../src/fetch/index.ts';
import type { Receipt } from '../../src/fetch/index.ts';
import { openGateway } from '../../src/gateway/index.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Answer } from '../../src/model/script/index.ts';
import { openSessions } from '../../src/session/store.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { run as cli } from '../cli/run.ts';
import { folder, plain } from '../media/make.ts';

let asked: { model: string; text: string }[] = [];
let eyesSay: (() => Answer) | undefined;
let blindSays: (index: number) => Answer = () => ({ text: 'I see.' });
const server = await scriptedServer(
  script(({ model, transcript }) => {
    const text = JSON.stringify(transcript.messages).replaceAll(/[A-Za-z0-9+/=]{200,}/g, '…');
    asked.push({ model, text });
    if (model === 'blind') return blindSays(asked.filter((one) => one.model === 'blind').length - 1);
    if (eyesSay) return eyesSay();
    return { text: `A red square, look ${looks()}.`, usage: { inputTokens: 1000, outputTokens: 100 } };
  }),
);
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
  blindSays = () => ({ text: 'I see.' });
  eyesSay = undefined;
});

const baseUrl = `${server.url}/v1`;
const free = { input: 0, output: 0, read: 0, write: 0 };
const blind = { model: 'compatible/blind', baseUrl, profile: { prices: free } };
const eyes = { model: 'openai-chat/gpt-4.1', baseUrl, apiKey: 'k' };
let width = 40;
const picture = (): Promise<Buffer> => plain(width++, 30).png().toBuffer();
const looks = (): number => asked.filter(({ model }) => model === 'gpt-4.1').length;

const prompt = async () => [{ type: 'image', data: await picture() } as const, 'What?'];
const hash = (key: string): string => `sha256:${createHash('sha256').update(key).digest('hex')}`;

function home(name: string): string {
  const made = join(folder, name);
  mkdirSync(made, { recursive: true });
  return made;
}

test('two programs in one home and a third that goes on look once, and say the same words', async () => {
  const data = await picture();
  const place = home('shared');
  const told = async (): Promise<string> => {
    await using store = openSessions({ home: place });
    await using session = await store.create();
    await runAgent({ model: blind, session, eyes, prompt: [{ type: 'image', data }, 'What?'], readPictures: false });
    const sent = asked.findLast(({ model }) => model === 'blind')?.text ?? '';
    return /described by openai-chat\/gpt-4\.1\]\\n([^"]*)"/.exec(sent)?.[1] ?? '';
  };
  const both = await Promise.all([told(), told()]);
  expect([...both, await told()]).toEqual(Array(3).fill('A red square, look 1.'));
  expect(looks()).toBe(1);
});

test('what they take is told apart, and bounds the run', async () => {
  const tool = defineTool({ name: 'look', description: 'Looks.', run: () => 'nothing' });
  blindSays = (index) => (index < 3 ? { calls: [{ name: 'look', input: {} }] } : { text: 'Done.' });
  const options = { model: blind, tools: [tool], assets: memoryAssets(), eyes, readPictures: false };
  const whole = await runAgent({ ...options, prompt: await prompt() });
  expect(whole.usage.eyes).toEqual({ inputTokens: 1000, outputTokens: 100, cost: whole.cost });
  expect(whole.cost).toBeGreaterThan(0.001);
  asked = [];
  expect(await runAgent({ ...options, prompt: await prompt(), maxCost: 0.001 })).toMatchObject({ stop: 'max-cost' });
  expect(asked.filter(({ model }) => model === 'blind')).toHaveLength(1);
  const unpriced = { ...eyes, model: 'compatible/seeing', profile: { capabilities: { vision: true } } };
  const refused = await runAgent({ ...options, eyes: unpriced, prompt: 'Hi.', maxCost: 1 });
  expect(refused.error?.message).toMatch(/no prices of compatible\/seeing/);
});

test('a model that cannot see asks them about a part of a picture, and the same question once', async () => {
  const tool = defineTool({ name: 'look', description: 'Looks.', run: () => 'nothing' });
  const data = await picture();
  let name = '';
  blindSays = (index) => {
    name ||= /asset ([0-9a-f]{8})/.exec(asked.at(-1)?.text ?? '')?.[1] ?? '';
    const input = { asset: name, question: 'Which red?', region: { x: 0, y: 0, width: 20, height: 10 } };
    return index < 2 ? { calls: [{ name: 'ask_asset', input }] } : { text: 'Done.' };
  };
  const options = { model: blind, tools: [tool], assets: memoryAssets(), eyes, readPictures: false };
  const { messages, stop } = await runAgent({ ...options, prompt: [{ type: 'image', data }, 'What?'] });
  expect(stop).toBe('end');
  const results = messages.filter(({ role }) => role === 'tool');
  expect(results.map(({ content }) => JSON.stringify(content))).toEqual(
    Array(2).fill(expect.stringMatching(/described by openai-chat\/gpt-4\.1\].*look 2\./)),
  );
  expect(looks()).toBe(2);
  expect(asked.filter(({ model }) => model === 'gpt-4.1')[1]?.text).toContain('Which red?');
});

const chatBody = (data: Buffer, turns = 1): string =>
  JSON.stringify({
    model: 'blind',
    messages: Array.from({ length: turns }, (_, turn) => [
      {
        role: 'user',
        content: [
          { type: 'text', text: `Look ${turn}.` },
          ...(turn === 0
            ? [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data.toString('base64')}` } }]
            : []),
        ],
      },
      ...(turn < turns - 1 ? [{ role: 'assistant', content: 'I see.' }] : []),
    ]).flat(),
  });

test('under a foreign SDK a model that cannot see gets the words, on every turn the same', async () => {
  const data = await picture();
  const spent: unknown[] = [];
  const profile = { capabilities: { vision: false } };
  const wrapped = sightlineFetch({ model: 'compatible/blind', profile, eyes, onSpent: (one) => spent.push(one) });
  for (const turns of [1, 2, 3])
    await wrapped(`${baseUrl}/chat/completions`, { method: 'POST', body: chatBody(data, turns) });
  const told = asked.filter(({ model }) => model === 'blind').map(({ text }) => text);
  expect(told).toHaveLength(3);
  for (const text of told) expect(text).toMatch(/described by openai-chat\/gpt-4\.1\]\\nA red square, look 1\./);
  expect(looks()).toBe(1);
  expect(spent).toEqual([
    { model: 'openai-chat/gpt-4.1', usage: expect.anything() as unknown, cost: expect.any(Number) as number },
  ]);
});

test('under a foreign SDK eyes that failed rest for half a minute, say so, and look again', async () => {
  const began = Date.now();
  const now = vi.spyOn(Date, 'now').mockReturnValue(began);
  onTestFinished(() => now.mockRestore());
  const receipts: string[] = [];
  const profile = { capabilities: { vision: false } };
  const onReceipts = (told: Receipt[]): void => void receipts.push(...told.map(({ why }) => why));
  const wrapped = sightlineFetch({ model: 'compatible/blind', profile, eyes, onReceipts });
  const show = async (): Promise<string> => {
    await wrapped(`${baseUrl}/chat/completions`, { method: 'POST', body: chatBody(await picture()) });
    return asked.findLast(({ model }) => model === 'blind')?.text ?? '';
  };
  eyesSay = () => ({ error: { status: 500, message: 'no' } });
  for (let at = 0; at < 4; at++) expect(await show()).not.toContain('described by');
  expect(looks()).toBe(3);
  expect(receipts.at(-1)).toContain('could not describe it: it failed too often, and rests for half a minute');
  eyesSay = undefined;
  now.mockReturnValue(began + 29_000);
  expect(await show()).not.toContain('described by');
  now.mockReturnValue(began + 30_000);
  expect(await show()).toContain('described by openai-chat/gpt-4.1');
  expect(await show()).toContain('described by openai-chat/gpt-4.1');
});

test('in the gateway each key has descriptions of its own, whatever dialect its client speaks, and after a restart', async () => {
  const data = await picture();
  const keys = Object.fromEntries(
    ['a', 'b'].map((key) => [key, { per: 'month', upstream: 'gateway', hash: hash(key) } as const]),
  );
  const database = join(home('gate'), 'sessions.db');
  const profile = { capabilities: { vision: false } };
  const models = { blind: { model: 'compatible/blind', baseUrl, profile } };
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: data.toString('base64') } };
  const said = JSON.stringify({
    model: 'blind',
    max_tokens: 50,
    messages: [{ role: 'user', content: [image, { type: 'text', text: 'What?' }] }],
  });
  const once = async (): Promise<void> => {
    await using gateway = await openGateway({ port: 0, keys, models, eyes, database });
    for (const key of ['a', 'b']) {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const chat = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body: chatBody(data) });
      const messages = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', headers, body: said });
      expect([chat.status, messages.status]).toEqual([200, 200]);
      await Promise.all([chat.text(), messages.text()]);
    }
  };
  await once();
  expect(looks()).toBe(2);
  await once();
  expect(looks()).toBe(2);
  const told = asked.filter(({ model }) => model === 'blind').map(({ text }) => /look \d/.exec(text)?.[0]);
  expect(told).toEqual(['look 1', 'look 1', 'look 2', 'look 2', 'look 1', 'look 1', 'look 2', 'look 2']);
});

test('in the gateway a model has eyes of its own, or those for all', async () => {
  const profile = { capabilities: { vision: false } };
  const own = { ...eyes, model: 'openai-chat/gpt-5.4' };
  const models = Object.fromEntries(
    [{ eyes: own }, {}].map((more, at) => [`blind-${at}`, { model: 'compatible/blind', baseUrl, profile, ...more }]),
  );
  await using gateway = await openGateway({ port: 0, models, eyes });
  for (const name of ['blind-0', 'blind-1']) {
    const body = chatBody(await picture()).replace('"blind"', `"${name}"`);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  expect(asked.map(({ model }) => model)).toEqual(['gpt-5.4', 'blind', 'gpt-4.1', 'blind']);
});

test('at the terminal two programs at once and one that goes on look once, with the eyes of the home', async () => {
  const place = home('terminal');
  writeFileSync(join(place, 'square.png'), await picture());
  writeFileSync(
    join(place, 'config.toml'),
    `eyes = "seeing"\n[models.seeing]\nmodel = "openai-chat/gpt-4.1"\nbase_url = "${baseUrl}"\napi_key = "k"\n[models.blind]\nmodel = "compatible/blind"\nbase_url = "${baseUrl}"\n`,
  );
  const ask = (...words: string[]) =>
    cli(['ask', '-m', 'blind', ...words], { cwd: place, env: { SIGHTLINE_HOME: place } });
  const both = await Promise.all([1, 2].map(() => ask('-f', 'square.png', 'Which colour?')));
  for (const { code, stdout } of both) expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: 'I see.' });
  expect((await ask('-c', 'And its size?')).code).toBe(0);
  expect(asked.map(({ model }) => model)).toEqual(['gpt-4.1', 'blind', 'blind', 'blind']);
  expect(asked[0]?.text).toContain('Which colour?');
  for (const { text } of asked.slice(1))
    expect(text).toMatch(/described by openai-chat\/gpt-4\.1\]\\nA red square, look 1\./);
});

const row = (name: string, model: string): string =>
  `[models.${name}]\nmodel = "${model}"\nbase_url = "${baseUrl}"\napi_key = "k"\n`;

test('a model of the settings has eyes of its own; a project names none', async () => {
  const place = home('own-eyes');
  writeFileSync(join(place, 'square.png'), await picture());
  const rows = `${row('seeing', 'openai-chat/gpt-4.1')}${row('blind', 'compatible/blind')}eyes = "seeing"\n`;
  writeFileSync(join(place, 'config.toml'), `${rows}${row('plain', 'compatible/blind')}`);
  const ask = (model: string) =>
    cli(['ask', '-m', model, '-f', 'square.png', 'Which?'], { cwd: place, env: { SIGHTLINE_HOME: place } });
  expect((await ask('plain')).code).toBe(0);
  expect(looks()).toBe(0);
  expect((await ask('blind')).code).toBe(0);
  expect(looks()).toBe(1);
  writeFileSync(join(place, 'sightline.toml'), rows);
  expect((await ask('blind')).stderr).toMatch(/models\.blind\.eyes.*in config\.toml of your home/s);
});
