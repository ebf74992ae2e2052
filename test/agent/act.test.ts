// `act()`: programs written for Scrapybara's SDK run as they are.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { act, actStream } from '../../src/agent/act.ts';
import type { ActOptions, ActStep } from '../../src/agent/act.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { isMedia } from '../../src/content/block.ts';
import type { Answer, Asked, Step } from '../../src/model/script/index.ts';
import { script, scriptedSend, scriptedServer } from '../../src/model/script/index.ts';
import { defineTool } from '../../src/tool/tool.ts';

const chart = readFileSync(new URL('../../examples/chart.png', import.meta.url)).toString('base64');

/** As that SDK's `computerTool` answers: a JSON string with a picture in it. */
const computer = {
  name: 'computer',
  description: 'The screen.',
  parameters: z.object({ action: z.string() }),
  execute: async ({ action }: { action: string }) =>
    JSON.stringify({ output: `did ${action}`, error: '', base64_image: chart, system: null }),
};

const click = (id: string): Step => ({ calls: [{ name: 'computer', input: { action: 'click' }, id }] });

function options(steps: Parameters<typeof script>[0], more: Partial<ActOptions> = {}): ActOptions {
  return {
    model: 'anthropic/claude-sonnet-4-5',
    prompt: 'Go.',
    tools: [computer],
    assets: memoryAssets(),
    send: scriptedSend(script(steps)),
    ...more,
  };
}

function picturesIn({ transcript }: Asked): number {
  const blocks = transcript.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return blocks.filter((block) => typeof block === 'object' && isMedia(block)).length;
}

test('every step has its text, its reasoning, its calls and their full results', async () => {
  const steps: ActStep[] = [];
  const heard: string[] = [];
  const result = await act({
    ...options([
      { thinking: 'Look first.', text: 'One moment.', calls: [{ name: 'computer', input: { action: 'click' } }] },
      { text: 'Done.' },
    ]),
    onStep: (step) => void steps.push(step),
    onAssistantMessage: () => void heard.push('assistant'),
    onToolMessage: ({ name }) => void heard.push(name),
  });
  expect(result).toMatchObject({ text: 'Done.', stop: 'end', steps });
  expect(steps).toMatchObject([
    { text: 'One moment.', reasoning: 'Look first.', finishReason: 'tool-calls', toolCalls: [{ name: 'computer' }] },
    { text: 'Done.', finishReason: 'stop', toolCalls: [], toolResults: [] },
  ]);
  expect(steps[0]?.toolResults[0]?.content.map(({ type }) => type)).toEqual(['text', 'image']);
  expect(JSON.stringify(steps[0]?.toolResults[0]?.content)).toContain('did click');
  const [given] = steps[0]?.toolResults ?? [];
  const named = { toolCallId: given?.callId, toolName: 'computer', isError: false };
  expect(given).toMatchObject({ ...named, result: expect.anything() as object });
  expect(JSON.stringify(given?.result)).toContain(chart.slice(0, 40));
  expect(heard).toEqual(['assistant', 'computer', 'assistant']);
  expect(result.usage.inputTokens).toBeGreaterThan(0);
});

test('the four newest pictures are kept unless more are asked for', async () => {
  const seen: number[] = [];
  const five = ['a', 'b', 'c', 'd', 'e', 'f'].map(click);
  const counting: Step = (asked) => {
    seen.push(picturesIn(asked));
    return { text: 'Done.' };
  };
  await act(options([...five, counting]));
  for (const imagesToKeep of [2, 1, 0]) await act(options([...five, counting], { imagesToKeep }));
  await act(options([...five, counting], { imagesToKeep: 2, strict: false }));
  expect(seen).toEqual([4, 2, 1, 0, 6]);
});

test.each<[string, Partial<ActOptions>, string[]]>([
  ['are looked at briefly', {}, ['low']],
  ['are looked at as the program says', { profile: { imageDetail: 'original' } }, ['high']],
  ['are looked at as the program says of one model', { model: { model: 'openai-chat/gpt-4.1', profile: { imageDetail: 'auto' } } }, ['auto']],
])('pictures of the screen %s', async (_name, more, expected) => {
  const model = 'openai-chat/gpt-4.1';
  const details: unknown[] = [];
  const send = scriptedSend(script([click('a'), { text: 'Done.' }]));
  await act({
    ...options([]),
    model,
    send: async function* (request, how) {
      for (const item of request.plan.items)
        if (item.role === 'batch') details.push(...item.after.flatMap((block) => (block.type === 'image' ? [block.detail] : [])));
      yield* send(request, how);
    },
    ...more,
  });
  expect(details).toEqual(expected);
}); // prettier-ignore

test('pictures of other tools, and of a tool that says how closely, are looked at as ever', async () => {
  const details: unknown[] = [];
  const own = defineTool({ name: 'own', description: '', input: z.object({}), run: () => Buffer.from(chart, 'base64') });
  const close = { ...computer, name: 'close', execute: async () => ({ type: 'image', data: chart, detail: 'high' }) };
  const result = await act(
    options([{ calls: [{ name: 'own' }, { name: 'close', input: { action: 'zoom' } }] }, { text: 'Done.' }], {
      tools: [own, close],
    }),
  );
  for (const { toolResults } of result.steps)
    for (const { content } of toolResults)
      details.push(...content.flatMap((block) => (block.type === 'image' ? [block.detail] : [])));
  expect(details).toEqual([undefined, 'high']);
}); // prettier-ignore

