// A run on its way to a page, read by the AI SDK's own reader: what `useChat` would show.
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema } from 'ai';
import type { UIMessage, UIMessageChunk } from 'ai';
import { expect, test } from 'vitest';
import type { AgentOptions } from '../../src/agent/options.ts';
import { runAgent } from '../../src/agent/run.ts';
import type { AgentRun } from '../../src/agent/run.ts';
import { toSSE, toUIMessageStream } from '../../src/agent/ui/index.ts';
import type { MediaUrl } from '../../src/agent/ui/index.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { image } from '../../src/content/input.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import type { Step } from '../../src/model/script/index.ts';
import { memorySessions } from '../../src/session/store.ts';
import { defineTool } from '../../src/tool/tool.ts';

const chart = readFileSync('examples/chart.png');
const mediaUrl: MediaUrl = ({ id }) => `/media/${id}`;

const draw = defineTool({
  name: 'draw',
  description: 'Draws sales, first roughly.',
  run: async function* () {
    yield image({ data: chart, name: 'rough.png' });
    return ['Sales rose.', image({ data: chart, name: 'chart.png' })];
  },
});
const fails = defineTool({
  name: 'fails',
  description: 'Throws.',
  run: () => {
    throw new Error('no paper');
  },
});

function start(steps: Step[], options: Partial<AgentOptions> = {}): ReturnType<typeof runAgent> {
  const send = scriptedSend(script(steps));
  const model = 'anthropic/claude-sonnet-4-5';
  return runAgent({ model, prompt: 'How did we do?', tools: [draw, fails], assets: memoryAssets(), send, ...options });
}

/** Every state of the message, as the AI SDK reads it from a response. */
async function shown(response: Response): Promise<UIMessage[]> {
  if (!response.body) throw new Error('There is no body.');
  const parsed = parseJsonEventStream({ stream: response.body, schema: uiMessageChunkSchema });
  const chunks = parsed.pipeThrough(
    new TransformStream<{ success: boolean; value?: UIMessageChunk; error?: unknown }, UIMessageChunk>({
      transform: (chunk, controller) => {
        if (!chunk.value) throw chunk.error;
        controller.enqueue(chunk.value);
      },
    }),
  );
  const states: UIMessage[] = [];
  for await (const message of readUIMessageStream({ stream: chunks })) states.push(structuredClone(message));
  return states;
}

const steps: Step[] = [
  { thinking: 'A chart helps.', text: 'One moment.', calls: [{ name: 'draw' }, { name: 'fails' }] },
  { text: 'Sales rose.' },
];

test('useChat shows words, thinking, calls, what tools show on their way, their pictures by URL, and errors', async () => {
  const states = await shown(toSSE(toUIMessageStream(start(steps), { mediaUrl })));
  const url = expect.stringMatching(/^\/media\/sha256:[0-9a-f]{64}$/) as string;
  expect(states.at(-1)).toMatchObject({
    role: 'assistant',
    metadata: { stop: 'end', usage: { inputTokens: expect.any(Number) as number } },
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'A chart helps.', state: 'done' },
      { type: 'text', text: 'One moment.', state: 'done' },
      {
        type: 'dynamic-tool',
        toolName: 'draw',
        state: 'output-available',
        input: {},
        output: { text: 'Sales rose.', media: [{ type: 'image', mediaType: 'image/png', name: 'chart.png', url }] },
      },
      {
        type: 'dynamic-tool',
        toolName: 'fails',
        state: 'output-error',
        errorText: expect.stringMatching('no paper') as string,
      },
      { type: 'step-start' },
      { type: 'text', text: 'Sales rose.', state: 'done' },
    ],
  });
  const early = states.flatMap(({ parts }) => parts.filter((part) => part.type === 'dynamic-tool'));
  expect(early).toContainEqual(
    expect.objectContaining({
      preliminary: true,
      output: {
        text: '[image "rough.png" 640×400]',
        media: [{ type: 'image', mediaType: 'image/png', name: 'rough.png', url }],
      },
    }),
  );
});

test('an answer that broke off and is asked for again is shown once', async () => {
  const broken: Step = { text: 'Half an answer.', cutAfter: 4 };
  const states = await shown(toSSE(toUIMessageStream(start([broken, { text: 'Whole.' }]))));
  expect(states.at(-1)?.parts.filter(({ type }) => type === 'text')).toMatchObject([{ text: 'Whole.' }]);
});

test('a run that fails tells why, and one that is refused a file tells that', async () => {
  const failed = start([{ error: { status: 401, message: 'invalid x-api-key' } }], {
    prompt: ['Read this.', image({ data: Buffer.from('no picture') })],
  });
  const chunks: unknown[] = [];
  for await (const chunk of toUIMessageStream(failed)) chunks.push(chunk);
  expect(chunks).toContainEqual({ type: 'error', errorText: 'invalid x-api-key' });
  expect(chunks).toContainEqual({
    type: 'data-media-refused',
    data: { what: expect.any(String) as string, next: expect.any(String) as string },
  });
  expect(chunks.at(-1)).toMatchObject({ type: 'finish', finishReason: 'error', messageMetadata: { stop: 'error' } });
});

