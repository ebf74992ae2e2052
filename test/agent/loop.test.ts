// The loop in small: how a run begins, what each step is told, what is written down, how it ends.
import { trace } from '@opentelemetry/api';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agentTool } from '../../src/agent/agent-tool.ts';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { AgentOptions, RunResult } from '../../src/agent/options.ts';
import { runAgent } from '../../src/agent/run.ts';
import { image } from '../../src/content/input.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { outputCorrection } from '../../src/content/words.ts';
import type { Message, MessageInput } from '../../src/message/message.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import type { ScriptedSend, Step } from '../../src/model/script/index.ts';
import type { RequestRecord } from '../../src/record/record.ts';
import { memorySessions } from '../../src/session/index.ts';
import type { Session } from '../../src/session/session.ts';
import { defineTool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/tool.ts';
import { engine } from './engine.ts';

const model = 'anthropic/claude-sonnet-4-5';
const blind = 'ollama/llama3.1';
const chart = readFileSync(new URL('../../examples/chart.png', import.meta.url));
const look = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, run: () => 'A chart.' });
const looks: Step = { calls: [{ name: 'look', id: 'c1' }] };

type Ran = { result: RunResult; events: AgentEvent[]; send: ScriptedSend };

async function go(steps: Parameters<typeof script>[0], options: Partial<AgentOptions> = {}): Promise<Ran> {
  const send = scriptedSend(script(steps));
  const events: AgentEvent[] = [];
  const assets = options.session ? {} : { assets: memoryAssets() };
  const run = runAgent({ model, prompt: 'Look.', tools: [look], ...assets, send, ...options });
  for await (const event of run) events.push(event);
  return { result: await run, events, send };
}

const ofType = <Type extends AgentEvent['type']>(
  events: AgentEvent[],
  type: Type,
): Extract<AgentEvent, { type: Type }>[] =>
  events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);

const said = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const answered = (text: string, more: object = {}): Message => ({
  role: 'assistant',
  model,
  content: text === '' ? [] : [{ type: 'text', text }],
  ...more,
});

async function stored(session: Session, ...messages: Message[]): Promise<void> {
  for (const message of messages) await session.append({ type: 'message', message });
}

