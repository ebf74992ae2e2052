// What tokens cost: a row for each family of models, and nothing is guessed for others.
import { expect, test } from 'vitest';
import { costOf, moneyFor, pricesOf } from '../../src/window/prices.ts';

/** Input, output, read from the cache and written to it, in US dollars per million. */
const rows: [string, number, number, number, number][] = [
  ['claude-fable-5-1', 10, 50, 0.25, 12.5],
  ['claude-fable-5-9', 10, 50, 0.25, 12.5],
  ['claude-fable-5', 10, 50, 1, 12.5],
  ['claude-fable-5-0', 10, 50, 1, 12.5],
  ['claude-opus-5-5', 4, 20, 0.2, 5],
  ['claude-opus-5', 5, 25, 0.5, 6.25],
  ['claude-opus-4-5', 5, 25, 0.5, 6.25],
  ['claude-opus-4-9', 5, 25, 0.5, 6.25],
  ['claude-sonnet-5', 2, 10, 0.2, 2.5],
  ['claude-sonnet-4-5', 3, 15, 0.3, 3.75],
  ['claude-3-5-sonnet-latest', 3, 15, 0.3, 3.75],
  ['claude-3-7-sonnet-latest', 3, 15, 0.3, 3.75],
  ['claude-haiku-4-5', 1, 5, 0.1, 1.25],
  ['gpt-6-astra', 10, 50, 1, 12.5],
  ['gpt-6-sol', 2, 10, 0.2, 2.5],
  ['gpt-6-luna', 0.1, 0.5, 0.01, 0.125],
  ['gpt-5.6-sol', 4, 20, 0.4, 5],
  ['gpt-5.6-terra', 2, 12, 0.2, 2.5],
  ['gpt-5.6-luna', 0.2, 1.2, 0.02, 0.25],
  ['gpt-5.5', 5, 30, 0.5, 5],
  ['gpt-5.4-mini', 0.75, 4.5, 0.075, 0.75],
  ['gpt-5.4-nano', 0.2, 1.25, 0.02, 0.2],
  ['gpt-5.4', 2.5, 15, 0.25, 2.5],
  ['gpt-5.2', 1.75, 14, 0.175, 1.75],
  ['gpt-5.3', 1.75, 14, 0.175, 1.75],
  ['gpt-5-nano', 0.05, 0.4, 0.005, 0.05],
  ['gpt-5-mini', 0.25, 2, 0.025, 0.25],
  ['gpt-5', 1.25, 10, 0.125, 1.25],
  ['gpt-5.1', 1.25, 10, 0.125, 1.25],
  ['gpt-4.1-nano', 0.1, 0.4, 0.025, 0.1],
  ['gpt-4.1-mini', 0.4, 1.6, 0.1, 0.4],
  ['gpt-4.1', 2, 8, 0.5, 2],
  ['gpt-4o-mini', 0.15, 0.6, 0.075, 0.15],
  ['gpt-4o', 2.5, 10, 1.25, 2.5],
  ['gpt-4o-2024-11-20', 2.5, 10, 1.25, 2.5],
  ['o4-mini', 1.1, 4.4, 0.275, 1.1],
  ['o3', 2, 8, 0.5, 2],
  ['gemini-3.6-flash', 0.75, 3.75, 0.075, 0.75],
  ['gemini-3.8-flash', 0.75, 3.75, 0.075, 0.75],
  ['gemini-3.5-flash', 1.5, 9, 0.15, 1.5],
  ['gemini-flash-latest', 1.5, 9, 0.15, 1.5],
  ['gemini-3.5-flash-lite', 0.3, 2.5, 0.03, 0.3],
  ['gemini-3.1-flash-lite', 0.25, 1.5, 0.025, 0.25],
  ['gemini-flash-lite-latest', 0.25, 1.5, 0.025, 0.25],
  ['gemini-3-flash', 0.5, 3, 0.05, 0.5],
  ['gemini-3-pro-preview', 2, 12, 0.2, 2],
  ['gemini-3.1-pro', 2, 12, 0.2, 2],
  ['gemini-pro-latest', 2, 12, 0.2, 2],
  ['gemini-2.5-flash-lite', 0.1, 0.4, 0.01, 0.1],
  ['gemini-2.5-flash', 0.3, 2.5, 0.03, 0.3],
  ['gemini-2.5-pro', 1.25, 10, 0.125, 1.25],
];

test.each(rows)('%s costs %d in and %d out, %d read again and %d written', (name, input, output, read, write) => {
  expect(pricesOf(name)).toEqual({ input, output, read, write });
  expect(pricesOf(`my-${name}`)).toBeUndefined();
});

test.each([
  'claude-opus-4-1', 'claude-sonnet-5-5', 'claude-3-6-sonnet', 'gpt-5.5-pro', 'gpt-5.4-pro', 'gpt-5.2-pro', 'gpt-5-pro', 'gpt-5.7',
  'gpt-4o-audio-preview', 'o3-pro', 'o3-mini', 'gemini-3.6-flash-lite', 'gemini-2.0-flash', 'llama3.1', '',
])('nobody has told what %j costs', (name) => {
  expect(pricesOf(name)).toBeUndefined();
}); // prettier-ignore

const prices = { input: 2, read: 0.5, write: 3, output: 10 };

test('each kind of token has its price', () => {
  const none = { fresh: 0, read: 0, written: 0, output: 0 };
  expect(moneyFor({ ...none, fresh: 1_000_000 }, prices)).toBe(2);
  expect(moneyFor({ ...none, read: 1_000_000 }, prices)).toBe(0.5);
  expect(moneyFor({ ...none, written: 1_000_000 }, prices)).toBe(3);
  expect(moneyFor({ ...none, output: 1_000_000 }, prices)).toBe(10);
  expect(moneyFor({ fresh: 1_000_000, read: 1_000_000, written: 1_000_000, output: 1_000_000 }, prices)).toBe(15.5);
});

test('what a provider reported: the input holds what was read and written', () => {
  const usage = { inputTokens: 3_000_000, outputTokens: 1_000_000 };
  expect(costOf({ prices }, usage)).toBe(16);
  expect(costOf({ prices }, { ...usage, cachedTokens: 1_000_000, writtenTokens: 1_000_000 })).toBe(15.5);
  expect(costOf({ prices }, { ...usage, cachedTokens: 4_000_000 })).toBe(12);
  expect(costOf({}, usage)).toBeUndefined();
});