test('a page that is left stops its run', async () => {
  const run = start(steps);
  const reader = toUIMessageStream(run).getReader();
  await reader.read();
  await reader.read();
  await reader.cancel();
  expect(await run).toMatchObject({ stop: 'aborted' });
});

/** As programs do that know nothing of runs. */
function streamFrom(values: AsyncIterable<unknown>): ReadableStream {
  return Readable.toWeb(Readable.from(values, { highWaterMark: 1 })) as ReadableStream;
}

test.each([
  ['its chunks', (run: ReturnType<typeof start>) => toSSE(toUIMessageStream(run))],
  ['its events', (run: ReturnType<typeof start>) => toSSE(run)],
  ['a stream of others', (run: ReturnType<typeof start>) => new Response(streamFrom(run))],
])('a page that is left while a tool works stops it: %s', async (_, answerOf) => {
  const begun = Promise.withResolvers<void>();
  const works = defineTool({
    name: 'works',
    description: 'Works until it is stopped.',
    run: (_input, { signal }) => {
      begun.resolve();
      return new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('stopped')));
    },
  });
  const run = start([{ calls: [{ name: 'works' }] }, { text: 'Done.' }], { tools: [works] });
  const reader = answerOf(run).body?.getReader();
  const reading = (async () => {
    while (!(await reader?.read())?.done);
  })();
  await begun.promise;
  await new Promise((resolve) => setTimeout(resolve, 20)); // the page waits for what comes next
  await reader?.cancel();
  await reading;
  expect(await run).toMatchObject({ stop: 'aborted', error: { message: expect.stringContaining('Nobody reads') } });
});

test('what an earlier run left open reaches the page with its call', async () => {
  await using store = memorySessions();
  const session = await store.create();
  const message = { role: 'assistant', model: 'anthropic/claude-sonnet-4-5', stop: 'calls' } as const;
  const call = { type: 'call', id: 'toolu_1', name: 'draw', input: {} } as const;
  await session.append({ type: 'message', message: { role: 'user', content: [{ type: 'text', text: 'Draw.' }] } });
  await session.append({ type: 'message', message: { ...message, content: [call] } });
  const run = start([{ text: 'Here it is.' }], { session, assets: session.assets, resume: true, prompt: 'Well?' });
  const states = await shown(toSSE(toUIMessageStream(run)));
  expect(states.at(-1)?.parts).toMatchObject([
    { type: 'dynamic-tool', toolName: 'draw', toolCallId: 'toolu_1' },
    { type: 'step-start' },
    { type: 'text', text: 'Here it is.' },
  ]);
});

test('as plain events a page gets everything but ledgers, seals and bytes; 40 steps are small', async () => {
  const many: Step[] = [
    ...Array.from({ length: 40 }, (): Step => ({ thinking: 'Hm.', calls: [{ name: 'draw' }] })),
    { text: 'Done.' },
  ];
  const response = toSSE(start(many), { mediaUrl });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const body = await response.text();
  const events = body
    .split('\n\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line.replace(/^data: /, '')) as { type: string });
  expect(events.at(0)?.type).toBe('message-added');
  expect(events.at(-1)).toMatchObject({ type: 'run-end', stop: 'end' });
  expect(events.find(({ type }) => type === 'call-end')).toMatchObject({
    result: { content: [{ type: 'text' }, { type: 'image', url: expect.stringMatching('/media/sha256:') as string }] },
  });
  expect(body).not.toMatch(/"(?:ledger|seal)"|iVBORw0KGgo/);
  expect(body.match(/"action":"inside"/g)).toHaveLength(40);
  expect(body.length).toBeLessThan(150_000);
});

test('what a page reads is what the AI SDK calls its chunks', () => {
  const typed: ReadableStream<UIMessageChunk> = toUIMessageStream(start(steps));
  expect(typed).toBeInstanceOf(ReadableStream);
});

test('a run that is handed on at once, or named by its type, needs no context', async () => {
  const options = { model: 'anthropic/claude-sonnet-4-5', prompt: 'Hi.', assets: memoryAssets() } as const;
  const run: AgentRun = runAgent({ ...options, send: scriptedSend(script([{ text: 'Hello.' }])) });
  expect((await run).text).toBe('Hello.');
  const told = toSSE(toUIMessageStream(runAgent({ ...options, send: scriptedSend(script([{ text: 'Hello.' }])) })));
  expect(await told.text()).toContain('"type":"finish"');
  const tools = [defineTool({ name: 'a', description: 'a', run: () => 'x' })];
  const { stop } = await runAgent({ ...options, tools, send: scriptedSend(script([{ text: 'Hello.' }])) });
  expect(stop).toBe('end');
});
