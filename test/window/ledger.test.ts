// What makes a ledger hold, and what makes it begin anew.
import { expect, test } from 'vitest';
import type { Message, Transcript } from '../../src/message/message.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import { plan } from '../../src/window/plan.ts';
import { profileFor } from '../../src/window/profile.ts';

const model = 'anthropic/claude-sonnet-4-5';
const user: Message = { role: 'user', content: [{ type: 'text', text: 'go' }] };
const transcript: Transcript = { version: 1, messages: [user] };
const longer: Transcript = {
  version: 1,
  messages: [user, { role: 'assistant', model, content: [{ type: 'text', text: 'ok' }] }, user],
};

function checkpoints(ledger: Ledger, given = longer, profile = profileFor(model)): string[] {
  const result = plan({ transcript: given, profile, ledger });
  if (!result.plan) throw new Error('there is no plan');
  return result.receipts.filter(({ action }) => action === 'checkpoint').map(({ subject }) => subject);
}

function first(): Ledger {
  const result = plan({ transcript, profile: profileFor(model) });
  if (!result.plan) throw new Error('there is no plan');
  return JSON.parse(JSON.stringify(result.ledger)) as Ledger;
}

test('it holds for messages that a database gave back with their keys in another order', () => {
  const turned: Transcript = {
    version: 1,
    messages: [{ content: [{ text: 'go', type: 'text' }], role: 'user' }, ...longer.messages.slice(1)],
  };
  expect(checkpoints(first(), turned)).toEqual([]);
});

test('a ledger of another shape begins anew', () => {
  const ledger = first();
  const entry = ledger.entries[model];
  if (entry) entry.shape = 0;
  expect(checkpoints(ledger)).toEqual(['upgraded']);
});

test('what a user states about the model holds at once', () => {
  expect(checkpoints(first(), longer, profileFor(model, { capabilities: { vision: false } }))).toEqual([
    'model-changed',
  ]);
});

test('the fields of a profile are these; with another one the shape goes up', () => {
  expect(Object.keys(profileFor(model)).toSorted()).toMatchInlineSnapshot(`
    [
      "boundThinking",
      "breakpoints",
      "cache",
      "callId",
      "citations",
      "contextTokens",
      "defaultDetail",
      "details",
      "dialect",
      "endpoint",
      "errorFlag",
      "family",
      "id",
      "interleaved",
      "manyImages",
      "maxImages",
      "maxOutputTokens",
      "maxThinkingTokens",
      "maxTokensField",
      "media",
      "model",
      "prices",
      "requestBytes",
      "signedCalls",
      "stated",
      "strictThinking",
      "temperature",
      "thinking",
      "thinkingMax",
      "thinkingMedium",
      "thinkingOff",
      "tokens",
      "toolChoice",
      "toolsNeedNoThinking",
      "userLast",
      "wire",
    ]
  `);
});
