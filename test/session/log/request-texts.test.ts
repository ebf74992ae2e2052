// A recorded request goes into columns and comes back whole.
import { expect, test } from 'vitest';
import type { StoredRequest } from '../../../src/record/table.ts';
import { requestRowOf, storedRequestOf, textsOf } from '../../../src/session/log/request-texts.ts';

const request = {
  id: 'r1',
  model: 'openai/gpt-5.2',
  repairs: [],
  body: { kind: 'whole' },
  receipts: [{ action: 'inside', subject: 'a', why: 'b' }],
  assets: ['sha256:aa'],
  answer: { role: 'assistant', content: [] },
  ended: { state: 'done', attempts: [], at: 5 },
  depth: 3,
} as unknown as StoredRequest;

test('lists need no body, and nothing is written twice', () => {
  const { row, body } = textsOf(request);
  expect(JSON.parse(row)).toEqual({ id: 'r1', model: 'openai/gpt-5.2', repairs: [] });
  expect(JSON.parse(body)).toEqual({ body: request.body, receipts: request.receipts, assets: request.assets });
});

const columns = { ...textsOf(request), id: 'r1', conversation: 'talk', lane: 'openai-responses main gpt-5.2', time: 7 };

test('it comes back as it was, with its end and its answer where it has them', () => {
  const { answer, ended, receipts: _receipts, assets: _assets, body: _body, depth: _depth, ...row } = request;
  const whole = { ...columns, depth: '3', ended: JSON.stringify(ended), answer: JSON.stringify(answer) };
  expect(storedRequestOf(whole)).toEqual(request);
  expect(requestRowOf(whole)).toEqual({ ...row, ended });
  const open = storedRequestOf({ ...columns, depth: 0, ended: null, answer: null });
  expect(open).not.toHaveProperty('ended');
  expect(open).not.toHaveProperty('answer');
  expect(open.depth).toBe(0);
  expect(open).not.toHaveProperty('before');
  expect(storedRequestOf({ ...columns, depth: 0, before: 'r0' }).before).toBe('r0');
});

test.each([
  ['is no JSON', '{"id":"r1"'],
  ['is of another request', '{"id":"r2","model":"openai/gpt-5.2","repairs":[]}'],
  ['has lost its fields', '{"id":"r1"}'],
  ['has lost its model', '{"id":"r1","repairs":[]}'],
])('a row that %s is what its columns say of it', (_what, text) => {
  const told = { id: 'r1', conversation: 'talk', time: 7, model: 'gpt-5.2', label: 'a record that cannot be read' };
  expect(requestRowOf({ ...columns, row: text })).toMatchObject(told);
  const damaged = storedRequestOf({ ...columns, row: text, body: '{', depth: 1, ended: '{}', answer: '{}' });
  expect(damaged).toMatchObject({ ...told, body: {}, receipts: [], assets: [] });
  expect([damaged.ended, damaged.answer]).toEqual([undefined, undefined]);
});

test('a row that cannot be read has all that lists show, and says nothing of what nobody knows', () => {
  expect(requestRowOf({ ...columns, row: '{' })).toEqual({
    version: 1,
    id: 'r1',
    conversation: 'talk',
    lane: 'openai-responses main gpt-5.2',
    time: 7,
    label: 'a record that cannot be read',
    purpose: 'answer',
    via: 'send',
    wire: 'openai-responses',
    model: 'gpt-5.2',
    url: '',
    bytes: 0,
    repairs: [],
    record: 'all',
    digest: '',
  });
  expect(requestRowOf({ ...columns, row: '{', lane: 'gemini' }).model).toBe('unknown');
});
