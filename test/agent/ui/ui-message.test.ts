// Events of a run as the chunks of AI SDK's stream, chunk by chunk.
import { expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/agent/event.ts';
import { toUIMessageStream } from '../../../src/agent/ui/ui-message.ts';
import type { UIChunk } from '../../../src/agent/ui/ui-message.ts';
import type { PageOptions } from '../../../src/agent/ui/page-options.ts';
import type { Block, CallBlock } from '../../../src/content/block.ts';

async function* told(events: readonly AgentEvent[]): AsyncGenerator<AgentEvent> {
  yield* events;
}

async function read(events: readonly AgentEvent[], options?: PageOptions): Promise<UIChunk[]> {
  const [first, ...chunks] = await Array.fromAsync(toUIMessageStream(told(events), options));
  expect(first).toEqual({ type: 'start' });
  return chunks;
}

const usage = { inputTokens: 3, outputTokens: 4 };
const step = (number: number): AgentEvent => ({ type: 'step-start', step: number, model: 'a/b' });
const begins = (index: number, block: Block): AgentEvent => ({ type: 'block-start', index, block });
const ends = (index: number, block: Block): AgentEvent => ({ type: 'block-end', index, block });
const text = (value: string): Block => ({ type: 'text', text: value });
const call: CallBlock = { type: 'call', id: 'c1', name: 'look', input: { at: 1 } };
const asset = { id: 'sha256:aa', mediaType: 'image/png', size: 1, name: 'a.png' } as const;
const picture: Block = { type: 'image', asset, width: 1, height: 1 };
const mediaUrl = ({ id }: { id: string }): string => `/media/${id}`;

const delta = (index: number, kind: 'text' | 'thinking' | 'call', value: string): AgentEvent => ({
  type: 'block-delta',
  index,
  kind,
  text: value,
});

test('words, thinking and calls come in pieces, each under its own id', async () => {
  const thinking: Block = { type: 'thinking', text: 'Hm.' };
  expect(
    await read([
      step(1),
      begins(0, { type: 'thinking', text: '' }),
      delta(0, 'thinking', 'Hm.'),
      ends(0, thinking),
      begins(1, text('')),
      delta(1, 'text', 'Hi.'),
      ends(1, text('Hi.')),
      begins(2, { ...call, input: {} }),
      delta(2, 'call', '{"at":1}'),
      ends(2, call),
    ]),
  ).toStrictEqual([
    { type: 'start-step' },
    { type: 'reasoning-start', id: '1-0' },
    { type: 'reasoning-delta', id: '1-0', delta: 'Hm.' },
    { type: 'reasoning-end', id: '1-0' },
    { type: 'text-start', id: '1-1' },
    { type: 'text-delta', id: '1-1', delta: 'Hi.' },
    { type: 'text-end', id: '1-1' },
    { type: 'tool-input-start', toolCallId: 'c1', toolName: 'look', dynamic: true },
    { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"at":1}' },
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'look', input: { at: 1 }, dynamic: true },
  ]);
});

const whole = (block: Block): Promise<UIChunk[]> => read([step(1), begins(0, block), ends(0, block)]);

test('a block that came whole is told whole, an empty one not at all', async () => {
  expect((await whole(text('Hi.'))).slice(2)).toEqual([
    { type: 'text-delta', id: '1-0', delta: 'Hi.' },
    { type: 'text-end', id: '1-0' },
  ]);
  expect((await whole({ type: 'thinking', text: 'Hm.' })).slice(2)).toEqual([
    { type: 'reasoning-delta', id: '1-0', delta: 'Hm.' },
    { type: 'reasoning-end', id: '1-0' },
  ]);
  expect((await whole(text(''))).slice(2)).toEqual([{ type: 'text-end', id: '1-0' }]);
  expect((await whole({ type: 'thinking', text: '' })).slice(2)).toEqual([{ type: 'reasoning-end', id: '1-0' }]);
  const seal = { wire: '', endpoint: '', model: '', item: {} };
  expect(await whole({ type: 'sealed', seal })).toEqual([{ type: 'start-step' }]);
});

test('sources that have an address follow their words', async () => {
  const block: Block = {
    type: 'text',
    text: 'Hi.',
    citations: [{ title: 'none' }, { url: 'https://a.b', title: 'A' }, { url: 'https://c.d' }],
  };
  expect((await read([step(1), begins(0, text('')), ends(0, block)])).slice(3)).toStrictEqual([
    { type: 'text-end', id: '1-0' },
    { type: 'source-url', sourceId: '1-0-1', url: 'https://a.b', title: 'A' },
    { type: 'source-url', sourceId: '1-0-2', url: 'https://c.d' },
  ]);
});

