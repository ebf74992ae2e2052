// Every call is answered exactly once, in order, whatever its tool does.
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Block, CallBlock } from '../../src/content/block.ts';
import { cancelledCall } from '../../src/content/words.ts';
import { image, text } from '../../src/content/input.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { RunOptions } from '../../src/tool/invoke.ts';
import { invokeCall, invokeCalls } from '../../src/tool/invoke.ts';
import type { ToolMessage } from '../../src/tool/result.ts';
import type { Tool, ToolContext } from '../../src/tool/tool.ts';
import { defineTool } from '../../src/tool/tool.ts';
import * as toolbox from '../../src/toolbox/invoke.ts';
import { base64, holds, picture } from './samples.ts';
import { mark, shape, wordsOf } from './shape.ts';
import { openTestIntake } from './test-intake.ts';

const input = { type: 'object' } as const;

function tool(name: string, run: (given: unknown, context: ToolContext) => unknown): Tool {
  return defineTool({ name, description: name, input, run });
}

const call = (name: string, given: unknown = {}, id = `call_${name}`): CallBlock => ({
  type: 'call',
  id,
  name,
  input: given,
});
const never = tool('never', () => new Promise(() => undefined));
const fails = (): never => {
  throw new Error('a bug elsewhere');
};
const hello = tool('hello', () => 'hello');

function optionsFor(tools: readonly Tool[], more: Partial<RunOptions> = {}): RunOptions {
  return { tools, ...openTestIntake(), ...more };
}

const run = (calls: readonly Block[], tools: readonly Tool[], more: Partial<RunOptions> = {}): Promise<ToolMessage[]> =>
  invokeCalls({ content: calls }, optionsFor(tools, more));

/** The words of one answer. */
function said(answers: readonly ToolMessage[], at = 0): string {
  const answer = answers[at];
  return answer ? wordsOf(answer) : 'no answer';
}

const marks: RunOptions['approve'] = (asked) => {
  Object.assign(asked.input as object, { seen: true });
  return true;
};

test('a tool that changes its input, or a person who does before it runs, changes no call of the conversation', async () => {
  const seen: unknown[] = [];
  const change = tool('change', (given) => {
    const own = given as { path?: string; deep: { n?: number } };
    delete own.path;
    own.deep.n ??= 5;
    seen.push(given);
  });
  const calls = [call('change', { path: 'a.png', deep: {} })];
  const context = { type: 'object', properties: {} } as const;
  const checksItself = defineTool({
    ...change,
    name: 'checks',
    input: z.looseObject({}),
    run: (given) => change.run(given, context as never),
  });
  await run(calls, [change], { approve: marks });
  await run([{ ...calls[0], name: 'checks' } as CallBlock], [checksItself]);
  expect(calls).toEqual([call('change', { path: 'a.png', deep: {} })]);
  expect(seen).toEqual([{ deep: { n: 5 }, seen: true }, { deep: { n: 5 } }]);
});

test('answers stand in the order of the calls, however long each takes', async () => {
  const delays = [30, 0, 15, 5];
  const tools = delays.map((delay, at) => tool(`t${at}`, async () => (await wait(delay), `after ${delay}`)));
  const calls: Block[] = [
    { type: 'text', text: 'Let me look.' },
    ...tools.map(({ name }) => call(name)),
    { type: 'thinking', text: 'hm' },
  ];
  const answers = await run(calls, tools);
  expect(answers.map(({ callId }) => callId)).toEqual(['call_t0', 'call_t1', 'call_t2', 'call_t3']);
  expect(answers.map((answer) => shape(answer)[0])).toEqual(delays.map((delay) => `after ${delay}`));
  expect(answers[0]).toEqual({
    role: 'tool',
    callId: 'call_t0',
    name: 't0',
    content: [{ type: 'text', text: 'after 30' }],
  });
});

test('calls run side by side: each may wait for the other', async () => {
  const meet = Promise.withResolvers<string>();
  const waits = tool('waits', () => meet.promise);
  const comes = tool('comes', () => (meet.resolve('met'), 'came'));
  expect((await run([call('waits'), call('comes')], [waits, comes])).map((answer) => shape(answer)[0])).toEqual([
    'met',
    'came',
  ]);
});

