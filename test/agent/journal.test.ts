// What a run writes down while it goes on: entry by entry, so that nothing is left out unnoticed.
import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import type { AgentOptions, RunResult } from '../../src/agent/options.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import type { Step } from '../../src/model/script/index.ts';
import { memorySessions } from '../../src/session/store.ts';
import type { Session } from '../../src/session/session.ts';
import { defineTool } from '../../src/tool/tool.ts';

const model = 'anthropic/claude-sonnet-4-5';
const look = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, run: () => 'a cat' });

function go(session: Session, steps: readonly Step[], more: Partial<AgentOptions> = {}): Promise<RunResult> {
  const send = scriptedSend(script(steps));
  return runAgent({ model, prompt: 'Look', tools: [look], session, send, ...more }).result();
}

async function typesOf(session: Session): Promise<string[]> {
  return (await session.entries()).map(({ type }) => type);
}

test('each accepted request leaves its ledger in the session, and the next run begins with it', async () => {
  await using store = memorySessions();
  const session = await store.create();
  const result = await go(session, [{ calls: [{ name: 'look' }] }, { text: 'A cat.' }]);
  expect((await typesOf(session)).filter((type) => type === 'ledger')).toHaveLength(2);
  expect(await session.ledger(model)).toEqual(result.ledger);
  const next = await go(session, [{ text: 'Still a cat.' }], { prompt: 'And now?' });
  const [before, after] = [result, next].map(({ ledger }) => ledger?.entries[model]?.items ?? []);
  expect(after?.slice(0, before?.length)).toEqual(before);
  expect(after?.length).toBeGreaterThan(before?.length ?? 0);
});

test('everything is written in the order in which it happened', async () => {
  await using store = memorySessions();
  const session = await store.create();
  await go(session, [{ calls: [{ name: 'look' }] }, { text: 'A cat.' }], { system: 'Be brief.' });
  expect(await typesOf(session)).toEqual([
    'setup', 'message', 'ledger', 'usage', 'message', 'message', 'ledger', 'usage', 'message',
  ]); // prettier-ignore
  const [setup] = await session.entries({ types: ['setup'] });
  expect(setup).toMatchObject({ system: 'Be brief.', tools: [{ name: 'look', description: 'Looks.' }] });
});

test('a setup is written again only when it has changed', async () => {
  await using store = memorySessions();
  const session = await store.create();
  const setups = async (): Promise<number> => (await session.entries({ types: ['setup'] })).length;
  await go(session, [{ text: 'One.' }]);
  await go(session, [{ text: 'Two.' }]);
  expect(await setups()).toBe(1);
  await go(session, [{ text: 'Three.' }], { system: 'Be brief.' });
  await go(session, [{ text: 'Again.' }], { system: 'Be brief.' });
  expect(await setups()).toBe(2);
  await go(session, [{ text: 'Four.' }], { system: 'Be brief.', tools: [] });
  expect(await setups()).toBe(3);
});

test('a tool that a provider has is written as each wire spells it', async () => {
  await using store = memorySessions();
  const session = await store.create();
  const hosted = { 'openai-responses': { type: 'computer' } };
  const see = defineTool({ name: 'see', description: 'Sees.', input: { type: 'object' }, hosted, run: () => 'a cat' });
  await go(session, [{ text: 'A cat.' }], { tools: [look, see] });
  const [setup] = await session.entries({ types: ['setup'] });
  const specs = (setup?.type === 'setup' && setup.tools) || [];
  expect(specs.map((spec) => [spec.name, 'hosted' in spec, spec.hosted])).toEqual([
    ['look', false, undefined],
    ['see', true, hosted],
  ]);
});

test('a run without a session writes nothing, and goes on all the same', async () => {
  const { text, messages } = await runAgent({
    model,
    prompt: 'Look',
    tools: [look],
    send: scriptedSend(script([{ calls: [{ name: 'look' }] }, { text: 'A cat.' }])),
  }).result();
  expect([text, messages.length]).toEqual(['A cat.', 4]);
});

test('of an answer whose price nobody knows no cost is written', async () => {
  await using store = memorySessions();
  const session = await store.create();
  await go(session, [{ text: 'A cat.' }], { model: 'ollama/llama3.1' });
  const [entry] = await session.entries({ types: ['usage'] });
  expect(entry).toMatchObject({ type: 'usage', model: 'ollama/llama3.1' });
  expect(Object.keys(entry ?? {})).not.toContain('cost');
});

test('what answers cost is written with its model', async () => {
  await using store = memorySessions();
  const session = await store.create();
  const usage = { inputTokens: 1_000_000, outputTokens: 0 };
  const { cost } = await go(session, [{ text: 'A cat.', usage }]);
  const [entry] = await session.entries({ types: ['usage'] });
  expect(entry).toMatchObject({ model, usage, cost });
  expect(cost).toBeGreaterThan(0);
});

test('a request that failed leaves no ledger', async () => {
  await using store = memorySessions();
  const session = await store.create();
  const { stop } = await go(session, [{ error: { status: 401, message: 'no' } }]);
  expect(stop).toBe('error');
  expect(await typesOf(session)).toEqual(['setup', 'message']);
});
