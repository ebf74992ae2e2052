import { expect, test } from 'vitest';
import { collect } from '../../src/message/collect.ts';
import type { ModelEvent } from '../../src/message/event.ts';

const start: ModelEvent = { type: 'message-start', model: 'somewhere/some-model' };
const seal = { wire: 'gemini', endpoint: 'somewhere', model: 'some-model', item: {} };

const words: ModelEvent[] = [
  { type: 'block-start', index: 0, block: { type: 'text', text: '' } },
  { type: 'block-delta', index: 0, kind: 'text', text: 'Let me ' },
  { type: 'block-delta', index: 0, kind: 'text', text: 'look' },
];
const call: ModelEvent[] = [
  { type: 'block-start', index: 1, block: { type: 'call', id: 'c1', name: 'look', input: {} } },
  { type: 'block-delta', index: 1, kind: 'call', text: '{"at":' },
];

async function* told(...events: ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* events;
}

test('a whole answer is its blocks as they ended, in the order in which they started', async () => {
  const message = await collect(
    told(
      start,
      ...words,
      ...call,
      { type: 'block-end', index: 1, block: { type: 'call', id: 'c1', name: 'look', input: { at: 'me' } } },
      { type: 'message-extra', event: { anything: true } },
      { type: 'block-end', index: 0, block: { type: 'text', text: 'Let me look.', seal } },
      { type: 'message-end', stop: 'calls', usage: { inputTokens: 3, outputTokens: 2 } },
    ),
  );
  expect(message).toEqual({
    role: 'assistant',
    model: 'somewhere/some-model',
    content: [
      { type: 'text', text: 'Let me look.', seal },
      { type: 'call', id: 'c1', name: 'look', input: { at: 'me' } },
    ],
    stop: 'calls',
    usage: { inputTokens: 3, outputTokens: 2 },
  });
});

test.each([
  ['aborted', 'aborted'],
  ['cut-off', 'error'],
] as const)('of an answer that ended in "%s" the words stay, half a call does not', async (code, stop) => {
  const error: ModelEvent = { type: 'message-error', code, message: '', retryable: false };
  expect(await collect(told(start, ...words, ...call, error))).toEqual({
    role: 'assistant',
    model: 'somewhere/some-model',
    content: [{ type: 'text', text: 'Let me look' }],
    stop,
    error,
  });
});

test('an answer without a last event is an error', async () => {
  expect(await collect(told(start))).toMatchObject({ content: [], stop: 'error' });
});
