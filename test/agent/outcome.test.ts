// How a run begins, is steered and ends, as its program sees it: against a real server on this machine, default options.
import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, test } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { runAgent } from '../../src/agent/run.ts';
import type { AgentOptions, RunResult } from '../../src/agent/options.ts';
import type { AgentRun } from '../../src/agent/run.ts';
import { image } from '../../src/content/input.ts';
import type { MessageError } from '../../src/message/error.ts';
import { prepare } from '../../src/model/prepare.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer, Step } from '../../src/model/script/index.ts';
import { memorySessions } from '../../src/session/index.ts';
import { defineTool } from '../../src/tool/tool.ts';

const model = 'anthropic/claude-sonnet-4-5';
const look = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, run: () => 'A chart.' });
const rest = defineTool({ name: 'rest', description: 'Rests.', input: { type: 'object' }, run: () => 'Rested.' });
const looks: Step = { calls: [{ name: 'look' }] };

function ask(server: ScriptedServer, options: Partial<AgentOptions> = {}): AgentRun {
  return runAgent({ model, baseUrl: server.url, key: 'key', prompt: 'Look.', tools: [look], ...options });
}

async function eventsOf(run: AgentRun): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

const refusedKey: Step = { error: { status: 401, message: 'invalid x-api-key' } };

test('a wrong key is told by the result, by the events and by decode', async () => {
  await using server = await scriptedServer(script([refusedKey, refusedKey]));
  const result = await ask(server);
  expect(result).toMatchObject({ stop: 'error', text: '', error: { code: 'auth', message: 'invalid x-api-key' } });
  const request = await prepare({ messages: [{ role: 'user', content: 'Hi.' }] }, { model, baseUrl: server.url });
  const response = await fetch(request.url, {
    method: 'POST',
    headers: { ...request.headers, 'x-api-key': 'wrong' },
    body: JSON.stringify(await request.json()),
  });
  const message = await request.decode(response);
  expect(message).toMatchObject({ stop: 'error', content: [] });
  expect(message.error).toMatchObject({ code: 'auth', status: 401, message: 'invalid x-api-key' });
});

test('what broke an answer off stands beside its words, and goes into the session with them', async () => {
  await using server = await scriptedServer(script([1, 2, 3].map(() => ({ text: 'One two three', cutAfter: 4 }))));
  await using store = memorySessions();
  await using session = await store.create();
  const { messages, stop } = await ask(server, { session });
  expect(stop).toBe('error');
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', stop: 'error', error: { code: 'cut-off' } });
  expect((await session.messages()).at(-1)).toEqual(messages.at(-1));
});

test('where a run failed or was stopped there is an error, and the types know it', async () => {
  await using server = await scriptedServer(script([{ text: 'Done.' }]));
  const result = await ask(server);
  if (result.stop === 'error') expectTypeOf(result.error).toEqualTypeOf<MessageError>();
  if (result.stop === 'aborted') expectTypeOf(result.reason).toEqualTypeOf<unknown>();
  if (result.stop === 'end') expectTypeOf(result.error).toEqualTypeOf<undefined>();
  expectTypeOf(result).toEqualTypeOf<RunResult>();
  expect(result).toMatchObject({ stop: 'end', text: 'Done.', troubles: [] });
  expect(result.error).toBeUndefined();
});

test('a file in the prompt that is refused is told to the program, too, by its place', async () => {
  await using server = await scriptedServer(script([{ text: 'I see none.' }]));
  const before = [{ role: 'user' as const, content: 'Hello.' }];
  const broken = image({ data: new Uint8Array([1, 2, 3]), name: 'broken.png' });
  const run = ask(server, { messages: before, prompt: ['What is this?', broken] });
  const events = await eventsOf(run);
  const { troubles, messages } = await run;
  expect(troubles).toMatchObject([{ message: 1, block: 1, refusal: { what: expect.stringContaining('broken.png') } }]);
  expect(events.filter(({ type }) => type === 'media-refused')).toEqual([{ type: 'media-refused', ...troubles[0] }]);
  expect(messages[1]?.content[1]).toMatchObject({ type: 'text', text: expect.stringContaining('broken.png') });
});

