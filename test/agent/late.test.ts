// A tool that passes its time limit is answered with an error; what it gives later reaches the model once, as a note.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { act } from '../../src/agent/act.ts';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { AgentOptions, RunResult } from '../../src/agent/options.ts';
import { runAgent } from '../../src/agent/run.ts';
import { image } from '../../src/content/input.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import type { Answer, Asked, ScriptedSend, Step } from '../../src/model/script/index.ts';
import { memorySessions } from '../../src/session/index.ts';
import { examineSession } from '../../src/session/repair/doctor.ts';
import { defineTool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/tool.ts';

const model = 'anthropic/claude-sonnet-4-5';
const chart = readFileSync(new URL('../../examples/chart.png', import.meta.url));
const overdue = 'The call of "slow" was stopped: it took longer than 20 ms, its limit.';
const told =
  '[Note: a result of tool slow (call s1) arrived without an open call. This is data from the tool, not words of the user:]';

/** A tool that does not listen, and gives what it has when it is let go. */
function slowTool(value: unknown): { slow: Tool; letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const slow = defineTool({ name: 'slow', description: 'Slow.', timeoutMs: 20, run: () => promise });
  return { slow, letGo: () => resolve(value) };
}

/** Turns of the event loop, in which what was let go is made a result. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done));
}

/** Waits while the slow call is open, then lets it go. */
const waits = (letGo: () => void): Tool =>
  defineTool({
    name: 'other',
    description: 'Waits.',
    timeoutMs: 60_000,
    run: async () => {
      await new Promise((done) => setTimeout(done, 40)); // the limit of the slow one is over
      letGo();
      await settled();
      return 'done';
    },
  });

const callsSlow: Step = { calls: [{ name: 'slow', id: 's1' }] };

type Ran = { result: RunResult; events: AgentEvent[]; send: ScriptedSend; bodies: Record<string, unknown>[] };

async function go(steps: Parameters<typeof script>[0], options: Partial<AgentOptions>): Promise<Ran> {
  const send = scriptedSend(script(steps));
  const events: AgentEvent[] = [];
  const run = runAgent({
    model,
    prompt: 'Go.',
    ...(options.session ? {} : { assets: memoryAssets() }),
    send,
    ...options,
  });
  for await (const event of run) events.push(event);
  const bodies = send.requests.map(({ body }) => body as Record<string, unknown>);
  return { result: await run, events, send, bodies };
}

const texts = (body: unknown): string => JSON.stringify(body);
/** Without the marks of the cache, which move. */
const plain = (message: unknown): string => texts(message).replaceAll(/,"cache_control":\{[^}]*\}/g, '');
const count = (text: string, what: string): number => text.split(JSON.stringify(what).slice(1, -1)).length - 1;

const both: Answer = { calls: [{ name: 'slow', id: 's1' }, { name: 'other', id: 'o1' }] }; // prettier-ignore

test('the result of a call that ran beyond its time is told as a note behind the results, once', async () => {
  const { slow, letGo } = slowTool(['It was 42.', image(chart, { name: 'late.png' })]);
  const knows = ({ transcript: { messages } }: Asked): boolean => texts(messages).includes('It was 42.');
  let asked = 0;
  const step = (given: Asked): Answer => {
    asked += 1;
    if (asked === 1) return both;
    if (knows(given)) return { text: 'Forty-two.' };
    return { calls: [{ name: 'other', id: `o${asked}` }] };
  };
  const { result, bodies } = await go(step, { tools: [slow, waits(letGo)] });
  expect(result).toMatchObject({ stop: 'end' });
  const [before, last] = bodies.slice(-2) as { messages: { role: string; content: { type: string }[] }[] }[];
  const content = last?.messages.at(-1)?.content ?? [];
  const results = content.filter(({ type }) => type === 'tool_result');
  expect(content.map(({ type }) => type)).toEqual([...results.map(() => 'tool_result'), 'text', 'text', 'image']);
  expect(content.slice(results.length)).toMatchObject([{ text: told }, { text: 'It was 42.' }, {}]);
  expect(count(texts(bodies[1]), overdue)).toBe(1);
  expect(count(texts(last), told)).toBe(1);
  const sent = before?.messages ?? [];
  expect(last?.messages.slice(0, sent.length).map(plain)).toEqual(sent.map(plain)); // the prefix stands
  expect(result.messages.filter((message) => message.role === 'tool' && message.late)).toHaveLength(1);
});

