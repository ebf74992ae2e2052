// One step of a run: who is asked, how often, and what is counted and written down meanwhile.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { journalOf } from '../../src/agent/journal.ts';
import type { AgentOptions } from '../../src/agent/options.ts';
import { askModel, choicesOf, newState, noteSpent, piecesFor } from '../../src/agent/step.ts';
import type { State } from '../../src/agent/step.ts';
import type { ImageBlock } from '../../src/content/block.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { ModelEvent } from '../../src/message/event.ts';
import { noUsage } from '../../src/message/message.ts';
import type { Message } from '../../src/message/message.ts';
import { read } from '../../src/media/index.ts';
import { intakeOf } from '../../src/model/intake.ts';
import { script, scriptedSend, scriptedServer } from '../../src/model/script/index.ts';
import type { Answer, Step } from '../../src/model/script/index.ts';
import { memorySessions } from '../../src/session/index.ts';
import { prepare } from '../../src/model/prepare.ts';
import { profileFor } from '../../src/window/profile.ts';
import { gridFor } from '../../src/window/tiles.ts';

const claude = 'anthropic/claude-sonnet-4-5';
const gpt = 'openai/gpt-5.2';
const llama = 'ollama/llama3.1';
const chart = readFileSync(new URL('../../examples/chart.png', import.meta.url));
const asked: Message = { role: 'user', content: [{ type: 'text', text: 'Hi.' }] };
const broken: Answer = { text: 'A long answer that breaks off.', cutAfter: 4 };
const refused: Answer = { error: { status: 401, message: 'no key' } };

type Asked = {
  given: Awaited<ReturnType<typeof askModel>>;
  events: AgentEvent[];
  state: State;
  models: string[];
  systems: unknown[];
};

async function ask(
  steps: readonly Step[] | Exclude<Step, Answer>,
  options: Partial<AgentOptions> = {},
  before: Partial<State> = {},
): Promise<Asked> {
  const events: AgentEvent[] = [];
  const models: string[] = [];
  const assets = options.session?.assets ?? memoryAssets();
  const send = scriptedSend(script(steps));
  const { signal } = new AbortController();
  const whole = { model: claude, assets, signal, tools: [], send, intake: intakeOf({ assets }), ...options };
  const state: State = { ...newState(whole), messages: [asked], ...before };
  const journal = journalOf(options.session);
  const given = await askModel(7, state, whole, journal, async (event) => void events.push(event));
  models.push(...send.requests.map(({ model }) => model));
  return { given, events, state, models, systems: send.requests.map(({ transcript }) => transcript.system) };
}

const told = (events: AgentEvent[], ...types: AgentEvent['type'][]): AgentEvent[] =>
  events.filter(({ type }) => types.includes(type));

test('a run begins with nothing but what it is given', () => {
  const ledger = { version: 1, current: '', entries: {} } as const;
  const summary = { text: 'x', covers: 1 };
  expect(newState({ model: claude, ledger, summary })).toStrictEqual({
    messages: [],
    usage: noUsage,
    cost: 0,
    knownCost: 0,
    turn: 0,
    fetchedFor: '',
    filled: 0,
    troubles: [],
    altered: [],
    summary,
    ledger,
    models: claude,
  });
});

test('models are named in several ways', () => {
  expect(choicesOf(claude)).toEqual([{ model: claude }]);
  expect(choicesOf({ model: gpt, key: 'k' })).toEqual([{ model: gpt, key: 'k' }]);
  expect(choicesOf([claude, { model: gpt, key: 'k' }])).toEqual([{ model: claude }, { model: gpt, key: 'k' }]);
});

describe('pieces of a picture', () => {
  const tall: ImageBlock = {
    type: 'image',
    asset: { id: 'sha256:aa', mediaType: 'image/png', size: 3 },
    width: 1280,
    height: 6000,
    textPx: 14,
  };

  test('are those that the model which answers is shown', () => {
    const state = newState({ model: claude });
    const own = gridFor(tall, profileFor(claude), {});
    expect(own).toBeDefined();
    expect(piecesFor(state, { model: claude })?.(tall)).toEqual(own);
    const second = { ...state, turn: 1 };
    const other = gridFor(tall, profileFor('openai/gpt-4.1'), {});
    expect(other).not.toEqual(own);
    expect(piecesFor(second, { model: [claude, 'openai/gpt-4.1'] })?.(tall)).toEqual(other);
    expect(piecesFor(state, { model: claude, tiles: 'off' })?.(tall)).toBeUndefined();
    expect(piecesFor(state, { model: { model: claude, tiles: 'off' } })?.(tall)).toBeUndefined();
    const sightless = { capabilities: { vision: true }, imageDetail: 'original' } as const;
    expect(piecesFor(state, { model: 'openai/gpt-5.4', profile: sightless })?.(tall)).toBeUndefined();
  });

  test('follow the profile with which the conversation began', () => {
    const profile = profileFor('openai/gpt-4.1');
    const ledger = { version: 1, current: claude, entries: { [claude]: { profile } } } as never;
    expect(piecesFor({ ...newState({ model: claude }), ledger }, { model: claude })?.(tall)).toEqual(
      gridFor(tall, profile, {}),
    );
  });
});