test('a picture that the model made is a file, where there is an address for it', async () => {
  const made = [step(1), begins(0, picture), ends(0, picture)];
  expect((await read(made, { mediaUrl })).slice(1)).toStrictEqual([
    { type: 'file', url: '/media/sha256:aa', mediaType: 'image/png' },
  ]);
  expect((await read(made)).slice(1)).toEqual([]);
});

test('each step ends before the next, and one that is asked for again begins anew', async () => {
  expect(
    await read([
      step(1),
      begins(0, call),
      step(2),
      begins(0, text('')),
      { type: 'step-restart', step: 2, model: 'a/b', why: '' },
      ends(0, text('Hi.')),
      { type: 'run-end', stop: 'end', usage },
    ]),
  ).toStrictEqual([
    { type: 'start-step' },
    { type: 'tool-input-start', toolCallId: 'c1', toolName: 'look', dynamic: true },
    { type: 'finish-step' },
    { type: 'start-step' },
    { type: 'text-start', id: '2-0' },
    { type: 'reset-step' },
    { type: 'text-delta', id: '2-0', delta: 'Hi.' },
    { type: 'text-end', id: '2-0' },
    { type: 'finish-step' },
    { type: 'finish', finishReason: 'stop', messageMetadata: { stop: 'end', usage } },
  ]);
});

test('what tools show, on their way and in the end', async () => {
  const result = (content: Block[], isError = false): AgentEvent => ({
    type: 'call-end',
    call,
    ms: 1,
    result: { role: 'tool', callId: 'c1', name: 'look', content, isError },
  });
  const { name: _name, ...nameless } = asset;
  expect(
    await read(
      [
        { type: 'call-progress', call, text: 'half' },
        { type: 'call-progress', call, text: 'half', content: [text('rough'), picture] },
        result([text('one'), picture, text('two')]),
        result([text('no paper')], true),
      ],
      { mediaUrl },
    ),
  ).toStrictEqual([
    {
      type: 'tool-output-available',
      toolCallId: 'c1',
      output: { text: 'half', media: [] },
      dynamic: true,
      preliminary: true,
    },
    {
      type: 'tool-output-available',
      toolCallId: 'c1',
      output: {
        text: 'rough',
        media: [{ type: 'image', mediaType: 'image/png', name: 'a.png', url: '/media/sha256:aa' }],
      },
      dynamic: true,
      preliminary: true,
    },
    {
      type: 'tool-output-available',
      toolCallId: 'c1',
      output: {
        text: 'one\ntwo',
        media: [{ type: 'image', mediaType: 'image/png', name: 'a.png', url: '/media/sha256:aa' }],
      },
      dynamic: true,
    },
    { type: 'tool-output-error', toolCallId: 'c1', errorText: 'no paper', dynamic: true },
  ]);
  expect(await read([result([{ ...picture, asset: nameless }])])).toMatchObject([
    { output: { media: [{ type: 'image', mediaType: 'image/png' }] } },
  ]);
  const [plain] = await read([result([{ ...picture, asset: nameless }])]);
  expect(JSON.stringify(plain)).not.toMatch(/"(?:name|url)"/);
});

test('what was refused is told, what a page does not show is not', async () => {
  const refusal = { code: 'corrupt', what: 'It is broken', next: 'Use another.' } as const;
  expect(
    await read([
      { type: 'media-refused', message: 0, block: 0, refusal },
      { type: 'spent', model: 'a/b', usage },
      { type: 'request-accepted' },
    ]),
  ).toStrictEqual([{ type: 'data-media-refused', data: { what: 'It is broken', next: 'Use another.' } }]);
});

test.each([
  ['end', [], 'stop'],
  ['length', [], 'length'],
  ['declined', [], 'content-filter'],
  ['max-steps', [], 'other'],
  ['error', [{ type: 'error', errorText: 'why' }], 'error'],
  ['aborted', [{ type: 'abort', reason: 'why' }], 'other'],
] as const)('a run that ends by %s', async (stop, before, finishReason) => {
  const error = { type: 'message-error', code: 'invalid', message: 'why', retryable: false } as const;
  expect(await read([{ type: 'run-end', stop, usage, cost: 0.5, error }])).toStrictEqual([
    ...before,
    { type: 'finish', finishReason, messageMetadata: { stop, usage, cost: 0.5 } },
  ]);
  const [first] = await read([{ type: 'run-end', stop, usage }]);
  if (stop === 'error') expect(first).toEqual({ type: 'error', errorText: '' });
});
