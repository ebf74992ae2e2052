// Arguments as models write them by hand: mended where that is certain, and answered with an error where it is not. One
// call that cannot be read harms no other.
import { trace } from '@opentelemetry/api';
import { expect, test, vi } from 'vitest';
import { act } from '../../src/agent/act.ts';
import type { ActStep } from '../../src/agent/act.ts';
import { answerCalls, argumentsOf } from '../../src/agent/calls.ts';
import type { AgentEvent } from '../../src/agent/event.ts';
import { image, text } from '../../src/content/input.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { CallBlock } from '../../src/content/block.ts';
import type { ModelEvent } from '../../src/message/event.ts';
import type { Stop } from '../../src/message/message.ts';
import { pair } from '../../src/message/pair.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import type { Asked } from '../../src/model/script/index.ts';
import { openIntake } from '../../src/media/intake.ts';
import { defineTool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/tool.ts';

const invalid = 'The arguments are not valid JSON. Call the tool again with one JSON object.';
const cut = 'The answer ended at its length limit in the middle of these arguments.';

test.each([
  ['an object as it came', { path: 'a' }, { path: 'a' }],
  ['nothing', ' ', {}],
  ['single quotes and a comma too many', "{path: 'a b',}", { path: 'a b' }],
  ['a fence around it', '```json\n{"path": "a"}\n```', { path: 'a' }],
  ['brackets left open', '{"path": "a", "deep": {"er": [1', { path: 'a', deep: { er: [1] } }],
  ['a bracket left open behind a text', '{"path": "/home/user"\n', { path: '/home/user' }],
  ['a bracket left open behind a list', '{"paths": ["a", "b"]', { paths: ['a', 'b'] }],
  ['a bracket left open behind a word of JSON', '{path: "a", all: true', { path: 'a', all: true }],
  ['quotes in quotes', '{"say": "the "best" so far",}', { say: 'the "best" so far' }],
  ['a comma too many in a list', '{"paths": ["a", "b",], }', { paths: ['a', 'b'] }],
])('%s is understood', async (_name, input, meant) => {
  expect(await argumentsOf({ type: 'call', id: 'a', name: 'x', input }, false)).toEqual({ ok: true, input: meant });
});

test.each([
  ['prose', 'I would like to see the file'],
  ['a list', '["a", "b"]'],
  ['a number', '42'],
  ['a text in quotes', '"a.png"'],
  ['something that no mending makes JSON', '{"a": "b" "c": }} {'],
])('%s is not guessed at', async (_name, input) => {
  expect(await argumentsOf({ type: 'call', id: 'a', name: 'x', input }, false)).toEqual({ ok: false, why: invalid });
});

test.each([
  '{"path":"/home/us',
  "{path: '/home/us",
  '{"path": "a\\',
  '{"path": "a\\"',
  '{"path":',
  '{"path": "a",',
  '{"path": "a", "de',
  '{"path": "a", "deep"',
  '{"paths": ["a", "b"], "more": [',
  '{"paths": ["a",',
  '{"path": /home/us',
  '{"force": tru',
  '{',
  '```json\n{"path": "/home/us\n```',
  '```json\n{"path": "/home/us"\n```',
])('what breaks off in a value is not guessed at, and the model is told: %s', async (input) => {
  const why = 'The arguments break off before their end. Call the tool again with whole arguments, one JSON object.';
  expect(await argumentsOf({ type: 'call', id: 'a', name: 'x', input }, false)).toEqual({ ok: false, why });
});

test('what the length limit cut off is not mended, however well that would go', async () => {
  const call: CallBlock = { type: 'call', id: 'a', name: 'x', input: '{"command": "rm -rf /tmp/a' };
  expect(await argumentsOf(call, true)).toEqual({ ok: false, why: cut });
  expect(await argumentsOf({ ...call, input: { command: 'ls' } }, true)).toEqual({
    ok: true,
    input: { command: 'ls' },
  });
});

async function* says(calls: readonly CallBlock[], stop: Stop): AsyncGenerator<ModelEvent> {
  yield { type: 'message-start', model: 'x/y' };
  for (const [index, block] of calls.entries()) {
    yield { type: 'block-start', index, block: { ...block, input: {} } };
    yield { type: 'block-end', index, block };
  }
  yield { type: 'message-end', stop };
}

test.each([
  ['cannot be read', 'no JSON at all', 'calls', invalid],
  ['was cut off by the length limit', '{"path": "b', 'length', cut],
] as const)(
  'a call whose arguments %s is answered with an error, and the others run',
  async (_name, input, stop, why) => {
    const ran: unknown[] = [];
    const steps: ActStep[] = [];
    let asked = 0;
    let told: Asked | undefined;
    const echo = defineTool({
      name: 'echo',
      description: 'Echoes.',
      input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      run: (given) => {
        ran.push(given);
        return 'ok';
      },
    });
    const calls: CallBlock[] = [
      { type: 'call', id: 'a', name: 'echo', input: { path: 'a' } },
      { type: 'call', id: 'b', name: 'echo', input },
      { type: 'call', id: 'c', name: 'nobody', input: {} },
    ];
    const done = scriptedSend(
      script((heard) => {
        told = heard;
        return { text: 'Done.' };
      }),
    );
    const result = await act({
      model: 'anthropic/claude-sonnet-4-5',
      prompt: 'Go.',
      tools: [echo],
      assets: memoryAssets(),
      send: (...of) => (asked++ === 0 ? says(calls, stop) : done(...of)),
      onStep: (step) => void steps.push(step),
    });
    expect(result.stop).toBe('end');
    expect(ran).toEqual([{ path: 'a' }]);
    expect(steps[0]?.toolResults).toMatchObject([
      { callId: 'a', content: [{ text: 'ok' }] },
      { callId: 'b', content: [{ text: why }], isError: true },
      { callId: 'c', isError: true },
    ]);
    expect(steps[0]?.finishReason).toBe(stop === 'length' ? 'length' : 'tool-calls');
    expect(JSON.stringify(told?.transcript.messages)).toContain(why);
    expect(pair(result.messages).repairs).toEqual([]);
  },
);

const called = (name: string, input: unknown): CallBlock => ({ type: 'call', id: `id of ${name}`, name, input });

/** Answers calls with a clock that goes on by a second whenever somebody looks at it. */
async function answered(calls: CallBlock[], tools: Tool[], telemetry?: 'content' | 'spans'): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  const assets = memoryAssets();
  let now = 0;
  await answerCalls({ role: 'assistant', model: 'a/b', content: calls, stop: 'calls' }, calls, {
    tools,
    assets,
    intake: openIntake({ assets }),
    signal: new AbortController().signal,
    emit: async (event) => void events.push(event),
    now: () => (now += 1000),
    telemetry,
    each: (_call, answer) => answer(() => undefined),
  });
  return events;
}

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const counting = defineTool({
  name: 'count',
  description: 'Counts.',
  input: { type: 'object', properties: { to: { type: 'number' } }, required: ['to'] },
  run: async function* (_input, { progress }) {
    progress('half');
    yield [text('so far'), image(dot)];
    return 'counted';
  },
}) as Tool;