test('the same tool may be called many times, even under one id', async () => {
  let count = 0;
  const counter = tool('counter', () => ++count);
  const answers = await run([call('counter', {}, 'a'), call('counter', {}, 'b'), call('counter', {}, 'b')], [counter]);
  expect(answers.map(({ callId }) => callId)).toEqual(['a', 'b', 'b']);
  expect(count).toBe(3);
});

test('a message without calls has no answers', async () => {
  expect(await run([{ type: 'text', text: 'hi' }], [hello])).toEqual([]);
  expect(await run([], [])).toEqual([]);
});

test('a tool gets its input, its call id, a signal and the store', async () => {
  const { intake, assets } = openTestIntake();
  const seen: unknown[] = [];
  const spy = tool(
    'spy',
    (given, context) => void seen.push(given, context.callId, context.signal.aborted, context.assets === assets),
  );
  await invokeCalls({ content: [call('spy', { a: 1 }, 'id1')] }, { tools: [spy], intake, assets });
  expect(seen).toEqual([{ a: 1 }, 'id1', false, true]);
});

describe('a call that cannot be served', () => {
  test('because its tool is unknown is told the names of all tools', async () => {
    const [answer] = await run([call('helo')], [hello, never]);
    expect(answer).toMatchObject({ role: 'tool', callId: 'call_helo', name: 'helo', isError: true });
    for (const name of ['helo', 'hello', 'never']) expect(answer && wordsOf(answer)).toContain(name);
  });

  test('because there are no tools is told so', async () => {
    expect(await run([call('hello')], [])).toMatchObject([{ isError: true }]);
  });

  test('because its arguments are wrong is told which, and its tool does not run', async () => {
    let ran = false;
    const strict = defineTool({
      name: 'strict',
      description: 'x',
      input: z.object({ width: z.number() }),
      run: () => (ran = true),
    });
    for (const wrong of [{}, { width: 'wide' }, null, undefined, 'text', []]) {
      const [answer] = await run([call('strict', wrong, 'c'), call('hello')], [strict, hello]);
      expect(answer).toMatchObject({ callId: 'c', isError: true });
      expect(answer && wordsOf(answer)).toMatch(/strict/);
    }
    const [answer] = await run([call('strict', { width: 'wide' })], [strict]);
    expect(answer && wordsOf(answer)).toMatch(/width/);
    expect(ran).toBe(false);
  });

  test('because its schema fails itself is answered all the same', async () => {
    const schema = {
      '~standard': { version: 1, vendor: 'x', validate: fails, jsonSchema: { input: () => ({ type: 'object' }) } },
    } as const;
    const broken = defineTool({ name: 'broken', description: 'x', input: schema, run: () => 'ok' });
    expect(await run([call('broken')], [broken])).toMatchObject([{ callId: 'call_broken', isError: true }]);
  });
});

describe('a tool that fails', () => {
  const rows: readonly (readonly [string, unknown, RegExp])[] = [
    ['an Error', new Error('disk full'), /^Error: disk full$/],
    ['an Error without words', new RangeError(), /RangeError/],
    ['a string', 'disk full', /disk full/],
    ['an object with a message', { message: 'disk full', code: 28 }, /disk full/],
    ['an object without a message', { code: 'ENOSPC' }, /ENOSPC/],
    ['undefined', undefined, /\S/],
    ['null', null, /\S/],
    ['a symbol', Symbol('x'), /\S/],
    ['an object that has no words at all', Object.create(null), /\S/],
    ['several errors', new AggregateError([new Error('disk full'), new Error('no net')], 'All failed'), /All failed/],
    ['half a character', new Error('a\ud83d'), /^Error: a\ufffd$/],
  ];

  test.each(rows)('by throwing %s is told to the model', async (_name, thrown, wanted) => {
    const throws = tool('throws', () => {
      throw thrown;
    });
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- tools reject with anything
    const rejects = tool('rejects', () => Promise.reject(thrown));
    const answers = await run([call('throws'), call('hello'), call('rejects')], [throws, rejects, hello]);
    expect(answers.map(({ isError }) => isError)).toEqual([true, undefined, true]);
    for (const answer of [answers[0], answers[2]]) {
      expect(answer && wordsOf(answer)).toMatch(wanted);
      expect(answer && wordsOf(answer)).not.toContain('[object Object]');
    }
  });

  test('with a picture in its message does not send its letters', async () => {
    const throws = tool('throws', () => {
      throw new Error(`cannot parse ${base64(picture)} here`);
    });
    const [answer] = await run([call('throws')], [throws]);
    expect(answer && holds(wordsOf(answer), picture)).toBe(false);
  });

  test('does not fail because somebody who watches its progress does', async () => {
    const chatty = tool('chatty', (_given, { progress }) => (progress('half'), 'done'));
    const [answer] = await run([call('chatty')], [chatty], { progress: fails });
    expect(answer && shape(answer)).toEqual(['done']);
  });
});

