// A recorded request goes into columns and comes back whole.
import { expect, test } from 'vitest';
import type { StoredRequest } from '../../../src/record/table.ts';
import { requestRowOf, storedRequestOf, textsOf } from '../../../src/session/log/request-texts.ts';

const request = {
  id: 'r1',
  model: 'openai/gpt-5.2',
  body: { kind: 'whole' },
  receipts: [{ action: 'inside', subject: 'a', why: 'b' }],
  assets: ['sha256:aa'],
  answer: { role: 'assistant' },
  ended: { at: 5 },
  depth: 3,
} as unknown as StoredRequest;

test('lists need no body, and nothing is written twice', () => {
  const { row, body } = textsOf(request);
  expect(JSON.parse(row)).toEqual({ id: 'r1', model: 'openai/gpt-5.2' });
  expect(JSON.parse(body)).toEqual({ body: request.body, receipts: request.receipts, assets: request.assets });
});

test('it comes back as it was, with its end and its answer where it has them', () => {
  const texts = textsOf(request);
  const columns = { ...texts, depth: '3', ended: '{"at":5}', answer: '{"role":"assistant"}' };
  expect(storedRequestOf(columns)).toEqual(request);
  expect(requestRowOf(columns)).toEqual({ id: 'r1', model: 'openai/gpt-5.2', ended: { at: 5 } });
  const open = storedRequestOf({ ...texts, depth: 0, ended: null, answer: null });
  expect(open).not.toHaveProperty('ended');
  expect(open).not.toHaveProperty('answer');
  expect(open.depth).toBe(0);
});