test('a call is told when it begins, as it goes on and when it ends, with the time its tool took', async () => {
  const call = called('count', '{"to": 3,}');
  const shown = [{ type: 'text', text: 'so far' }, expect.objectContaining({ type: 'image', width: 1 })];
  const counted = expect.objectContaining({ callId: call.id, content: [{ type: 'text', text: 'counted' }] }) as object;
  expect(await answered([call], [counting])).toEqual([
    { type: 'call-start', call, checked: { ...call, input: { to: 3 } } },
    { type: 'call-progress', call, text: 'half' },
    { type: 'call-progress', call, text: 'so far', content: shown },
    { type: 'call-end', call, ms: 1000, result: counted },
  ]);
});

test('one that never ran took no time, and nothing is said of how its tool would have got it', async () => {
  for (const call of [called('count', { to: 'three' }), called('count', 'no arguments at all'), called('nobody', {})])
    expect(await answered([call], [counting])).toEqual([
      { type: 'call-start', call },
      { type: 'call-end', call, ms: 0, result: expect.objectContaining({ role: 'tool', isError: true }) },
    ]);
});

test('a clock keeps the program awake while a tool has a time limit, and not longer', async () => {
  const [begun, ended] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')];
  try {
    await answered([called('count', { to: 1 })], [counting]);
    expect(begun).not.toHaveBeenCalled();
    await answered([called('count', { to: 1 })], [counting, { ...counting, name: 'slow', timeoutMs: 60_000 }]);
    expect(begun).toHaveBeenCalledTimes(1);
    expect(ended).toHaveBeenCalledWith(begun.mock.results[0]?.value);
  } finally {
    begun.mockRestore();
    ended.mockRestore();
  }
});

const spanOf = (name: string): object => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  'gen_ai.tool.call.id': `id of ${name}`,
  'gen_ai.tool.type': 'function',
});

test('tracers hear of each call, of its arguments only when that was asked for, and whether it failed', async () => {
  const spans: { name: string; attributes: object; failed?: string }[] = [];
  trace.setGlobalTracerProvider({
    getTracer: () => ({
      startSpan: (name, { attributes = {} } = {}) => {
        const one: (typeof spans)[number] = { name, attributes };
        spans.push(one);
        const span = trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 });
        return Object.assign(span, {
          setAttributes: (given: object) => (Object.assign(attributes, given), span),
          setStatus: ({ message }: { message?: string }) => ((one.failed = message ?? ''), span),
        });
      },
      startActiveSpan: () => {
        throw new Error('not used here');
      },
    }),
  });
  try {
    await answered([called('count', { to: 3 })], [counting]);
    await answered([called('nobody', {})], [counting]);
    await answered([called('count', { to: 3 })], [counting], 'content');
    await answered([called('count', undefined)], [counting], 'content');
  } finally {
    trace.disable();
  }
  expect(spans.map(({ name }) => name)).toEqual([
    'execute_tool count',
    'execute_tool nobody',
    'execute_tool count',
    'execute_tool count',
  ]);
  expect(spans[0]?.attributes).toEqual(spanOf('count'));
  expect(spans[1]?.attributes).toEqual({ ...spanOf('nobody'), 'error.type': 'tool' });
  expect(spans[2]?.attributes).toEqual({ ...spanOf('count'), 'gen_ai.tool.call.arguments': '{"to":3}' });
  expect(spans[3]?.attributes).toMatchObject({ 'gen_ai.tool.call.arguments': '' });
});