test('progress is told with the call it belongs to', async () => {
  const told: [string, string][] = [];
  const chatty = tool('chatty', async (_given, { progress, callId }) => {
    progress(`${callId} one`);
    await wait(1);
    progress(`${callId} two`);
    return 'done';
  });
  await run([call('chatty', {}, 'a'), call('chatty', {}, 'b')], [chatty], {
    progress: ({ id }, message) => told.push([id, message]),
  });
  expect(told.toSorted(([, a], [, b]) => a.localeCompare(b))).toEqual([
    ['a', 'a one'],
    ['a', 'a two'],
    ['b', 'b one'],
    ['b', 'b two'],
  ]);
});

describe('when the run is stopped', () => {
  const cancelled = { isError: true, content: [{ type: 'text', text: cancelledCall }] };

  test('a tool that never ends is answered as cancelled, the finished ones keep their results', async () => {
    const controller = new AbortController();
    const stuck = tool('never', async () => {
      await turn(); // by then the others are done
      controller.abort();
      return new Promise(() => undefined);
    });
    const answers = await run([call('hello'), call('never'), call('hello', {}, 'c')], [hello, stuck], {
      signal: controller.signal,
    });
    expect(answers).toMatchObject([
      { content: [{ text: 'hello' }] },
      { callId: 'call_never', name: 'never', ...cancelled },
      { callId: 'c', content: [{ text: 'hello' }] },
    ]);
  });

  test('before it began, no tool runs and every call is answered', async () => {
    let ran = 0;
    const counts = tool('counts', () => ++ran);
    const answers = await run([call('counts', {}, 'a'), call('counts', {}, 'b')], [counts], {
      signal: AbortSignal.abort(),
    });
    expect(answers).toMatchObject([
      { callId: 'a', ...cancelled },
      { callId: 'b', ...cancelled },
    ]);
    expect(ran).toBe(0);
  });

  test('by one of its own tools, the others are answered', async () => {
    for (const late of [false, true]) {
      const controller = new AbortController();
      const stops = tool('stops', async () => {
        if (late) await wait(5);
        controller.abort();
        return new Promise(() => undefined);
      });
      const answers = await run([call('stops'), call('never')], [stops, never], { signal: controller.signal });
      expect(answers).toMatchObject([
        { callId: 'call_stops', ...cancelled },
        { callId: 'call_never', ...cancelled },
      ]);
    }
  });

  test('while arguments are being checked, the tool does not run', async () => {
    const controller = new AbortController();
    let ran = false;
    const checking = defineTool({
      name: 'checking',
      description: 'x',
      input: z.object({}).refine(async () => (controller.abort(), true)),
      run: () => ((ran = true), new Promise(() => undefined)),
    });
    expect(await run([call('checking')], [checking], { signal: controller.signal })).toMatchObject([cancelled]);
    expect(ran).toBe(false);
  });

  test('while a check of arguments never ends, the call is answered', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 10);
    const stuck = defineTool({
      name: 'stuck',
      description: 'x',
      input: z.object({}).refine(() => new Promise<boolean>(() => undefined)),
      run: () => 'ok',
    });
    expect(await run([call('stuck')], [stuck], { signal: controller.signal })).toMatchObject([cancelled]);
  });

  test('while nobody says whether a call needs approval, it is answered', async () => {
    const controller = new AbortController();
    const asks = defineTool({
      name: 'asks',
      description: 'x',
      approve: () => {
        controller.abort();
        return new Promise<boolean>(() => undefined);
      },
      run: () => 'ok',
    });
    expect(await run([call('asks')], [asks], { signal: controller.signal })).toMatchObject([cancelled]);
  });

  test('while a stream without an end comes in, it is let go', async () => {
    const controller = new AbortController();
    let letGo = false;
    const camera = tool('camera', () => {
      const frames = new ReadableStream({ pull: () => wait(1), cancel: () => void (letGo = true) });
      setImmediate(() => controller.abort());
      return new Response(frames);
    });
    expect(await run([call('camera')], [camera], { signal: controller.signal })).toMatchObject([cancelled]);
    await expect.poll(() => letGo).toBe(true);
  });

  test('while a response is still coming in, the call is answered', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 10);
    const endless = tool(
      'endless',
      () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) })),
    );
    expect(await run([call('endless')], [endless], { signal: controller.signal })).toMatchObject([cancelled]);
  });

  test('a tool that listens hears it, and what it throws then is no error of its own', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 10);
    const listens = tool('listens', (_given, { signal }) => wait(10_000, 'late', { signal }));
    expect(await run([call('listens')], [listens], { signal: controller.signal })).toMatchObject([cancelled]);
  });

  test('a tool that fails later fails silently', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', listen);
    const controller = new AbortController();
    const answered = Promise.withResolvers<void>();
    const late = tool('late', async () => {
      controller.abort();
      await answered.promise;
      throw new Error('too late');
    });
    expect(await run([call('late')], [late], { signal: controller.signal })).toMatchObject([cancelled]);
    answered.resolve();
    await turn(); // by then it has thrown, and Node has told whoever listens
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });

  test('after all calls were answered, nothing changes and no listener stays', async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>): void => (listeners++, add(...given));
    signal.removeEventListener = (...given: Parameters<typeof remove>): void => (listeners--, remove(...given));
    const answers = await run([call('hello')], [hello], { signal });
    await wait(1);
    controller.abort();
    expect(answers).toMatchObject([{ content: [{ text: 'hello' }] }]);
    expect(listeners).toBe(0);
  });
});

