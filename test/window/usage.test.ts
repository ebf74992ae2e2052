// Estimates learn from what providers report.
import { expect, test } from 'vitest';
import type { Message, Usage } from '../../src/message/message.ts';
import { costOf } from '../../src/window/prices.ts';
import { plan } from '../../src/window/plan.ts';
import type { PlanResult } from '../../src/window/plan.ts';
import { profileFor } from '../../src/window/profile.ts';

const model = 'anthropic/claude-sonnet-4-5';
const profile = profileFor(model);
const user: Message = { role: 'user', content: [{ type: 'text', text: 'Tell me all about doors. '.repeat(400) }] };

type Done = Extract<PlanResult, { plan: object }>;

function settle(messages: Message[], ledger?: Done['ledger']): Done {
  const result = plan({ transcript: { version: 1, messages }, profile, ledger });
  if (!result.plan) throw new Error('there is no plan');
  return result;
}

function answer(usage: Usage | undefined, by = model): Message {
  return { role: 'assistant', model: by, content: [{ type: 'text', text: 'Doors.' }], ...(usage && { usage }) };
}

const reports: [string, number, string, number][] = [
  ['a third more', 4 / 3, model, 4 / 3],
  ['a fifth less', 0.8, model, 0.8],
  ['far too much, which is taken as twice', 10, model, 2],
  ['next to nothing, which is not believed', 0.001, model, 1],
  ['another model counts otherwise', 2, 'openai/gpt-5.2', 1],
];

test.each(reports)('the provider counts %s', (_what, factor, by, expected) => {
  const first = settle([user]);
  const plain = settle([user, answer(undefined), user], first.ledger).totals.used.tokens;
  const inputTokens = Math.round(first.totals.used.tokens * factor);
  const second = settle([user, answer({ inputTokens, outputTokens: 9 }, by), user], first.ledger);
  expect(second.totals.used.tokens / plain).toBeCloseTo(expected, 2);
});

test('a turn without a report keeps what was learned', () => {
  const first = settle([user]);
  const usage = { inputTokens: Math.round(first.totals.used.tokens * 1.5), outputTokens: 9 };
  const talk = [user, answer(usage), user];
  const second = settle(talk, first.ledger);
  const third = settle([...talk, answer(undefined), user], second.ledger);
  expect(third.totals.used.tokens).toBeGreaterThan(second.totals.used.tokens);
  expect(third.ledger.entries[model]?.estimate.factor).toBeCloseTo(1.5, 2);
});

test('money is counted by what tokens were', () => {
  const usage = { inputTokens: 1_000_000, cachedTokens: 600_000, writtenTokens: 300_000, outputTokens: 100_000 };
  expect(costOf(profile, usage)).toBeCloseTo(0.1 * 3 + 0.6 * 0.3 + 0.3 * 3.75 + 0.1 * 15);
  expect(costOf(profileFor('ollama/llava'), usage)).toBeUndefined();
});