describe('an answer', () => {
  test('is what the model said, under its own name, counted and told', async () => {
    const usage = { inputTokens: 1000, outputTokens: 10 };
    const { given, events, state, systems } = await ask([{ text: 'Hello.', usage }], { system: 'Be brief.' });
    expect([...systems, ...(await ask([{ text: 'Hello.' }])).systems]).toEqual(['Be brief.', undefined]);
    expect(given).toStrictEqual({
      message: {
        role: 'assistant',
        model: claude,
        content: [{ type: 'text', text: 'Hello.' }],
        stop: 'end',
        usage: given.message.usage,
        ...(given.message.latency && { latency: given.message.latency }),
      },
    });
    expect(state).toMatchObject({ filled: 1010, usage, turn: 0, models: claude });
    expect(state.cost).toBeCloseTo(0.00315, 6);
    expect(state.ledger?.current).toBe(claude);
    expect(told(events, 'step-start')).toEqual([{ type: 'step-start', step: 7, model: claude }]);
    expect(told(events, 'request-accepted')).toStrictEqual([{ type: 'request-accepted' }]);
    expect(told(events, 'spent')).toMatchObject([{ type: 'spent', model: claude, usage, cost: state.cost }]);
  });

  test('of a model without prices costs nobody knows what, from then on', async () => {
    const usage = { inputTokens: 1000, outputTokens: 10 };
    const { state, events } = await ask([{ text: 'Hello.', usage }], { model: llama });
    expect(state.cost).toBeUndefined();
    expect(told(events, 'spent')[0]).not.toHaveProperty('cost');
    const later: State = { ...newState({ model: claude }), cost: undefined };
    await noteSpent(later, { model: claude, usage, cost: 1 }, journalOf(undefined), async () => undefined);
    expect([later.cost, later.knownCost, later.usage.inputTokens]).toEqual([undefined, 1, 1000]);
    const priced = newState({ model: claude });
    for (const cost of [1, 2])
      await noteSpent(priced, { model: claude, usage, cost }, journalOf(undefined), async () => undefined);
    expect([priced.cost, priced.usage.inputTokens]).toEqual([3, 2000]);
  });

  test('is asked of the model that a step names, from the first of its models on', async () => {
    const { state, models } = await ask([{ text: 'Hello.' }], { model: [gpt, claude] }, { models: claude, turn: 1 });
    expect(models).toEqual(['gpt-5.2']);
    expect(state).toMatchObject({ models: [gpt, claude], turn: 0 });
    const both = [gpt, claude];
    const second = await ask([{ text: 'Hello.' }], { model: both }, { models: both, turn: 1 });
    expect(second.models).toEqual(['claude-sonnet-4-5']);
  });
});