describe('a screenshot tool', () => {
  const shots: readonly (readonly [string, () => unknown])[] = [
    ['blocks', () => [text('Screenshot captured successfully!'), image(picture.bytes)]],
    [
      'blocks of Anthropic',
      () => [
        { type: 'text', text: 'Screenshot captured successfully!' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64(picture) } },
      ],
    ],
    ['an outcome', () => ({ output: 'Screenshot captured successfully!', base64_image: base64(picture) })],
    [
      'a result',
      () => ({
        content: [
          { type: 'text', text: 'Screenshot captured successfully!' },
          { type: 'image', data: base64(picture), mimeType: 'image/png' },
        ],
      }),
    ],
  ];

  test.each(shots)('that returns %s gives text, then a picture whose bytes are in the store', async (_name, shoot) => {
    const { intake, assets } = openTestIntake();
    const answer = await invokeCall(call('screenshot'), { tools: [tool('screenshot', shoot)], intake, assets });
    expect(shape(answer)).toEqual(['Screenshot captured successfully!', mark(picture)]);
    const [, shot] = answer.content;
    const stored = shot?.type === 'image' ? await assets.get(shot.asset.id) : undefined;
    expect(Buffer.from(stored ?? []).equals(picture.bytes)).toBe(true);
    expect(holds(JSON.stringify(answer), picture)).toBe(false);
  });

  test('is served by the real intake too, with a store or without', async () => {
    const shoot = tool('screenshot', () => [text('Screenshot captured successfully!'), image(picture.bytes)]);
    const assets = memoryAssets();
    const answers = await toolbox.invokeTools(
      { content: [call('screenshot'), call('nothing')] },
      { tools: [shoot], assets },
    );
    expect(answers.map(shape)).toMatchObject([
      ['Screenshot captured successfully!', mark(picture)],
      [expect.stringMatching(/nothing/)],
    ]);
    expect(await assets.missing([picture.id])).toEqual(new Set());
    expect(shape(await toolbox.invokeTool(call('screenshot'), { tools: [shoot] }))).toEqual([
      'Screenshot captured successfully!',
      mark(picture),
    ]);
    expect(shape(await toolbox.normalise(picture.bytes, { assets }))[1]).toBe(mark(picture));
  });

  test('cannot name a file outside the working directory', async () => {
    const peeks = tool('peeks', () => [
      text('Here'),
      image({ path: '/etc/hostname' }),
      image({ path: '../../../../etc/hostname' }),
    ]);
    const [answer] = await toolbox.invokeTools(
      { content: [call('peeks')] },
      { tools: [peeks], assets: memoryAssets() },
    );
    expect(answer && shape(answer)).toMatchObject([
      'Here',
      expect.stringMatching(/outside|not exist/),
      expect.stringMatching(/outside|not exist/),
    ]);
    expect(answer && wordsOf(answer)).not.toContain('/etc');
  });
});