test('pieces of an answer say what they are', async () => {
  const answers = [{ thinking: 'Hm, hm.', text: 'Let me look.', ...looks }, { text: 'A chart.' }];
  for (const asked of [model, 'openai/gpt-5.2', 'openai-chat/gpt-4.1', 'gemini/gemini-2.5-pro', 'ollama/qwen3-vl']) {
    await using server = await scriptedServer(script(answers));
    const baseUrl = /^(openai|compatible)/.test(asked) ? `${server.url}/v1` : server.url;
    const told = { text: '', thinking: '', call: '' };
    for await (const event of ask(server, { model: asked, baseUrl }))
      if (event.type === 'block-delta') told[event.kind] += event.text;
    expect(told, asked).toMatchObject({ text: 'Let me look.A chart.', call: '{}' });
    if (asked !== 'openai-chat/gpt-4.1') expect(told.thinking, asked).toBe('Hm, hm.');
  }
});

test('a run that is awaited runs, once, and its events are read first or not at all', async () => {
  await using server = await scriptedServer(script([{ text: 'Once.' }, { text: 'Twice.' }]));
  const run = ask(server);
  expect(server.requests).toEqual([]);
  const result = await run;
  expect(result.text).toBe('Once.');
  expect(await run.result()).toBe(result);
  expect(() => run[Symbol.asyncIterator]()).toThrow(/Read its events first/);
  const watched = ask(server);
  await eventsOf(watched);
  await expect(eventsOf(watched)).rejects.toThrow(/told once/);
  await expect(eventsOf(watched)).rejects.toMatchObject({ code: 'input' });
  expect((await watched).text).toBe('Twice.');
});

test.each([
  ['a time-out', (run: AgentRun) => run, 'The operation was aborted due to timeout', AbortSignal.timeout(1)],
  ['a word', (run: AgentRun) => (run.stop('enough'), run), 'enough', undefined],
  ['no word', (run: AgentRun) => (run.stop(), run), undefined, undefined],
])('a run that was stopped says by what: %s', async (_, stop, why, signal) => {
  await using server = await scriptedServer(script([{ text: 'Late.', silence: 60_000 }]));
  const result = await stop(ask(server, { ...(signal && { signal }) }));
  expect(result).toMatchObject({ stop: 'aborted', error: { code: 'aborted' } });
  expect(result.error?.message).toBe(why === undefined ? 'The run was stopped.' : `The run was stopped: ${why}`);
  if (signal) expect(result.reason).toMatchObject({ name: 'TimeoutError' });
  else if (why !== undefined) expect(result.reason).toBe(why);
});

test('an answer that was cut off by its length ends the run as such', async () => {
  await using server = await scriptedServer(script([{ text: 'It begins with', stop: 'length' }]));
  const run = ask(server);
  expect((await eventsOf(run)).at(-1)).toMatchObject({ type: 'run-end', stop: 'length' });
  expect(await run).toMatchObject({ stop: 'length', text: 'It begins with' });
});