test('an answer in a form of its own is the output, and nothing is asked after it', async () => {
  let asked = 0;
  const result = await act({
    ...options(() => {
      asked += 1;
      if (asked === 1) return { text: 'It is 42.' };
      return { text: JSON.stringify({ answer: asked === 2 ? 'no number' : 42 }) };
    }),
    schema: z.object({ answer: z.number() }),
  });
  // Words alone and what does not fit are told so and asked for again, and what fits ends the run.
  expect(result.output?.answer).toBe(42);
  expect(result).toMatchObject({ stop: 'end', text: '{"answer":42}' });
  expect(asked).toBe(3);
  expect(result.steps).toHaveLength(3);
});

test('messages made of its parts are understood', async () => {
  let given: Asked | undefined;
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'image', image: chart, mimeType: 'image/png' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', reasoning: 'Two clicks.' },
        { type: 'text', text: 'Clicking.' },
        { type: 'tool-call', id: 'x', toolCallId: 'c1', toolName: 'computer', args: { action: 'a' } },
        { type: 'tool-call', id: 'y', toolCallId: 'c2', toolName: 'computer', args: { action: 'b' } },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c1', toolName: 'computer', result: { output: 'one', base64Image: chart } },
        { type: 'tool-result', toolCallId: 'c2', toolName: 'computer', result: 'failed to click', isError: true },
      ],
    },
  ];
  const result = await act(
    options(
      (asked) => {
        given = asked;
        return { text: 'Seen.' };
      },
      { messages, prompt: 'And?' },
    ),
  );
  expect(result).toMatchObject({ text: 'Seen.', stop: 'end' });
  const tools = result.messages.filter((message) => message.role === 'tool');
  expect(tools.map(({ callId, isError }) => [callId, isError === true])).toEqual([
    ['c1', false],
    ['c2', true],
  ]);
  expect(tools[0]?.content.map(({ type }) => type)).toContain('image');
  expect(given && picturesIn(given)).toBe(2);
});

test('messages that are none are refused with their place', async () => {
  await expect(act(options([], { messages: [{ role: 'robot', content: 'x' }] }))).rejects.toThrow(/messages\[0\]/);
});

test('steps come one at a time, and whoever stops reading stops the run', async () => {
  const calls: string[] = [];
  for await (const step of actStream(options([click('a'), click('b'), { text: 'Done.' }]))) {
    calls.push(...step.toolCalls.map(({ id }) => id));
    break;
  }
  expect(calls).toEqual(['a']);
});

test.each([
  [
    { provider: 'anthropic', name: 'claude-3-7-sonnet-20250219', apiKey: 'sk-own' },
    'claude-3-7-sonnet-20250219',
    false,
  ],
  [
    { provider: 'anthropic', name: 'claude-sonnet-4-20250514-thinking', apiKey: 'sk-own' },
    'claude-sonnet-4-20250514',
    true,
  ],
  [{ provider: 'openai', name: 'computer-use-preview', apiKey: 'sk-own' }, 'computer-use-preview', false],
])('a model as that SDK makes it: %o', async (model, name, thinks) => {
  await using server = await scriptedServer(script([{ text: 'Done.' }]));
  const baseUrl = model.provider === 'openai' ? `${server.url}/v1` : server.url;
  const result = await act({ model, baseUrl, prompt: 'Go.', tools: [computer], assets: memoryAssets() });
  expect(result).toMatchObject({ text: 'Done.', stop: 'end' });
  const [asked] = server.requests;
  expect(asked?.body).toMatchObject({ model: name });
  expect(JSON.stringify(asked?.headers)).toContain('sk-own');
  expect(JSON.stringify(asked?.body).includes('"thinking":{')).toBe(thinks);
});

test.each<[string, Step[], string[], string]>([
  ['its length', [{ text: 'It is', stop: 'length' }], ['length'], 'length'],
  ['a refusal', [{ text: 'No.', stop: 'declined' }], ['content-filter'], 'declined'],
  ['a pause, and then its end', [{ text: 'One.', stop: 'paused' }, { text: 'Two.' }], ['other', 'stop'], 'end'],
  ['a break', [1, 2, 3].map(() => ({ text: 'A long answer that breaks.', cutAfter: 4 })), ['error'], 'error'],
])("an answer that ends by %s says so in that SDK's words", async (_name, answers, reasons, stop) => {
  const result = await act(options(answers));
  expect(result.steps.map(({ finishReason }) => finishReason)).toEqual(reasons);
  expect(result.stop).toBe(stop);
  expect(result).not.toHaveProperty('output');
  expect('error' in result).toBe(stop === 'error');
});

const clicksOn = (): Answer => ({ calls: [{ name: 'computer', input: { action: 'click' } }] });