test('a call that takes longer than its tool allows is stopped and told so; the others go on', async () => {
  let heard: unknown;
  const slow = defineTool({
    name: 'slow',
    description: 'Never ends.',
    timeoutMs: 5,
    run: (_given, { signal }) => {
      signal.addEventListener('abort', () => (heard = signal.reason));
      return new Promise(() => undefined);
    },
  });
  const answers = await run([call('slow'), call('hello')], [slow, hello]);
  expect(answers[0]).toMatchObject({ isError: true });
  expect(said(answers)).toBe('The call of "slow" was stopped: it took longer than 5 ms, its limit.');
  expect(said(answers, 1)).toBe('hello');
  expect(heard).toMatchObject({ name: 'TimeoutError' });
});

test.each([Infinity, 2 ** 40, 60_000.5])('a tool that may take %s ms runs', async (timeoutMs) => {
  const patient = defineTool({ name: 'patient', description: 'Waits.', timeoutMs, run: () => wait(5, 'done') });
  expect(said(await run([call('patient')], [patient]))).toBe('done');
});

test('as many calls at once as nobody can say are one at a time', async () => {
  const answers = await run([call('hello'), call('hello', {}, '2')], [hello], { maxCallsAtOnce: Number.NaN });
  expect(answers).toHaveLength(2);
});

test('a run that is stopped says so, not that time was over', async () => {
  const slow = { ...never, timeoutMs: 60_000 };
  expect(said(await run([call('never')], [slow], { signal: AbortSignal.timeout(1) }))).toBe(cancelledCall);
});

const risky = (approve: boolean | ((given: { path?: string }) => boolean)): Tool =>
  defineTool({
    name: 'remove',
    description: 'Removes.',
    input: { type: 'object', properties: { path: { type: 'string' } } },
    approve,
    run: () => 'removed',
  });
const asked = async (given: Tool, answer?: boolean | string, path: unknown = { path: 'a' }): Promise<string> => {
  const verdict = answer === undefined ? {} : { approve: () => answer };
  return said(await run([call('remove', path)], [given], verdict));
};

describe('approval', () => {
  test('is needed where the tool says so, by its input too', async () => {
    expect(await asked(risky(true))).toMatch(/^Calls of "remove" need the approval of a person/);
    expect(await asked(risky(true), true)).toBe('removed');
    expect(await asked(risky(true), 'not now')).toBe('The user did not allow this call: not now');
    const ofAll = risky(({ path }) => path === '/');
    expect(await asked(ofAll, false)).toBe('removed');
    expect(await asked(ofAll, false, { path: '/' })).toBe('The user did not allow this call.');
  });

  test('is not asked for where the tool says so, nor for arguments that do not fit', async () => {
    expect(await asked(risky(false), false)).toBe('removed');
    const wrong = await run([call('remove', { path: 5 })], [risky(true)], { approve: fails });
    expect(said(wrong)).toMatch(/do not fit/); // asked, it would have thrown
  });

  test('is given for what the schema made of the arguments', async () => {
    const seen: unknown[] = [];
    const dated = defineTool({
      name: 'dated',
      description: 'Takes a day.',
      input: z.object({ day: z.string().transform((day) => new Date(day)) }),
      run: ({ day }) => day.getUTCFullYear(),
    });
    const approve = ({ input: given }: CallBlock): boolean => seen.push(given) > 0;
    const answers = await run([call('dated', { day: '2026-11-15' })], [dated], { approve });
    expect([said(answers), seen]).toEqual(['2026', [{ day: new Date('2026-11-15') }]]);
  });
});

