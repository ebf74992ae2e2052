// A row of the table of sessions, as it is listed.
import { expect, test } from 'vitest';
import { sessionInfoOf } from '../../../src/session/log/session-row.ts';

test('every column has its place', () => {
  const row = {
    id: 's1', title: 'Doors', model: 'openai/gpt-5.2', parentId: 's0', fork: 7, created: 1, updated: 2n, messages: '3', media: 4,
    bytes: 5, input: 6, output: 8, cost: 0.5,
  }; // prettier-ignore
  expect(sessionInfoOf(row)).toEqual({
    id: 's1', title: 'Doors', model: 'openai/gpt-5.2', forkedFrom: { id: 's0', entry: 7 }, created: 1, updated: 2, messages: 3,
    media: 4, mediaBytes: 5, inputTokens: 6, outputTokens: 8, cost: 0.5,
  }); // prettier-ignore
});

test('what is not there is left out, and sums are nothing', () => {
  const none = { created: 0, updated: 0, messages: 0, media: 0, mediaBytes: 0, inputTokens: 0, outputTokens: 0 };
  expect(sessionInfoOf({ id: 's1', title: null, model: null, parentId: null, cost: null })).toEqual({
    id: 's1',
    ...none,
  });
  expect(sessionInfoOf({ id: 5, cost: '1' })).toEqual({ id: '', ...none });
  const info = sessionInfoOf({ id: 's1' });
  for (const key of ['title', 'model', 'cost', 'forkedFrom']) expect(info).not.toHaveProperty(key);
});