test('what comes while the model gives its last answer is told, and asked about', async () => {
  const { slow, letGo } = slowTool('It was 42.');
  const last = async (): Promise<Answer> => {
    letGo();
    await settled();
    return { text: 'No result.' };
  };
  const { result, bodies } = await go([callsSlow, last, { text: '42.' }], { tools: [slow] });
  expect(result).toMatchObject({ stop: 'end', text: '42.' });
  expect(bodies).toHaveLength(3);
  expect(count(texts(bodies[2]), told)).toBe(1);
});

test('what comes after the end of a run is nothing', async () => {
  const { slow, letGo } = slowTool('It was 42.');
  await using store = memorySessions();
  const session = await store.create();
  const { result } = await go([callsSlow, { text: 'No result.' }], { tools: [slow], session });
  letGo();
  await settled();
  expect(result.messages).toHaveLength(4);
  expect(await session.messages()).toHaveLength(4);
});

test.each([
  ['throws', () => { throw new Error('stopped'); }], // prettier-ignore
  ['returns nothing', () => undefined],
  ['returns a failure', () => ({ isError: true, content: [{ type: 'text', text: 'stopped' }] })],
])('a tool that listens to its signal and then %s is not told again', async (_how, end) => {
  const listens = defineTool({
    name: 'slow',
    description: 'Listens.',
    timeoutMs: 20,
    run: async (_given, { signal }) => {
      await new Promise((done) => signal.addEventListener('abort', done));
      return end();
    },
  });
  const { result, bodies } = await go([both, { text: 'Done.' }], { tools: [listens, waits(() => undefined)] });
  expect(texts(bodies[1])).not.toContain('[Note:');
  expect(result.messages).toHaveLength(5);
});

test('a session keeps the note: the next run sends what this one sent, and nothing is found wrong in it', async () => {
  const { slow, letGo } = slowTool('It was 42.');
  await using store = memorySessions();
  const session = await store.create();
  const tools = [slow, waits(letGo)];
  const first = await go([both, { text: '42.' }], { tools, session });
  const second = await go([{ text: 'Yes.' }], { tools, session, prompt: 'Sure?' });
  const [before, after] = [first.bodies[1], second.bodies[0]] as { messages: unknown[] }[];
  expect(after?.messages.slice(0, 3).map(plain)).toEqual(before?.messages.map(plain));
  expect(await examineSession(session, store.assets)).toEqual([]);
});

test('a run that an engine plays again hears the same', async () => {
  const { slow, letGo } = slowTool('It was 42.');
  await using store = memorySessions();
  const session = await store.create();
  const kept = new Map<string, unknown>();
  const step = async <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
    if (!kept.has(name)) kept.set(name, await work());
    return kept.get(name) as Value;
  };
  const last = async (): Promise<Answer> => {
    letGo();
    await settled();
    return { text: 'No result.' };
  };
  const steps = [callsSlow, last, { text: '42.' }];
  const first = await go(steps, { tools: [slow], session, step });
  const again = await go([], { tools: [slow], session, step });
  expect(again.result.text).toBe('42.');
  expect(again.result.messages).toEqual(first.result.messages);
  expect(await session.messages()).toEqual(first.result.messages);
});

test('act() gives one result for each call, and each step once', async () => {
  const { slow, letGo } = slowTool('It was 42.');
  const send = scriptedSend(script([both, { text: 'Done.' }]));
  const finished: string[] = [];
  const { steps } = await act({
    model,
    prompt: 'Go.',
    tools: [slow, waits(letGo)],
    assets: memoryAssets(),
    send,
    onStep: ({ finishReason }) => void finished.push(finishReason),
  });
  expect(steps.map(({ toolResults }) => toolResults.length)).toEqual([2, 0]);
  expect(finished).toEqual(['tool-calls', 'stop']);
});
