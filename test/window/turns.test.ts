// What the APIs ask of the shape of a conversation, beyond its parts.
import { expect, test } from 'vitest';
import { afterResults } from '../../src/content/words.ts';
import type { AssistantMessage, Message, Transcript } from '../../src/message/message.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import { plan } from '../../src/window/plan.ts';
import type { RequestOptions } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';
import { wires } from '../../src/wire/registry.ts';
import { schemaErrors } from '../judge/judge.ts';

const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }];
const user: Message = { role: 'user', content: [{ type: 'text', text: 'go' }] };
const asked: AssistantMessage = {
  role: 'assistant',
  model: '',
  content: [{ type: 'call', id: 'c1', name: 'look', input: {} }],
};
const answered: Message = { role: 'tool', callId: 'c1', name: 'look', content: [{ type: 'text', text: 'seen' }] };

function planned(model: string, messages: Message[], options: RequestOptions = {}, ledger?: Ledger) {
  const transcript: Transcript = { version: 1, tools, messages };
  const result = plan({ transcript, profile: profileFor(model), options, ledger });
  if (!result.plan) throw new Error('The plan needs facts.');
  return result;
}

const models = [
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-5.2',
  'openai-chat/gpt-4.1',
  'gemini/gemini-3-pro-preview',
  'ollama/qwen3-vl',
];

test.each(models)('a conversation that begins with the assistant is taken by %s', async (model) => {
  const { plan: made } = planned(model, [
    { role: 'assistant', model: '', content: [{ type: 'text', text: 'Hello.' }] },
    user,
  ]);
  const { wire } = made.profile;
  expect(made.items[0]?.role).toBe('user');
  expect(await schemaErrors(wire, wires[wire].encode(made).skeleton)).toEqual([]);
});

test.each(models)('a tool whose schema lists no properties gets an empty list of them on %s', (model) => {
  const { plan: made } = planned(model, [user]);
  expect(JSON.stringify(wires[made.profile.wire].encode(made).skeleton)).toContain('"properties":{}');
});

const thinking: [string, string, Message[], RequestOptions, string][] = [
  ['is sent', 'anthropic/claude-sonnet-4-5', [user], { thinking: 'low' }, ''],
  [
    'gives way to a forced tool',
    'anthropic/claude-sonnet-4-5',
    [user],
    { thinking: 'low', toolChoice: 'required' },
    'thinking',
  ],
  [
    'gives way to a named tool',
    'anthropic/claude-opus-4-6',
    [user],
    { thinking: 'high', toolChoice: { tool: 'look' } },
    'thinking',
  ],
  ['goes with a free choice', 'anthropic/claude-opus-4-6', [user], { thinking: 'high', toolChoice: 'auto' }, ''],
  [
    'waits while a turn runs that began without it',
    'anthropic/claude-sonnet-4-5',
    [user, asked, answered],
    { thinking: 'low' },
    'thinking',
  ],
  [
    'may begin in a running turn where the API allows it',
    'anthropic/claude-opus-4-6',
    [user, asked, answered],
    { thinking: 'low' },
    '',
  ],
  ['goes with a forced tool elsewhere', 'openai/gpt-5.2', [user], { thinking: 'low', toolChoice: 'required' }, ''],
];

test.each(thinking)('thinking %s (%s)', (_what, model, messages, options, ignored) => {
  const { plan: made, receipts } = planned(model, messages, options);
  expect(
    receipts
      .filter(({ action }) => action === 'ignored')
      .map(({ subject }) => subject)
      .join(),
  ).toBe(ignored);
  expect(made.options.thinking === undefined).toBe(ignored !== '');
});

test.each(['openai/gpt-5.2', 'openai-chat/gpt-4.1'])('a PDF is called one on %s, whatever its name was', (model) => {
  const asset = { id: `sha256:${'a'.repeat(64)}`, mediaType: 'application/pdf', size: 3, name: 'scan.png' } as const;
  const { plan: made } = planned(model, [{ role: 'user', content: [{ type: 'document', asset, pages: 1 }] }]);
  expect(JSON.stringify(wires[made.profile.wire].encode(made).skeleton)).toContain('"scan.png.pdf"');
});

const mistral = 'mistral/mistral-large-latest';
const heard: Message = { role: 'assistant', model: '', content: [{ type: 'text', text: 'I see.' }] };

const bridges: [string, string, Message[], string[], number][] = [
  ['a user who speaks after results', mistral, [user, asked, answered, user], ['tool', 'assistant', 'user'], 1],
  ['results that end the conversation', mistral, [user, asked, answered], ['assistant', 'tool'], 0],
  ['an answer after the results', mistral, [user, asked, answered, heard, user], ['tool', 'assistant', 'user'], 0],
  ['two users in a row', mistral, [user, asked, answered, user, user], ['assistant', 'user', 'user'], 1],
  ['a server that asks for nothing', 'openai-chat/gpt-4.1', [user, asked, answered, user], ['tool', 'user'], 0],
];

test.each(bridges)('words between results and a user: %s', (_what, model, messages, last, told) => {
  const { plan: made, receipts } = planned(model, messages);
  const { skeleton } = wires['openai-chat'].encode(made);
  expect(skeleton.messages.map(({ role }) => role).slice(-last.length)).toEqual(last);
  expect(receipts.filter(({ subject }) => subject === afterResults)).toHaveLength(told);
});

test('the same words stand there on the next turn, planned with a memory or without', () => {
  const messages = [user, asked, answered, user];
  const first = planned(mistral, messages);
  const second = planned(mistral, [...messages, heard, user], {}, first.ledger);
  const again = planned(mistral, [...messages, heard, user], {}, structuredClone(first.ledger));
  expect(second.plan.items.slice(0, 4)).toEqual(first.plan.items);
  expect(second.plan.items).toEqual(again.plan.items);
  expect(second.receipts).toEqual(again.receipts);
});