test('its steps may be counted and a signal stops it, and every call is answered', async () => {
  const counted = await act(options(clicksOn, { maxSteps: 2 }));
  expect(counted).toMatchObject({ stop: 'max-steps', steps: [{ toolCalls: [{}] }, { toolCalls: [{}] }] });
  expect(counted.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
  const stop = new AbortController();
  const stopped = await act(options(clicksOn, { signal: stop.signal, onStep: () => stop.abort() }));
  expect(stopped).toMatchObject({ stop: 'aborted', steps: [{ toolResults: [{ toolName: 'computer' }] }] });
});

test('a step holds all words of its answer, what it took, and nothing that nobody said', async () => {
  const usage = { inputTokens: 7, outputTokens: 3 };
  const asked = options([
    { calls: [{ name: 'computer', input: { action: 'click' } }], thinking: 'Hm.', text: 'One.', usage },
    { text: 'Two.' },
  ]);
  const result = await act(asked);
  expect(result.steps[0]).toMatchObject({ text: 'One.', reasoning: 'Hm.', usage });
  expect(result.steps[1]).toEqual({
    text: 'Two.',
    reasoning: '',
    toolCalls: [],
    toolResults: [],
    finishReason: 'stop',
    usage: result.steps[1]?.usage,
  });
  expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
});

test('the value of a tool is that of its own call; of our tools it is what they keep for screens', async () => {
  let count = 0;
  const counts = { ...computer, execute: async () => ++count };
  const own = defineTool({ name: 'own', description: '', input: z.object({}), run: () => ({ deep: { value: 1 } }) });
  const quiet = defineTool({ name: 'quiet', description: '', input: z.object({}), run: () => 'words' });
  const calls = [
    ...['a', 'b'].map((id) => ({ name: 'computer', input: { action: 'x' }, id })),
    { name: 'own' },
    { name: 'quiet' },
  ];
  const { steps } = await act(options([{ calls }, { text: 'Done.' }], { tools: [counts, own, quiet] }));
  const results = steps[0]?.toolResults ?? [];
  expect(results.map(({ toolCallId, toolName, result }) => [toolCallId, toolName, result])).toEqual([
    ['a', 'computer', 1],
    ['b', 'computer', 2],
    [results[2]?.callId, 'own', { deep: { value: 1 } }],
    [results[3]?.callId, 'quiet', results[3]?.details],
  ]);
});

test('a step is told when all its calls are answered, and corrections are none', async () => {
  const told: [string, number][] = [];
  const calls = ['a', 'b'].map((id) => ({ name: 'computer', input: { action: 'x' }, id }));
  const heard: string[] = [];
  await act({
    ...options([{ calls }, { text: 'none' }, { text: '{"n":1}' }]),
    schema: z.object({ n: z.number() }),
    onStep: async ({ text, toolResults }) => {
      await Promise.resolve();
      told.push([text, toolResults.length]);
      heard.push('step');
    },
    onAssistantMessage: () => void heard.push('assistant'),
    onToolMessage: () => void heard.push('tool'),
  });
  expect(told).toEqual([
    ['', 2],
    ['none', 0],
    ['{"n":1}', 0],
  ]);
  expect(heard).toEqual(['assistant', 'tool', 'tool', 'step', 'assistant', 'step', 'assistant', 'step']);
});

test('tools of one name are refused, as are answers in a form that never come', async () => {
  await expect(act(options([], { tools: [computer, computer] }))).rejects.toThrow(/computer/);
  const failed = await act({ ...options(() => ({ text: 'none' })), schema: z.object({ n: z.number() }) });
  expect(failed).toMatchObject({ stop: 'error', error: { code: 'output' } });
  expect(failed).not.toHaveProperty('output');
});

test('pictures go whole, and several models are looked at for a detail', async () => {
  const details: unknown[] = [];
  const send = scriptedSend(script(() => ({ text: 'Done.' })));
  const shown = async (model: ActOptions['model'], more: Partial<ActOptions> = {}): Promise<void> => {
    const content = [{ type: 'image', image: chart, mimeType: 'image/png' }];
    const result = [
      { type: 'tool-result', toolCallId: 'c1', toolName: 'computer', result: { output: 'x', base64Image: chart } },
    ];
    const messages = [
      { role: 'user', content },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', id: 'x', toolCallId: 'c1', toolName: 'computer', args: {} }],
      },
      { role: 'tool', content: result },
    ];
    const { messages: kept } = await act({ ...options([]), send, model, messages, ...more });
    details.push(kept.flatMap(({ role, content: blocks }) => blocks.flatMap((block) => (role === 'tool' && block.type === 'image' ? [block.detail] : [])))); // prettier-ignore
  };
  await shown('openai-chat/gpt-4.1');
  await shown(['openai-chat/gpt-4.1', 'openai/gpt-5.2']);
  await shown(['openai-chat/gpt-4.1', { model: 'openai/gpt-5.2', profile: { imageDetail: 'high' } }]);
  await shown('openai-chat/gpt-4.1', { profile: {} });
  expect(details).toEqual([['low'], ['low'], [undefined], ['low']]);
});