const told = async (steps: (given: unknown, context: ToolContext) => unknown): Promise<[unknown[], ToolMessage]> => {
  const progress: unknown[] = [];
  const note = (_call: CallBlock, words: string, content?: Block[]): unknown =>
    progress.push(content ? content.map(({ type }) => type) : words);
  const [answer] = await run([call('steps')], [tool('steps', steps)], { progress: note });
  if (!answer) throw new Error('no answer');
  return [progress, answer];
};

describe('a generator', () => {
  test('tells its yields as progress, and its last value is the result', async () => {
    const yielded = await told(async function* () {
      yield 'loading';
      await turn();
      yield [3];
    });
    expect([yielded[0], wordsOf(yielded[1])]).toEqual([['loading', '[\n  3\n]'], '[\n  3\n]']);
    const returned = await told(function* () {
      yield 'loading';
      return 'done';
    });
    expect([returned[0], wordsOf(returned[1])]).toEqual([['loading'], 'done']);
  });

  test('shows a picture before it is done', async () => {
    const [progress, answer] = await told(function* () {
      yield picture;
      return 'done';
    });
    expect([progress, wordsOf(answer)]).toEqual([[['text', 'image']], 'done']);
  });

  test('that throws is told like any other error, and one that is stopped cleans up', async () => {
    const [, failed] = await told(function* () {
      yield 'loading';
      throw new Error('no more rows');
    });
    expect(failed).toMatchObject({ isError: true });
    expect(wordsOf(failed)).toContain('no more rows');
    const stop = new AbortController();
    let closed = false;
    const endless = tool('endless', async function* () {
      try {
        for (;;) {
          yield 'more';
          stop.abort();
          await turn();
        }
      } finally {
        closed = true;
      }
    });
    expect(said(await run([call('endless')], [endless], { signal: stop.signal }))).toBe(cancelledCall);
    await expect.poll(() => closed).toBe(true);
  });

  test('is not what merely can be gone through', async () => {
    const [progress] = await told(() => new Map([['a', 1]]).keys());
    expect(progress).toEqual([]);
  });
});

test('a tool is told what the program gave for it', async () => {
  const whoami = tool('whoami', (_given, { context }) => (context as { user: string }).user);
  expect(said(await run([call('whoami')], [whoami], { context: { user: 'ada' } }))).toBe('ada');
});

test.each([
  ['16 unless set', {}, 16],
  ['as many as the program says', { maxCallsAtOnce: 3 }, 3],
])('calls at once, of all tools together: %s', async (_name, more, most) => {
  let [now, peak] = [0, 0];
  const busy = async (): Promise<string> => {
    peak = Math.max(peak, ++now);
    await turn();
    now--;
    return 'ok';
  };
  const tools = [tool('a', busy), tool('b', busy)];
  const calls = Array.from({ length: 40 }, (_, at) => call(at % 2 === 0 ? 'a' : 'b', {}, `call_${at}`));
  const answers = await run(calls, tools, more);
  expect(answers.map(({ callId }) => callId)).toEqual(calls.map(({ id }) => id));
  expect(peak).toBe(most);
});

test("a tool that steers one screen holds up nobody else, in a loop of one's own too", async () => {
  const order: string[] = [];
  const note = (name: string) => async (): Promise<void> => {
    order.push(`${name} begins`);
    await turn();
    order.push(`${name} ends`);
  };
  const screen = { ...tool('screen', note('screen')), concurrency: 1 };
  await run([call('screen', {}, '1'), call('screen', {}, '2'), call('other')], [screen, tool('other', note('other'))]);
  expect(order.slice(0, 2)).toEqual(['screen begins', 'other begins']);
  expect(order.filter((step) => step.startsWith('screen'))).toEqual([
    'screen begins',
    'screen ends',
    'screen begins',
    'screen ends',
  ]);
});