describe('an answer that breaks off', () => {
  test('is asked for twice more, then of the next model as often', async () => {
    const { given, events, state, models } = await ask(() => broken, { model: [claude, gpt] });
    expect(models).toEqual([...Array(3).fill('claude-sonnet-4-5'), ...Array(3).fill('gpt-5.2')]);
    expect(state.turn).toBe(1);
    expect(given.error).toMatchObject({ code: 'cut-off' });
    expect(given.message).toMatchObject({ model: gpt, stop: 'error', error: { code: 'cut-off' } });
    expect(told(events, 'step-restart')).toEqual(
      [claude, claude, gpt, gpt, gpt].map((model) => ({
        type: 'step-restart',
        step: 7,
        model,
        why: given.error?.message,
      })),
    );
    expect(told(events, 'step-start')).toHaveLength(6);
  });

  test('before it began, or for good, goes to the next model at once', async () => {
    const { models, given } = await ask(({ model }) => (model === 'gpt-5.2' ? { text: 'Mine.' } : refused), {
      model: [claude, gpt],
    });
    expect(models).toEqual(['claude-sonnet-4-5', 'gpt-5.2']);
    expect(given).toMatchObject({ message: { content: [{ text: 'Mine.' }] } });
    expect(given).not.toHaveProperty('error');
    const overloaded: Answer = { error: { status: 529, message: 'Overloaded' } };
    const never = await ask(() => overloaded, { tries: 1 });
    expect(never.models).toHaveLength(1);
    expect(never.given).toMatchObject({ error: { retryable: true }, message: { content: [] } });
    expect(told(never.events, 'step-restart')).toEqual([]);
  });

  test('in its first call has begun, though nothing of it is kept', async () => {
    let tries = 0;
    const send = async function* (): AsyncGenerator<ModelEvent> {
      yield { type: 'message-start', model: 'x' };
      if (++tries < 3)
        yield { type: 'block-start', index: 0, block: { type: 'call', id: 'a', name: 'look', input: {} } };
      else {
        yield { type: 'block-start', index: 0, block: { type: 'text', text: '' } };
        yield { type: 'block-end', index: 0, block: { type: 'text', text: 'Whole.' } };
        yield { type: 'message-end', stop: 'end' };
      }
    };
    const { given } = await ask([], { send: send as never });
    expect(given.message.content).toMatchObject([{ text: 'Whole.' }]);
    expect(tries).toBe(3);
  });

  test('because it was stopped is not asked for again', async () => {
    const stop = new AbortController();
    const { given, models } = await ask(
      () => {
        stop.abort();
        return { text: 'x' };
      },
      { signal: stop.signal, model: [claude, gpt] },
    );
    expect(given.error?.code).toBe('aborted');
    expect(models).toHaveLength(1);
  });

  test('is told while it is tried again, to whoever wants to know', async () => {
    const heard: unknown[] = [];
    const overloaded: Answer = { error: { status: 529, message: 'Overloaded' } };
    const { events } = await ask([overloaded, { text: 'Fine.' }], {
      random: () => 0.5,
      onRetry: (retry) => void heard.push(retry),
    });
    const retry = { attempt: 2, of: 3, ms: 500, why: 'Overloaded' };
    expect(heard).toEqual([retry]);
    expect(told(events, 'request-retry')).toEqual([{ type: 'request-retry', ...retry }]);
  });
});

describe('in a session', () => {
  test('each model goes on from its own ledger, unless one is given', async () => {
    await using store = memorySessions();
    const session = await store.create();
    const first = await ask([{ text: 'Hello.' }], { session });
    expect(first.state.fetchedFor).toBe(claude);
    const fetched: string[] = [];
    const watched = { ...session, ledger: async (model: string) => (fetched.push(model), await session.ledger(model)) };
    const again = await ask([{ text: 'Hello.' }], { session: watched });
    expect(fetched).toEqual([claude]);
    expect(again.state.ledger?.entries[claude]).toEqual(first.state.ledger?.entries[claude]);
    await ask([{ text: 'Hello.' }], { session: watched }, { fetchedFor: claude });
    const { ledger } = first.state;
    await ask([{ text: 'Hello.' }], { session: watched, ...(ledger && { ledger }) });
    expect(fetched).toEqual([claude]);
    await ask(({ model }) => (model === 'gpt-5.2' ? { text: 'Mine.' } : refused), {
      session: watched,
      model: [claude, gpt],
    });
    expect(fetched).toEqual([claude, claude, gpt]);
  });

  test('what was accepted, spent and summed up is written down', async () => {
    await using store = memorySessions();
    const session = await store.create();
    await ask([{ text: 'Hello.', usage: { inputTokens: 1, outputTokens: 1 } }], { session });
    expect((await session.entries()).map(({ type }) => type)).toEqual(['ledger', 'usage']);
  });
});