describe('a run begins', () => {
  test('with something to answer, or says that there is nothing', async () => {
    const { result } = await go([], { prompt: undefined } as unknown as Partial<AgentOptions>);
    expect(result).toMatchObject({
      stop: 'error',
      text: '',
      messages: [],
      error: {
        type: 'message-error',
        code: 'invalid',
        message: 'There is nothing to answer. Give a prompt or messages.',
        retryable: false,
      },
    });
    const { result: given } = await go([{ text: 'Yes.' }], {
      prompt: undefined,
      messages: [said('There?')],
    } as unknown as Partial<AgentOptions>);
    expect(given.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  test('with the messages it is given instead of those of its session', async () => {
    await using store = memorySessions();
    const session = await store.create();
    await stored(session, said('Stored.'), answered('Yes.'));
    const own = await go([{ text: 'One.' }], { session });
    expect(JSON.stringify(own.send.requests[0]?.transcript.messages)).toContain('Stored.');
    expect(own.result.altered).toEqual([]);
    const other = await go([{ text: 'Two.' }], { session, messages: [said('Given.'), answered('Yes.')] });
    expect(JSON.stringify(other.send.requests[0]?.transcript.messages)).not.toContain('Stored.');
    expect(JSON.stringify(other.send.requests[0]?.transcript.messages)).toContain('Given.');
  });

  test('with what was changed behind its back told once', async () => {
    await using store = memorySessions();
    const session = await store.create();
    await stored(session, said('Stored.'), answered('Yes.'));
    const changed: Session = { ...session, altered: async () => [1] };
    const { result, events } = await go([{ text: 'One.' }], { session: changed });
    expect(result.altered).toEqual([1]);
    expect(ofType(events, 'history-altered')).toEqual([{ type: 'history-altered', entries: [1] }]);
    const given = await go([{ text: 'One.' }], { session: changed, messages: [said('Given.')] });
    expect([given.result.altered, ofType(given.events, 'history-altered')]).toEqual([[], []]);
  });

  test('with the summary of its session, unless it is given one', async () => {
    await using store = memorySessions();
    const session = await store.create();
    await stored(session, said('First.'), answered('Yes.'), said('Second.'), answered('Yes.'));
    await session.append({ type: 'summary', text: 'They began.', covers: 2 });
    const sent = async (more: Partial<AgentOptions>): Promise<string> =>
      JSON.stringify((await go([{ text: 'One.' }], { session, ...more })).send.requests[0]?.transcript.messages);
    expect(await sent({})).toMatch(/They began\..*Second\./);
    expect(await sent({})).not.toContain('First.');
    expect(await sent({ summary: { text: 'Given.', covers: 2 } })).toMatch(/Given\..*Second\./);
    const messages = [said('Other.'), answered('Yes.')];
    expect(await sent({ messages })).toMatch(/Other\..*Look\./);
    expect(await sent({ messages })).not.toContain('They began.');
    expect(await sent({ messages, summary: { text: 'Of more.', covers: 9 } })).toMatch(/Other\..*Look\./);
  });

  test('in the assets of its session, and records what it sends as an agent', async () => {
    await using store = memorySessions();
    const records: RequestRecord[] = [];
    const session = await store.create();
    const recorder = {
      begin: (record: RequestRecord) => void records.push(record),
      end: () => undefined,
    } as unknown as NonNullable<AgentOptions['recorder']>;
    const { result } = await go([{ text: 'Seen.' }], { session, recorder, prompt: [image(chart), 'See?'] });
    const [shown] = result.messages[0]?.content ?? [];
    expect(shown?.type === 'image' && (await session.assets.get(shown.asset.id)) !== undefined).toBe(true);
    expect(records.map(({ via }) => via)).toEqual(['agent']);
  });

  test('as one span of a tracer, named by what it is and by its conversation', async () => {
    const spans: { name: string; attributes: object; failed?: string }[] = [];
    trace.setGlobalTracerProvider({
      getTracer: () => ({
        startSpan: (name, { attributes = {} } = {}) => {
          const one: (typeof spans)[number] = { name, attributes: { ...attributes } };
          spans.push(one);
          const span = trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 });
          return Object.assign(span, {
            setStatus: ({ message }: { message?: string }) => ((one.failed = message ?? ''), span),
          });
        },
        startActiveSpan: () => {
          throw new Error('not used here');
        },
      }),
    });
    try {
      await using store = memorySessions();
      const session = await store.create();
      await go([{ text: 'One.' }], { session });
      await go([{ error: { status: 401, message: 'no key' } }]);
      const own = spans.filter(({ name }) => name === 'invoke_agent');
      expect(own.map(({ attributes }) => attributes)).toEqual([
        { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.conversation.id': session.id },
        { 'gen_ai.operation.name': 'invoke_agent' },
      ]);
      expect(own.map(({ failed }) => failed)).toEqual([undefined, 'auth']);
      spans.length = 0;
      await go([{ text: 'One.' }], { telemetry: 'off' });
      expect(spans).toEqual([]);
    } finally {
      trace.disable();
    }
  });

  test('without a span where the tracer fails', async () => {
    trace.setGlobalTracerProvider({
      getTracer: () => {
        throw new Error('The tracer is broken.');
      },
    });
    try {
      expect((await go([{ text: 'One.' }])).result).toMatchObject({ stop: 'end', text: 'One.' });
    } finally {
      trace.disable();
    }
  });
});

const again = (session: Session, steps: Step[], more: object = {}): Promise<Ran> =>
  go(steps, { session, resume: true, prompt: undefined, ...more } as unknown as Partial<AgentOptions>);

describe('a run that goes on where one stopped', () => {
  test.each<[string, Message, object]>([
    ['an answer', answered('Done.'), { stop: 'end', text: 'Done.' }],
    ['an answer that was declined', answered('No.', { stop: 'declined' }), { stop: 'declined', text: 'No.' }],
    ['an answer that was cut', answered('It is', { stop: 'length' }), { stop: 'length', text: 'It is' }],
  ])('is over where %s was the last', async (_name, last, expected) => {
    await using store = memorySessions();
    const session = await store.create();
    await stored(session, said('Go.'), last);
    const { result, events, send } = await again(session, []);
    expect(result).toMatchObject(expected);
    expect(send.requests).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(['run-end']);
  });

  const error = { type: 'message-error', code: 'cut-off', message: 'broke', retryable: true } as const;
  test.each<[string, Message]>([
    ['a question', said('And?')],
    ['an answer that broke off', answered('Ha', { stop: 'error', error })],
    ['an answer that paused', answered('First', { stop: 'paused' })],
  ])('asks again where %s was the last', async (_name, last) => {
    await using store = memorySessions();
    const session = await store.create();
    await stored(session, said('Go.'), last);
    const { result, send } = await again(session, [{ text: 'Now.' }]);
    expect(result).toMatchObject({ stop: 'end', text: 'Now.' });
    expect(send.requests).toHaveLength(1);
  });

  test('reads the form of the last answer, and asks again where it has none', async () => {
    await using store = memorySessions();
    const session = await store.create();
    await stored(session, said('Go.'), answered('{"n":1}'));
    const output = z.object({ n: z.number() });
    expect((await again(session, [], { output })).result).toMatchObject({ stop: 'end', output: { n: 1 } });
    await stored(session, said('Again.'), answered('none'));
    const { result, send } = await again(session, [{ text: '{"n":2}' }], { output });
    expect(result).toMatchObject({ stop: 'end', output: { n: 2 } });
    expect(send.requests).toHaveLength(1);
  });

  test('answers open calls first, and then what is said', async () => {
    await using store = memorySessions();
    const session = await store.create();
    const call = { type: 'call', id: 'c1', name: 'look', input: {} } as const;
    await stored(session, said('Go.'), { role: 'assistant', model, content: [call], stop: 'calls' });
    const { result, events } = await again(session, [{ text: 'Now.' }], { prompt: 'And?' });
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant']);
    expect(ofType(events, 'call-end')).toHaveLength(1);
    expect((await session.messages()).map(({ role }) => role)).toEqual(result.messages.map(({ role }) => role));
  });
});

describe('what an engine keeps', () => {
  test('each piece of work under its name, and messages of a second play are not stored twice', async () => {
    await using store = memorySessions();
    const session = await store.create();
    const kept = new Map<string, string>();
    const step = engine(kept);
    const output = z.object({ n: z.number() });
    const steps: Step[] = [
      {
        calls: [
          { name: 'look', id: 'a' },
          { name: 'look', id: 'b' },
        ],
      },
      { text: 'no form' },
      { text: '{"n":1}' },
    ];
    const first = await go(steps, { session, step, output });
    expect([...kept.keys()]).toEqual(['prompt', 'answer 1', 'call 1 0', 'call 1 1', 'answer 2', 'answer 3']);
    const messages = await session.messages();
    expect(messages.map(({ role }) => role)).toEqual([
      'user', 'assistant', 'tool', 'tool', 'assistant', 'user', 'assistant',
    ]); // prettier-ignore
    const second = await go([], { session, step, output });
    expect(second.result).toMatchObject({ stop: 'end', output: { n: 1 }, usage: first.result.usage });
    expect(second.result.cost).toBe(first.result.cost);
    expect(await session.messages()).toEqual(messages);
    expect(second.send.requests).toEqual([]);
  });

  test('what tools took of models is counted once, and a cost that nobody knows stays unknown', async () => {
    await using store = memorySessions();
    const session = await store.create();
    const step = engine();
    const usage = { inputTokens: 10, outputTokens: 1 };
    const helper = agentTool({
      name: 'helper',
      description: 'Helps.',
      agent: { model, send: scriptedSend(script([{ text: 'Helped.', usage }])) },
    });
    const steps: Step[] = [{ calls: [{ name: 'helper', input: { task: 'Help.' } }] }, { text: 'Done.' }];
    const options = { session, step, tools: [helper], model: 'compatible/unpriced', baseUrl: 'http://127.0.0.1:9' };
    const first = await go(steps, options);
    const info = await session.info();
    const second = await go([], options);
    expect(await session.info()).toEqual(info);
    expect([first.result.text, 'cost' in first.result, 'cost' in second.result]).toEqual(['Done.', false, false]);
    expect(second.result.usage).toEqual(first.result.usage);
  });
});

const offered = async (options: Partial<AgentOptions>): Promise<string[]> => {
  const { send } = await go([{ text: 'Done.' }], options);
  return send.requests[0]?.transcript.tools?.map(({ name }) => name) ?? [];
};

describe('each step', () => {
  test('is told what was said meanwhile, and nothing more is taken once the run is over', async () => {
    const send = scriptedSend(script([looks, { text: 'One.' }, { text: 'Two.' }]));
    const run = runAgent({ model, prompt: 'Look.', tools: [look], assets: memoryAssets(), send });
    const taken: boolean[] = [];
    for await (const event of run) {
      if (event.type === 'message-added' && event.message.role === 'assistant')
        taken.push(run.add(`said ${taken.length}`));
    }
    const { messages } = await run;
    expect(messages.map(({ role }) => role)).toEqual([
      'user', 'assistant', 'tool', 'user', 'assistant', 'user', 'assistant', 'user', 'assistant',
    ].slice(0, messages.length)); // prettier-ignore
    expect(taken[0]).toBe(true);
  });

  test('an answer without a word is no message', async () => {
    const { result, events } = await go([{}]);
    expect(result).toMatchObject({ stop: 'end', text: '' });
    expect(result.messages.map(({ role }) => role)).toEqual(['user']);
    expect(ofType(events, 'message-added')).toHaveLength(1);
    const later = await go([{}], { messages: [said('Hi.'), answered('Hello.')], prompt: 'Thanks.' });
    expect(later.result).toMatchObject({ stop: 'end', text: '' });
  });

  test('is bound in number and in cost, the answer that reaches the bound included', async () => {
    const free = { input: 1_000_000, output: 0, read: 0, write: 0 };
    const usage = { inputTokens: 2, outputTokens: 0 };
    const costs = async (maxCost: number): Promise<number> => {
      const { result, send } = await go(() => ({ ...looks, usage }), {
        maxCost,
        maxSteps: 3,
        profile: { prices: free },
      });
      expect(result.stop).toBe(send.requests.length < 3 || maxCost <= 6 ? 'max-cost' : 'max-steps');
      return send.requests.length;
    };
    expect([await costs(2), await costs(2.5), await costs(4), await costs(7)]).toEqual([1, 2, 2, 3]);
    const many = await go(() => looks);
    expect(many.result.stop).toBe('max-steps');
    expect(many.send.requests).toHaveLength(50);
  });

  test('is demanded a call of only once, and told what else it is told', async () => {
    const choices = async (toolChoice: AgentOptions['toolChoice']): Promise<unknown[]> =>
      (await go([looks, { text: 'Done.' }], { ...(toolChoice && { toolChoice }) })).send.requests.map(
        ({ options }) => options.toolChoice,
      );
    expect(await choices('required')).toEqual(['required', undefined]);
    expect(await choices({ tool: 'look' })).toEqual([{ tool: 'look' }, undefined]);
    const [first, second] = await choices('auto');
    expect(first).toEqual(second);
    const changed = await go([looks, { text: 'Done.' }], {
      system: 'Be brief.',
      beforeStep: () => ({ system: undefined }) as unknown as { system: string },
    });
    expect(changed.send.requests.map(({ transcript }) => transcript.system)).toEqual(['Be brief.', 'Be brief.']);
  });

  test('offers a model that cannot see its eyes, beside other tools and once', async () => {
    const eyes = 'openai/gpt-5.2';
    expect(await offered({ model: blind, eyes })).toEqual(['look', 'ask_asset']);
    expect(await offered({ model: blind })).toEqual(['look']);
    expect(await offered({ model: blind, eyes, tools: [] })).toEqual([]);
    expect(await offered({ model, eyes })).toEqual(['look']);
    const own = defineTool({ name: 'ask_asset', description: 'Own.', run: () => 'x' });
    expect(await offered({ model: blind, eyes, tools: [own] })).toEqual(['ask_asset']);
    const sees = { capabilities: { vision: true } };
    expect(await offered({ model: blind, eyes, profile: sees })).toEqual(['look']);
    expect(await offered({ model: { model: blind, profile: sees }, eyes })).toEqual(['look']);
    expect(await offered({ model: [{ model: blind }, model], eyes })).toEqual(['look', 'ask_asset']);
  });
});

describe('calls', () => {
  test('of an answer that was declined or broke are answered and not run', async () => {
    let ran = 0;
    const counts = defineTool({ name: 'look', description: 'Looks.', run: () => String(++ran) });
    const declined = await go([{ ...looks, stop: 'declined' }], { tools: [counts] });
    expect(declined.result.stop).toBe('declined');
    expect(declined.result.messages.at(-1)).toMatchObject({ role: 'tool', isError: true });
    expect(ran).toBe(0);
  });

  test('know the conversation, who asks, and what the model sees', async () => {
    const seen: unknown[] = [];
    const nosy: Tool = defineTool({
      name: 'look',
      description: 'Looks.',
      run: (_input, { conversation, context, piecesOf, key }) => {
        seen.push([...(conversation?.() ?? [])].length, context, typeof piecesOf, key);
        return 'x';
      },
    });
    await go([looks, { text: 'Done.' }], { tools: [nosy], context: { who: 'me' } });
    expect(seen).toEqual([2, { who: 'me' }, 'function', 'c1']);
  });

  test('whose results cannot be stored end the run when the others are done', async () => {
    await using store = memorySessions();
    const session = await store.create();
    const ended: string[] = [];
    const tools = ['one', 'two'].map((name) =>
      defineTool({ name, description: name, run: async () => (ended.push(name), name) }),
    );
    const full: Session = {
      ...session,
      appendAll: async (entries, ...rest) => {
        if (JSON.stringify(entries).includes('"role":"tool"')) throw new Error('the disk is full');
        return await session.appendAll(entries, ...rest);
      },
    };
    const calls = { calls: [{ name: 'one' }, { name: 'two' }] };
    const { result } = await go([calls], { session: full, tools });
    expect(result).toMatchObject({ stop: 'error', error: { message: 'the disk is full', code: 'invalid' } });
    expect(ended).toEqual(['one', 'two']);
  });

  test('that cost something count in the run', async () => {
    const usage = { inputTokens: 100, outputTokens: 10 };
    const dear = defineTool({
      name: 'look',
      description: 'Looks.',
      run: (_input, { spent }) => {
        spent({ model: 'a/b', usage, cost: 1 });
        return 'x';
      },
    });
    const { result, events } = await go([looks, { text: 'Done.' }], { tools: [dear] });
    expect(result.cost).toBeGreaterThan(1);
    expect(ofType(events, 'spent').filter(({ model: by }) => by === 'a/b')).toEqual([
      { type: 'spent', model: 'a/b', usage, cost: 1 },
    ]);
  });
});

test('a bound of cost holds though a tool takes of a model that has no price', async () => {
  const prices = { input: 1_000_000, output: 0, read: 0, write: 0 };
  const usage = { inputTokens: 2, outputTokens: 0 };
  const asks = defineTool({
    name: 'look',
    description: 'Asks a model of its own.',
    run: (_input, { spent }) => {
      spent({ model: 'compatible/mine', usage });
      return 'x';
    },
  });
  const { result, send } = await go(() => ({ ...looks, usage }), {
    tools: [asks],
    maxCost: 3,
    maxSteps: 5,
    profile: { prices },
  });
  expect(result.stop).toBe('max-cost');
  expect(result.cost).toBeUndefined();
  expect(send.requests).toHaveLength(2);
});

test('a summary that says nothing is paid for, too', async () => {
  const usage = { inputTokens: 190_000, outputTokens: 0 };
  const before = [1, 2, 3].flatMap((at): Message[] => [said(`ask ${at}`), answered(`answer ${at}`)]);
  const { result, events } = await go(
    [
      { ...looks, usage },
      { text: ' ', usage },
      { text: 'Done.', usage },
    ],
    {
      messages: before,
    },
  );
  expect(result).toMatchObject({ stop: 'end', text: 'Done.', usage: { inputTokens: 570_000 } });
  expect(ofType(events, 'spent')).toHaveLength(3);
});

test('a program that never answers before a step holds up no run that is stopped', async () => {
  const stopping = new AbortController();
  const { result } = await go([{ text: 'Done.' }], {
    signal: stopping.signal,
    beforeStep: () => {
      stopping.abort(new Error('enough'));
      return new Promise(() => undefined);
    },
  });
  expect(result).toMatchObject({ stop: 'aborted', error: { message: 'The run was stopped: enough' } });
});

describe('an answer in a form', () => {
  const output = z.object({ n: z.number() });

  test('is asked for twice more, then given up with what does not fit', async () => {
    const { result, events, send } = await go(() => ({ text: 'none' }), { output, tools: [] });
    const rejected = ofType(events, 'output-rejected');
    expect(rejected).toHaveLength(3);
    const errors = rejected[0]?.errors ?? [];
    expect(errors).not.toEqual([]);
    expect(result).toMatchObject({
      stop: 'error',
      error: {
        type: 'message-error',
        code: 'output',
        message: `After 3 tries the answer does not have the form that was asked for: ${errors.join('; ')}. Ask for a simpler form, or choose another model.`,
        retryable: false,
      },
    });
    expect(send.requests).toHaveLength(3);
    const corrections = result.messages.filter(({ role }) => role === 'user').slice(1);
    expect(corrections).toEqual([said(outputCorrection(errors)), said(outputCorrection(errors))]);
  });

  test('that was cut by its length is none', async () => {
    const { result } = await go([{ text: '{"n":1}', stop: 'length' }], { output });
    expect(result).toMatchObject({ stop: 'length' });
    expect(result).not.toHaveProperty('output');
  });
});

const thrown = async (what: unknown): Promise<unknown> =>
  (await go([], { beforeStep: () => Promise.reject(what) })).result.error?.message;

describe('a run ends', () => {
  test('with all that the next one needs, and tells it last', async () => {
    const { result, events } = await go([{ text: 'One ' }], {
      prompt: ['Look.', image({ data: new Uint8Array([1]) })],
    });
    const { usage, cost } = result;
    expect(events.at(-1)).toStrictEqual({ type: 'run-end', stop: 'end', usage, cost });
    expect(Object.keys(result).toSorted()).toEqual([
      'altered', 'attachments', 'cost', 'ledger', 'messages', 'output', 'stop', 'text', 'troubles', 'usage',
    ]); // prettier-ignore
    expect(result.troubles).toMatchObject([{ message: 0, block: 1 }]);
    const next = await go([{ text: 'Two.' }], {
      messages: [...result.messages],
      prompt: ['And?', image({ data: new Uint8Array([1]) })],
    });
    expect(next.result.troubles).toMatchObject([{ message: 2, block: 1 }]);
    const unpriced = await go([{ text: 'One.' }], { model: blind });
    expect(unpriced.result).not.toHaveProperty('cost');
    expect(unpriced.events.at(-1)).not.toHaveProperty('cost');
    const failed = await go([{ error: { status: 401, message: 'no key' } }]);
    expect(failed.events.at(-1)).toMatchObject({ stop: 'error', error: { message: 'no key' } });
    expect(failed.result).not.toHaveProperty('ledger');
  });

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'The run was stopped.'],
    ['a word', 'enough', 'The run was stopped: enough'],
    ['no word', '', 'The run was stopped.'],
    ['an error', new Error('too late'), 'The run was stopped: too late'],
    ['a number', 7, 'The run was stopped.'],
  ])('where it is stopped with %s', async (_name, reason, message) => {
    const stop = new AbortController();
    const waits = defineTool({
      name: 'look',
      description: 'Waits.',
      run: () => {
        stop.abort(reason);
        return new Promise(() => undefined);
      },
    });
    const { result } = await go([looks], { tools: [waits], signal: stop.signal });
    expect(result).toMatchObject({
      stop: 'aborted',
      error: { type: 'message-error', code: 'aborted', message, retryable: false },
    });
    expect(result.reason).toBe(stop.signal.reason);
  });

  test('while a picture of the prompt is read, which is then not kept as words', async () => {
    await using store = memorySessions();
    const session = await store.create();
    const stopping = new AbortController();
    class Slow extends Blob {
      override arrayBuffer(): Promise<ArrayBuffer> {
        stopping.abort(); // whoever asked stops while it is read
        return super.arrayBuffer();
      }
    }
    const prompt = [image(new Slow([chart]), { name: 'chart.png' }), 'What is it?'];
    const first = await go([], { session, prompt, signal: stopping.signal });
    expect(first.result).toMatchObject({ stop: 'aborted', messages: [] });
    expect(await session.messages()).toEqual([]);
    const { result } = await go([{ text: 'A chart.' }], { session, prompt });
    expect(result.messages[0]?.content.map(({ type }) => type)).toEqual(['image', 'text']);
  });

  test('before it begins, where it was stopped already', async () => {
    const { result, send } = await go([{ text: 'x' }], { signal: AbortSignal.abort('never') });
    expect(result).toMatchObject({ stop: 'aborted', error: { message: 'The run was stopped: never' } });
    expect(send.requests).toEqual([]);
  });

  test('with the words of whatever was thrown, error or not', async () => {
    expect([await thrown(new Error('no budget')), await thrown('plain words')]).toEqual(['no budget', 'plain words']);
  });

  test('and another may begin in its session, however it ended', async () => {
    await using store = memorySessions();
    const session = await store.create();
    const wrong = await go([], { session, maxSteps: -1 });
    expect(wrong.result.stop).toBe('error');
    const failed = await go([], { session, beforeStep: () => Promise.reject(new Error('no')) });
    expect(failed.result.stop).toBe('error');
    expect((await go([{ text: 'Yes.' }], { session })).result).toMatchObject({ stop: 'end', text: 'Yes.' });
  });

  test('with the last words of the assistant, whatever came after', async () => {
    const messages: MessageInput[] = [
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: 'Before.' },
    ];
    const { result } = await go([{ error: { status: 401, message: 'no' } }], { messages });
    expect(result.text).toBe('Before.');
  });
});
