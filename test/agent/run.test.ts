// The loop: a model that follows a script, real tools, real pictures.
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { AgentOptions } from '../../src/agent/options.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { image } from '../../src/content/input.ts';
import type { ModelEvent } from '../../src/message/event.ts';
import type { Message } from '../../src/message/message.ts';
import { pair } from '../../src/message/pair.ts';
import type { Clock } from '../../src/model/http/clock.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import { memorySessions } from '../../src/session/index.ts';
import { defineTool } from '../../src/tool/tool.ts';

const chart = readFileSync(new URL('../../examples/chart.png', import.meta.url));
const noInput = { type: 'object' } as const;

const shot = defineTool({ name: 'shot', description: 'A picture.', input: noInput, run: () => ['Here it is.', chart] });
const slow = defineTool({
  name: 'slow',
  description: 'Waits.',
  input: noInput,
  run: (_input, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
});
const fails = defineTool({
  name: 'fails',
  description: 'Throws.',
  input: noInput,
  run: () => {
    throw new Error('no such thing');
  },
});

function start(steps: Parameters<typeof script>[0], options: Partial<AgentOptions> = {}) {
  return runAgent({
    model: 'anthropic/claude-sonnet-4-5',
    prompt: 'Look.',
    tools: [shot, slow, fails],
    ...(!options.session && { assets: memoryAssets() }),
    send: scriptedSend(script(steps)),
    ...options,
  });
}

function unrepaired(messages: readonly Message[]): void {
  expect(pair(messages).repairs).toEqual([]);
}

test('a tool is called, its picture is seen, and the answer ends the run', async () => {
  let media = 0;
  const result = await start([
    { thinking: 'I need to see it.', text: 'One moment.', calls: [{ name: 'shot' }] },
    ({ transcript }) => {
      const [last] = transcript.messages.slice(-1);
      media = Array.isArray(last?.content)
        ? last.content.filter((block) => typeof block !== 'string' && 'type' in block && block.type === 'image').length
        : 0;
      return { text: 'A chart.' };
    },
  ]).result();
  expect(result).toMatchObject({ text: 'A chart.', stop: 'end' });
  expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  expect(result.messages[2]?.content.map(({ type }) => type)).toEqual(['text', 'image']);
  expect(media).toBe(1);
  expect(result.usage.inputTokens).toBeGreaterThan(0);
  expect(result.cost).toBeGreaterThan(0);
  unrepaired(result.messages);
});

test('events tell the same story in order', async () => {
  const types: string[] = [];
  for await (const event of start([{ calls: [{ name: 'shot' }] }, { text: 'Done.' }])) types.push(event.type);
  const story = types.filter((type) => !type.startsWith('block-') && !type.startsWith('message-e'));
  expect(story).toEqual([
    'message-added',
    'step-start',
    'request-ready',
    'message-start',
    'request-accepted',
    'spent',
    'message-added',
    'call-start',
    'call-end',
    'message-added',
    'step-start',
    'request-ready',
    'message-start',
    'request-accepted',
    'spent',
    'message-added',
    'run-end',
  ]);
});

test('every call is answered once, in order, whatever becomes of it', async () => {
  const result = await start(
    [
      {
        calls: [
          { name: 'fails', id: 'a' },
          { name: 'nobody', id: 'b' },
          { name: 'shot', id: 'd' },
          { name: 'shot', id: 'e' },
        ],
      },
      { text: 'I see.' },
    ],
    { approve: (call) => call.id !== 'e' || 'not twice' },
  ).result();
  const results = result.messages.filter((message) => message.role === 'tool');
  expect(results.map(({ callId }) => callId)).toEqual(['a', 'b', 'd', 'e']);
  const words = results.map(({ content }) =>
    content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(),
  );
  expect(words[0]).toContain('no such thing');
  expect(words[1]).toContain('Unknown tool "nobody"');
  expect(words[3]).toContain('not twice');
  expect(results.map(({ isError }) => isError === true)).toEqual([true, true, false, true]);
  unrepaired(result.messages);
});

test('the time of a call is that of its tool, without the wait for a person', async () => {
  let now = 0;
  const clock: Clock = { now: () => now, after: () => () => undefined };
  const works = defineTool({ name: 'works', description: 'Works.', input: noInput, run: () => String((now += 30)) });
  const took: number[] = [];
  const run = start(
    [{ calls: [{ name: 'works', id: 'a' }, { name: 'works', id: 'b' }, { name: 'nobody', id: 'c' }] }, { text: 'Done.' }], // prettier-ignore
    { tools: [works], clock, maxCallsAtOnce: 1, approve: (call) => (now += 60_000) > 0 && call.id === 'a' },
  );
  for await (const event of run) if (event.type === 'call-end') took.push(event.ms);
  expect(took).toEqual([30, 0, 0]);
});

test('each try after the first is told when it is decided', async () => {
  const overloaded = { error: { status: 529, message: 'Overloaded' } };
  const events: AgentEvent[] = [];
  for await (const event of start([overloaded, overloaded, { text: 'Fine.' }], { random: () => 0.5 }))
    events.push(event);
  expect(events.filter(({ type }) => type === 'request-retry')).toEqual([
    { type: 'request-retry', attempt: 2, of: 3, ms: 500, why: 'Overloaded' },
    { type: 'request-retry', attempt: 3, of: 3, ms: 1000, why: 'Overloaded' },
  ]);
});

test('a call that nobody can approve is answered with the reason, and one that waits for it ends with the run', async () => {
  const broken = await start([{ calls: [{ name: 'shot' }] }, { text: 'I see.' }], {
    approve: () => Promise.reject(new Error('the window was closed')),
  }).result();
  expect(JSON.stringify(broken.messages)).toContain('This call could not be approved: the window was closed');
  unrepaired(broken.messages);

  const stopping = new AbortController();
  const waits = await start([{ calls: [{ name: 'shot' }] }], {
    signal: stopping.signal,
    approve: () => {
      stopping.abort();
      return new Promise<boolean>(() => undefined);
    },
  }).result();
  expect(waits.stop).toBe('aborted');
  unrepaired(waits.messages);
});

async function* nearlyJson(): AsyncGenerator<ModelEvent> {
  yield { type: 'message-start', model: 'x/y' } as const;
  const block = { type: 'call', id: 'a', name: 'echo', input: "{path: 'a b.png',}" } as const;
  yield { type: 'block-start', index: 0, block } as const;
  yield { type: 'block-end', index: 0, block } as const;
  yield { type: 'message-end', stop: 'calls' } as const;
}

test('arguments that are nearly JSON are mended', async () => {
  let got: unknown;
  const echo = defineTool({
    name: 'echo',
    description: 'Echoes.',
    input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    run: (input) => {
      got = input;
      return 'ok';
    },
  });
  let asked = 0;
  const done = scriptedSend(script([{ text: 'Done.' }]));
  const result = await start([], {
    tools: [echo],
    send: (...of) => (asked++ === 0 ? nearlyJson() : done(...of)),
  }).result();
  expect(got).toEqual({ path: 'a b.png' });
  expect(result.stop).toBe('end');
});

test('an abort answers open calls as cancelled and keeps what was said', async () => {
  const stop = new AbortController();
  const run = start([{ text: 'Waiting.', calls: [{ name: 'slow' }, { name: 'shot' }] }], { signal: stop.signal });
  for await (const event of run) if (event.type === 'call-start') stop.abort();
  const result = await run.result();
  expect(result.stop).toBe('aborted');
  const results = result.messages.filter((message) => message.role === 'tool');
  expect(results).toHaveLength(2);
  expect(results[0]?.content[0]).toMatchObject({ text: expect.stringContaining('Cancelled') });
  unrepaired(result.messages);
});

test('whoever stops reading the events stops the run, and its tools hear why', async () => {
  const signals: AbortSignal[] = [];
  const tool: typeof slow = {
    ...slow,
    run: (input, context) => (signals.push(context.signal), slow.run(input, context)),
  };
  const run = start([{ calls: [{ name: 'slow' }] }], { tools: [tool] });
  for await (const event of run) if (event.type === 'call-start') break;
  expect((await run.result()).stop).toBe('aborted');
  await expect.poll(() => signals.map(({ reason }) => reason)).toEqual(['Nobody reads its events any more.']);
});

test('whoever leaves while nothing is told stops the run at once, a tool that does not end among it', async () => {
  const begun = Promise.withResolvers<void>();
  const signals: AbortSignal[] = [];
  const tool: typeof slow = {
    ...slow,
    run: (input, context) => (begun.resolve(), signals.push(context.signal), slow.run(input, context)),
  };
  const run = start([{ calls: [{ name: 'slow' }] }], { tools: [tool] });
  const events = run[Symbol.asyncIterator]();
  const heard: string[] = [];
  const reading = (async () => {
    for (let next = await events.next(); next.done !== true; next = await events.next()) heard.push(next.value.type);
  })();
  await begun.promise;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await events.return?.();
  await reading;
  expect(signals.map(({ reason }) => reason)).toEqual(['Nobody reads its events any more.']);
  expect([heard.includes('call-end'), (await run.result()).stop]).toEqual([expect.any(Boolean), 'aborted']);
});

test('a run that came to its end stops nothing that a tool has left behind', async () => {
  const signals: AbortSignal[] = [];
  const leaves = defineTool({
    name: 'leaves',
    description: 'Goes on in the background.',
    input: noInput,
    run: (_input, { signal }) => (signals.push(signal), 'begun'),
  });
  const run = start([{ calls: [{ name: 'leaves' }] }, { text: 'Done.' }], { tools: [leaves] });
  for await (const event of run) expect(event.type).not.toBe('error');
  expect(await run.result()).toMatchObject({ stop: 'end', text: 'Done.' });
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

test('what a run cannot hold is told when it is made, what cannot be added when it is', () => {
  expect(() => start([], { assets: {} as never })).toThrow('The "assets" are no store');
  expect(() => start([]).add(5 as never)).toThrow(/^What is added/);
});

test('an answer that breaks off is asked for again, and not kept twice', async () => {
  const events: AgentEvent[] = [];
  const run = start([{ text: 'A long answer that never comes to its end.', cutAfter: 3 }, { text: 'Complete.' }]);
  for await (const event of run) events.push(event);
  const result = await run.result();
  expect(result).toMatchObject({ text: 'Complete.', stop: 'end' });
  expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  expect(events.some(({ type }) => type === 'step-restart')).toBe(true);
});

test('the next model takes over from the same history when one cannot be had', async () => {
  const models: string[] = [];
  const result = await start(
    ({ model, index }) => {
      models.push(model);
      return index === 0
        ? { calls: [{ name: 'shot' }] }
        : model === 'gpt-5.2'
          ? { text: 'I see a chart.' }
          : { error: { status: 401, message: 'the key has expired' } };
    },
    { model: ['anthropic/claude-sonnet-4-5', 'openai/gpt-5.2'] },
  ).result();
  expect(result).toMatchObject({ text: 'I see a chart.', stop: 'end' });
  expect(models).toEqual(['claude-sonnet-4-5', 'claude-sonnet-4-5', 'gpt-5.2']);
});

test('an error ends the run with its words and a history that can go on', async () => {
  const result = await start([{ calls: [{ name: 'shot' }] }, { error: { status: 401, message: 'no key' } }]).result();
  expect(result).toMatchObject({ stop: 'error', error: { code: 'auth' } });
  unrepaired(result.messages);
  const again = await start([{ text: 'Now I can.' }], { messages: result.messages, prompt: 'Again.' }).result();
  expect(again).toMatchObject({ text: 'Now I can.', stop: 'end' });
});

test.each([
  ['max-steps', { maxSteps: 3 }, 3],
  ['max-steps', {}, 50],
  ['max-cost', { maxCost: 0.000001 }, 1],
] as const)('%s ends a run that would go on', async (stop, limits, answers) => {
  const result = await start(() => ({ calls: [{ name: 'shot' }] }), limits).result();
  expect(result.stop).toBe(stop);
  expect(result.messages.filter(({ role }) => role === 'assistant')).toHaveLength(answers);
  unrepaired(result.messages);
});

test('a declined answer ends the run as such', async () => {
  const result = await start([{ text: 'I will not.', stop: 'declined' }]).result();
  expect(result.stop).toBe('declined');
});

test('what is said while the run goes on is read before the next answer', async () => {
  const run = start([
    { calls: [{ name: 'shot' }] },
    ({ transcript }) => ({ text: JSON.stringify(transcript.messages.at(-1)) }),
  ]);
  for await (const event of run) if (event.type === 'call-start') run.add('Hurry.');
  const result = await run.result();
  expect(result.text).toContain('Hurry.');
  expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant']);
});

test('no more calls of a tool run at once than it allows', async () => {
  let [now, most] = [0, 0];
  const single = defineTool({
    name: 'single',
    description: 'One at a time.',
    input: noInput,
    concurrency: 1,
    run: async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now--;
      return 'ok';
    },
  });
  await start([{ calls: [1, 2, 3].map(() => ({ name: 'single' })) }, { text: 'ok' }], { tools: [single] }).result();
  expect(most).toBe(1);
});

test('a session holds everything, and the next run goes on from it with the same prefix', async () => {
  await using store = memorySessions();
  const session = await store.create();
  const send = scriptedSend(script([{ calls: [{ name: 'shot' }] }, { text: 'A chart.' }, { text: 'Blue.' }]));
  await start([], { session, send }).result();
  const events: AgentEvent[] = [];
  for await (const event of start([], { session, send, prompt: 'Which colour?' })) events.push(event);
  const ready = events.find((event) => event.type === 'request-ready');
  expect(ready?.receipts.filter(({ action }) => action === 'checkpoint')).toEqual([]);
  expect((await session.messages()).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
    'assistant',
  ]);
  expect(await session.info()).toMatchObject({ media: 1, model: 'anthropic/claude-sonnet-4-5' });
});

test('a conversation that fills its window goes on with a summary', async () => {
  const asked: string[] = [];
  const usage = { inputTokens: 180_000, outputTokens: 10 };
  const run = start(
    ({ transcript, index }) => {
      asked.push(JSON.stringify(transcript.messages));
      return index === 1
        ? { text: 'They looked at a chart.' }
        : index < 2
          ? { calls: [{ name: 'shot' }], usage }
          : { text: 'Fine.' };
    },
    {
      messages: [
        { role: 'user', content: 'First.' },
        { role: 'assistant', content: 'One.', model: 'anthropic/claude-sonnet-4-5' },
        { role: 'user', content: 'Second.' },
        { role: 'assistant', content: 'Two.', model: 'anthropic/claude-sonnet-4-5' },
        { role: 'user', content: 'Third.' },
        { role: 'assistant', content: 'Three.', model: 'anthropic/claude-sonnet-4-5' },
      ],
    },
  );
  const result = await run.result();
  expect(result.summary).toMatchObject({ covers: 4 });
  expect(result.messages).toHaveLength(10);
  expect(asked[2]).toContain('They looked at a chart.');
  expect(asked[2]).not.toContain('First.');
  expect(asked[2]).toContain('Third.');
});

test('what is said while a run goes on is read by it; what is said too late is not taken', async () => {
  const run = start([{ calls: [{ name: 'shot' }] }, { text: 'Done.' }, { text: 'Read it.' }]);
  const taken: boolean[] = [];
  for await (const event of run) if (event.type === 'call-start') taken.push(run.add('And hurry.'));
  taken.push(run.add('Too late.'));
  const { messages } = await run.result();
  expect(taken).toEqual([true, false]);
  expect(JSON.stringify(messages)).toContain('And hurry.');
  expect(JSON.stringify(messages)).not.toContain('Too late.');
});

test('words that come with the last answer are answered too', async () => {
  const run = start([{ text: 'Done.' }, { text: 'Read it.' }]);
  let said = false;
  for await (const event of run) {
    if (event.type !== 'message-end' || said) continue;
    said = run.add('One more thing.');
  }
  expect((await run.result()).text).toBe('Read it.');
});

test('what a search for a refused picture cost is part of the usage', async () => {
  const usage = { inputTokens: 100, outputTokens: 2 };
  const other = await sharp(chart).resize(300).png().toBuffer();
  const refusal: ModelEvent = {
    type: 'message-error',
    code: 'media',
    message: 'Could not process image',
    retryable: false,
  };
  const spoken = scriptedSend(script(() => ({ text: 'Seen.', usage })));
  const events: AgentEvent[] = [];
  const run = start([], {
    prompt: [image(chart), image(other), 'Compare.'],
    tools: [],
    send: async function* (request, how) {
      const body = JSON.stringify(await request.json());
      if (body.includes(other.toString('base64'))) yield refusal;
      else yield* spoken(request, how);
    },
  });
  for await (const event of run) events.push(event);
  const result = await run.result();
  expect(events.filter(({ type }) => type === 'request-probed')).toHaveLength(1);
  expect(result).toMatchObject({ stop: 'end', text: 'Seen.', usage: { inputTokens: 200, outputTokens: 4 } });
});

test('a second run in a session waits for one that was stopped, and is refused beside one that goes on', async () => {
  await using store = memorySessions();
  const session = await store.create();
  const waits = { calls: [{ name: 'slow' }] };
  const stop = new AbortController();
  const first = start([waits], { session, signal: stop.signal });
  let second: Awaited<ReturnType<typeof first.result>> | undefined;
  for await (const event of first) {
    if (event.type !== 'call-start') continue;
    second = await start([{ text: 'mixed up' }], { session, prompt: 'Meanwhile.' }).result();
    stop.abort();
  }
  expect(second).toMatchObject({
    stop: 'error',
    error: { message: expect.stringContaining('A run goes on in session') },
  });
  expect(JSON.stringify(await session.messages())).not.toContain('Meanwhile');
  for await (const event of start([waits], { session })) if (event.type === 'call-start') break;
  const after = await start([{ text: 'In turn.' }], { session, prompt: 'And now?' }).result();
  expect(after).toMatchObject({ stop: 'end', text: 'In turn.' });
  const roles = (await session.messages()).map(({ role }) => role);
  expect(roles).toEqual(['user', 'assistant', 'tool', 'user', 'assistant', 'tool', 'user', 'assistant']);
});