describe('a window that is nearly full', () => {
  const messages: Message[] = [1, 2, 3, 4].flatMap((at): Message[] => [
    { role: 'user', content: [{ type: 'text', text: `ask ${at}` }] },
    { role: 'assistant', model: claude, content: [{ type: 'text', text: `answer ${at}` }] },
  ]);
  messages.push(asked);
  const { contextTokens, maxOutputTokens } = profileFor(claude);
  const full = (contextTokens - maxOutputTokens) * 0.8;
  const steps: Step[] = [
    { text: 'They spoke.', usage: { inputTokens: 50, outputTokens: 5 } },
    { text: 'Hello.', usage: { inputTokens: 20, outputTokens: 2 } },
  ];

  test('is made room in first: what was said is summed up, counted, written down and told', async () => {
    await using store = memorySessions();
    const session = await store.create();
    const asks = await ask(steps, { session, system: 'Be brief.' }, { messages, filled: full });
    const { state, events } = asks;
    expect(asks.systems).toEqual(['Be brief.', 'Be brief.']);
    expect((await ask(steps, {}, { messages, filled: full })).systems).toEqual([undefined, undefined]);
    expect(state.summary).toMatchObject({ covers: 6, text: expect.stringContaining('They spoke.') as string });
    expect(told(events, 'history-compacted')).toEqual([
      { type: 'history-compacted', messages: 6, summary: state.summary?.text },
    ]);
    expect(state).toMatchObject({ filled: 22, usage: { inputTokens: 70, outputTokens: 7 } });
    expect(told(events, 'spent')).toHaveLength(2);
    expect((await session.entries()).map(({ type }) => type)).toEqual(['summary', 'usage', 'ledger', 'usage']);
    expect(events.findIndex(({ type }) => type === 'history-compacted')).toBeLessThan(
      events.findIndex(({ type }) => type === 'step-start'),
    );
  });

  test('is left as it is below that, when nobody wants it, or nothing comes of it', async () => {
    const answer: Step[] = [{ text: 'Hello.' }];
    for (const [options, before] of [
      [{}, { messages, filled: full - 1 }],
      [{ compact: 'off' }, { messages, filled: full }],
      [{}, { filled: full }],
    ] as const) {
      const { models, state, events } = await ask(answer, options, before);
      expect(models).toHaveLength(1);
      expect(state.summary).toBeUndefined();
      expect(told(events, 'history-compacted')).toEqual([]);
    }
    const none = await ask([refused, { text: 'Hello.' }], {}, { messages, filled: full });
    expect(none.state.summary).toBeUndefined();
    expect(told(none.events, 'history-compacted')).toEqual([]);
  });

  test('is as large as the planner sees it: without the room for the answer, within the budget, as the server said', async () => {
    const { ledger } = await prepare({ messages }, { model: claude, profile: { contextTokens: 16_384 } });
    for (const [options, before, filled] of [
      [{ profile: { contextTokens: 100_000 } }, {}, 67_200],
      [{ maxTokens: 20_000 }, {}, 144_000],
      [{ budget: { tokens: 50_000 } }, {}, 40_000],
      [{}, { ledger }, 6554],
    ] as const) {
      expect((await ask(steps, options, { messages, ...before, filled })).models).toHaveLength(2);
      expect((await ask(steps, options, { messages, ...before, filled: filled - 1 })).models).toHaveLength(1);
    }
  });
});

test('what eyes took counts in the run, and is told apart', async () => {
  const usage = { inputTokens: 100, outputTokens: 10 };
  await using server = await scriptedServer(script(() => ({ text: 'A chart.', usage })));
  const assets = memoryAssets();
  const found = await read(chart, { assets, name: 'chart.png' });
  const eyes = { model: 'openai-chat/gpt-4.1', baseUrl: `${server.url}/v1`, apiKey: 'k' };
  const shown: Message = { role: 'user', content: found.ok ? [...found.value.blocks] : [] };
  const options = { model: llama, assets, intake: intakeOf({ assets }), readPictures: false };
  const seen = await ask([{ text: 'I see.', usage }], { ...options, eyes }, { messages: [shown] });
  const cost = told(seen.events, 'spent').flatMap((event) => ('cost' in event ? [event.cost] : []))[0];
  expect(cost).toBeGreaterThan(0);
  expect(seen.state.usage).toMatchObject({ inputTokens: 200, eyes: { ...usage, cost } });
  const unpriced = { ...eyes, model: 'compatible/seeing', profile: { capabilities: { vision: true } } };
  const other = await ask([{ text: 'I see.', usage }], { ...options, eyes: unpriced }, { messages: [shown] });
  expect(other.state.usage.eyes).toStrictEqual(usage);
  expect(told(other.events, 'spent')[0]).not.toHaveProperty('cost');
});

test('what eyes took for a request that was repaired counts, too', async () => {
  const usage = { inputTokens: 100, outputTokens: 10 };
  await using server = await scriptedServer(script(() => ({ text: 'A chart.', usage })));
  const assets = memoryAssets();
  const found = await read(chart, { assets, name: 'chart.png' });
  const shown: Message = { role: 'user', content: found.ok ? [...found.value.blocks] : [] };
  const noPictures: Step = { error: { status: 400, message: 'This model does not support image input.' } };
  const { state, models } = await ask(
    [noPictures, { text: 'I see.', usage }],
    {
      model: 'compatible/x',
      baseUrl: 'http://127.0.0.1:9/v1',
      profile: { capabilities: { vision: true } },
      eyes: { model: 'openai-chat/gpt-4.1', baseUrl: `${server.url}/v1`, apiKey: 'k' },
      assets,
      readPictures: false,
    },
    { messages: [shown] },
  );
  expect(models).toHaveLength(2);
  expect(state.usage).toMatchObject({ inputTokens: 200, eyes: usage });
});