test('an answer that paused goes on where it stood', async () => {
  await using server = await scriptedServer(script([{ text: 'First I search.', stop: 'paused' }, { text: 'Found.' }]));
  const { stop, text, messages } = await ask(server);
  expect({ stop, text }).toEqual({ stop: 'end', text: 'Found.' });
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
  const [, again] = server.requests;
  expect(again?.transcript?.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
});

test('before each step a program may change what it needs, or end the run', async () => {
  await using server = await scriptedServer(script([looks, looks, looks]));
  const seen: [number, number][] = [];
  const result = await ask(server, {
    system: 'Be brief.',
    toolChoice: 'required',
    beforeStep: async ({ step, messages }) => {
      seen.push([step, messages.length]);
      if (step === 2) return { model: 'anthropic/claude-haiku-4-5', tools: [rest, look], system: 'Be long.' };
      if (step === 3) return { toolChoice: 'required' };
      return step === 4 ? { stop: true } : undefined;
    },
  });
  expect(result).toMatchObject({ stop: 'stopped' });
  expect(seen).toEqual([
    [1, 1],
    [2, 3],
    [3, 5],
    [4, 7],
  ]);
  const sent = server.requests.map(({ model: name, transcript, accepted }) => ({
    name,
    system: transcript?.system,
    tools: transcript?.tools?.map((tool) => tool.name),
    choice: accepted?.options.toolChoice,
  }));
  expect(sent).toEqual([
    { name: 'claude-sonnet-4-5', system: 'Be brief.', tools: ['look'], choice: 'required' },
    { name: 'claude-haiku-4-5', system: 'Be long.', tools: ['rest', 'look'], choice: undefined },
    { name: 'claude-sonnet-4-5', system: 'Be brief.', tools: ['look'], choice: 'required' },
  ]);
});

test('what a step is told goes into the session, and back again', async () => {
  await using server = await scriptedServer(script([looks, looks, { text: 'Done.' }]));
  await using store = memorySessions();
  await using session = await store.create();
  const run = ask(server, { session, beforeStep: ({ step }) => (step === 2 ? { tools: [look, rest] } : undefined) });
  expect(await run).toMatchObject({ stop: 'end' });
  const setups = (await session.entries()).flatMap((entry) => (entry.type === 'setup' ? [entry.tools?.length] : []));
  expect(setups).toEqual([1, 2, 1]);
});

test('what beforeStep throws ends the run with its words', async () => {
  await using server = await scriptedServer(script([]));
  const result = await ask(server, { beforeStep: () => Promise.reject(new Error('no budget left')) });
  expect(result).toMatchObject({ stop: 'error', error: { message: 'no budget left' } });
});

test('a call that is demanded is demanded of the first step alone', async () => {
  await using server = await scriptedServer(script([looks, { text: 'A chart.' }]));
  const result = await ask(server, { toolChoice: { tool: 'look' } });
  expect(result).toMatchObject({ stop: 'end', text: 'A chart.' });
  expect(server.requests.map(({ accepted }) => accepted?.options.toolChoice)).toEqual([{ tool: 'look' }, undefined]);
});

test('a bound of cost on a model without prices is refused before anything is sent', async () => {
  await using server = await scriptedServer(script([{ text: 'Free.' }]));
  const priceless = { model: 'ollama/qwen3-vl', maxCost: 1 };
  const refused = await ask(server, priceless);
  expect(refused).toMatchObject({ stop: 'error', error: { code: 'invalid' } });
  expect(refused.error?.message).toMatch(/no prices of ollama\/qwen3-vl.*profile: \{ prices/);
  const switched = await ask(server, { maxCost: 1, beforeStep: () => ({ model: 'ollama/qwen3-vl' }) });
  expect(switched.error?.message).toMatch(/no prices of ollama/);
  expect(server.requests).toEqual([]);
  const free = { input: 0, output: 0, read: 0, write: 0 };
  expect(await ask(server, { ...priceless, profile: { prices: free } })).toMatchObject({ stop: 'end', cost: 0 });
});

test('events hold no ledger, and name the entry of each message', async () => {
  const chart = readFileSync(new URL('../../examples/chart.png', import.meta.url));
  const shot = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, run: () => chart });
  const steps = 12;
  await using server = await scriptedServer(script([...Array.from({ length: steps }, () => looks), { text: 'Seen.' }]));
  await using store = memorySessions();
  await using session = await store.create();
  const run = ask(server, { session, tools: [shot] });
  const events = await eventsOf(run);
  expect(JSON.stringify(events)).not.toContain('"ledger"');
  expect((await run).ledger).toBeDefined();
  const told = events.flatMap((event) => (event.type === 'message-added' ? [event] : []));
  const entries = (await session.entries()).flatMap((entry) => (entry.type === 'message' ? [entry] : []));
  expect(told.map(({ entry }) => entry)).toEqual(entries.map(({ id }) => id));
});
