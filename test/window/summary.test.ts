// When a conversation is summed up, and up to where.
import { expect, test } from 'vitest';
import type { Message } from '../../src/message/message.ts';
import { coverable, filledBy, isNearlyFull, withSummary } from '../../src/window/summary.ts';

const user: Message = { role: 'user', content: [{ type: 'text', text: 'ask' }] };
const said: Message = {
  role: 'assistant',
  model: 'a/b',
  content: [{ type: 'text', text: 'answer' }],
  usage: { inputTokens: 900, outputTokens: 50 },
};
const turn = [user, said];
const summary = (covers: number) => ({ text: 'in short', covers });

const rows: [string, Message[], number | undefined, number | undefined][] = [
  ['nothing of an empty conversation', [], undefined, undefined],
  ['nothing of two questions', [...turn, ...turn], undefined, undefined],
  ['nothing while fewer than four messages would go', [...turn, ...turn, ...turn], undefined, undefined],
  ['all before the last two questions', [...turn, ...turn, ...turn, ...turn], undefined, 4],
  ['nothing again while nothing is new', [...turn, ...turn, ...turn, ...turn], 4, undefined],
  ['nothing again for one turn more', [...turn, ...turn, ...turn, ...turn, ...turn], 4, undefined],
  ['the summary and what came since', [...turn, ...turn, ...turn, ...turn, ...turn, ...turn], 4, 8],
];

test.each(rows)('a summary covers %s', (_what, messages, before, covers) => {
  expect(coverable(messages, before === undefined ? undefined : summary(before))).toBe(covers);
});

test('a summary stands in the place of what it covers, and nothing is changed without one', () => {
  const messages = [...turn, ...turn];
  expect(withSummary(messages, undefined)).toBe(messages);
  expect(withSummary(messages, summary(2))).toEqual([{ role: 'user', content: [{ type: 'text', text: 'in short' }] }, ...turn]); // prettier-ignore
});

test('a summary of as much as there is stands alone; one of more, or of nothing, is none', () => {
  const messages = [...turn, ...turn];
  expect(withSummary(messages, summary(4))).toHaveLength(1);
  for (const covers of [0, 5]) expect(withSummary(messages, summary(covers))).toBe(messages);
  expect(coverable([...turn, ...turn, ...turn, ...turn, ...turn], summary(6))).toBeUndefined();
});

test('a window is nearly full from four fifths on', () => {
  expect([799, 800, 801].map((filled) => isNearlyFull(filled, 1000))).toEqual([false, true, true]);
});

test('how full a window was is what the last answer told, unless that was summed up since', () => {
  expect(filledBy([...turn, ...turn], undefined)).toBe(950);
  expect(filledBy([user], undefined)).toBe(0);
  const { usage: _usage, ...untold } = said;
  expect(filledBy([...turn, user, untold], undefined)).toBe(950);
  expect(filledBy([...turn, ...turn, ...turn, ...turn], summary(4))).toBe(0);
  expect(filledBy([...turn, ...turn, ...turn, ...turn], summary(2))).toBe(950);
});
