// Real providers accepted these requests; a judge that refuses one is too strict.

import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import exceptions from './recorded-exceptions.json' with { type: 'json' };
import { recordedRequests } from './recorded.ts';

const requests = recordedRequests();

test.skipIf(requests.length === 0)('requests that providers accepted are accepted here', async () => {
  const refused: { request: string; judge: string; errors: readonly string[] }[] = [];
  for (const { name, wire, body } of requests) {
    const { opinions } = await judge(wire, body);
    for (const opinion of opinions) {
      if ('errors' in opinion && opinion.errors.length > 0) {
        refused.push({ request: name, judge: opinion.judge, errors: opinion.errors });
      }
    }
  }
  expect(refused.filter((one) => !excused(one))).toEqual([]);
  expect(refused.filter(excused).length, 'an exception that nothing needs').toBe(exceptions.accepted.length);
});

test.skipIf(requests.length === 0)('the recordings cover every wire that was recorded', () => {
  expect([...new Set(requests.map(({ wire }) => wire))].toSorted()).toEqual([
    'anthropic-messages',
    'bedrock-converse',
    'gemini',
    'openai-chat',
    'openai-responses',
  ]);
});

function excused(one: { request: string; judge: string }): boolean {
  return exceptions.accepted.some((exception) => exception.request === one.request && exception.judge === one.judge);
}
