// What a provider said goes back to it as it was: decode a recorded answer, put it into a conversation, plan and encode
// that for the same model, and compare with the provider's own items.
import { describe, expect, test } from 'vitest';
import { isRecord } from '../../src/content/json.ts';
import { collector } from '../../src/message/collect.ts';
import type { AssistantMessage, Transcript } from '../../src/message/message.ts';
import { plan } from '../../src/window/plan.ts';
import type { Profile, WireName } from '../../src/window/profile.ts';
import { wires } from '../../src/wire/registry.ts';
import { profileOf } from '../laws/models.ts';
import { decodeAll, recordings } from './recordings.ts';

const models: Record<WireName, string> = {
  'anthropic-messages': 'anthropic/claude-sonnet-4-5',
  'openai-chat': 'openai-chat/gpt-4.1',
  'openai-responses': 'openai/gpt-5.4',
  gemini: 'gemini/gemini-3-pro-preview',
  ollama: 'ollama/qwen3-vl',
  'bedrock-converse': 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
};

type Item = Record<string, unknown>;

/** An answer as it stands in the next request, as plain JSON. */
function sentAgain(wire: WireName, events: readonly unknown[], to: Profile = profileOf(models[wire])): Item[] {
  const { endpoint, id } = profileOf(models[wire]);
  const collected = collector();
  for (const event of decodeAll(wire, events, { endpoint, model: id })) collected.push(event);
  const answer = collected.message();
  const transcript: Transcript = { version: 1, messages: [user('Go.'), answer, ...results(answer), user('And?')] };
  const planned = plan({ transcript, profile: to, cache: 'off' });
  if (!planned.plan) throw new Error('the plan asks for more');
  const { skeleton } = wires[to.wire].encode(planned.plan);
  const { messages, input, contents } = JSON.parse(JSON.stringify(skeleton));
  return (messages ?? input ?? contents).filter((item: Item) => isAnswer(item));
}

function user(text: string): { role: 'user'; content: [{ type: 'text'; text: string }] } {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function results(answer: AssistantMessage): Transcript['messages'] {
  return answer.content.flatMap((block) =>
    block.type === 'call'
      ? [
          {
            role: 'tool' as const,
            callId: block.id,
            name: block.name,
            content: [{ type: 'text' as const, text: 'ok' }],
          },
        ]
      : [],
  );
}

function isAnswer({ role, type }: Item): boolean {
  return role === 'assistant' || role === 'model' || (role === undefined && type !== 'function_call_output');
}

function without(item: unknown, fields: readonly string[]): Item {
  return Object.fromEntries(Object.entries(isRecord(item) ? item : {}).filter(([field]) => !fields.includes(field)));
}

function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((here, step) => (here as Record<string | number, unknown> | undefined)?.[step], value);
}

/** Where nothing is stored at the provider, reasoning without its content cannot go back. */
function carried({ type, encrypted_content, content }: Item): boolean {
  return type !== 'reasoning' || Boolean(encrypted_content) || (Array.isArray(content) && content.length > 0);
}

const bodies = (wire: WireName): [string, Item][] =>
  recordings
    .filter((recording) => recording.wire === wire && !recording.stream && !recording.isError)
    .map(({ name, events }) => [name, events[0] ?? {}]);

describe.skipIf(recordings.length === 0)('goes back as it came:', () => {
  test('every block of a message of Anthropic', () => {
    for (const [name, body] of bodies('anthropic-messages')) {
      const content = (body['content'] as Item[]).map((item) =>
        without(item, item['citations'] === null ? ['citations'] : []),
      );
      expect(sentAgain('anthropic-messages', [body]), name).toEqual(
        content.length > 0 ? [{ role: 'assistant', content }] : [],
      );
    }
  });

  test('every item of a response of OpenAI, but for reasoning that it does not carry', () => {
    for (const [name, body] of bodies('openai-responses'))
      expect(sentAgain('openai-responses', [body]), name).toEqual((body['output'] as Item[]).filter(carried));
  });

  test('every item of a streamed response of OpenAI', () => {
    for (const { wire, stream, events, name } of recordings) {
      if (wire !== 'openai-responses' || !stream) continue;
      const done = events.flatMap(({ type, item }) =>
        type === 'response.output_item.done' && carried(item as Item) ? [item] : [],
      );
      const sent = sentAgain(wire, events);
      expect(sent.length, name).toBe(done.length);
      for (const item of done) expect(sent, name).toContainEqual(item);
    }
  });

  test('the text, the reasoning and the calls of a chat completion', () => {
    for (const [name, body] of bodies('openai-chat')) {
      const given = Object.entries(at(body, 'choices', 0, 'message') as Item);
      const message = Object.fromEntries(given.filter(([, value]) => value !== null));
      const calls = message['tool_calls'] as Item[] | undefined;
      const [sent] = sentAgain('openai-chat', [body]);
      expect(sent, name).toEqual({
        ...message,
        content: message['content'] || null,
        ...(calls && { tool_calls: calls.map((call) => ({ type: 'function', ...without(call, ['index']) })) }),
      });
    }
  });

  test('every signed part of Gemini, where the id of a call is ours too', () => {
    let signed = 0;
    for (const { wire, events, name, isError } of recordings) {
      if (wire !== 'gemini' || isError) continue;
      const parts = sentAgain(wire, events).flatMap((content) => content['parts'] as Item[]);
      const given = events.flatMap((event) => (at(event, 'candidates', 0, 'content', 'parts') ?? []) as Item[]);
      for (const part of given.filter(({ thoughtSignature }) => thoughtSignature !== undefined)) {
        const same = parts.find(({ thoughtSignature }) => thoughtSignature === part['thoughtSignature']);
        const call = without(part['functionCall'], ['willContinue']);
        if (part['functionCall'] === undefined) expect(same, name).toEqual(part);
        else expect(same, name).toMatchObject({ functionCall: { ...call, id: expect.stringMatching(/^call_/) } });
        signed++;
      }
    }
    expect(signed).toBeGreaterThan(5);
  });

  test('and to another model without its seals, its thinking and its sealed items', () => {
    for (const { wire, events, name, isError } of recordings.filter(({ stream }) => !stream)) {
      if (isError) continue;
      const other = profileOf(wire === 'openai-chat' ? models.gemini : models['openai-chat']);
      const text = JSON.stringify(sentAgain(wire, events, other));
      expect(text, name).not.toMatch(/signature"|encrypted_content|"reasoning|"phase"|server_tool_use|_call","status/);
    }
  });
});

function piece(delta: object, finish_reason: string | null = null): object {
  return { id: 'gen-1', created: 1, choices: [{ index: 0, delta, finish_reason }] };
}

test('goes back as it came: what OpenRouter tells of its reasoning, in pieces', () => {
  const detail = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 };
  const events = [
    piece({ reasoning: 'Let me ', reasoning_details: [{ ...detail, text: 'Let me ' }] }),
    piece({ reasoning: 'look.', reasoning_details: [{ ...detail, text: 'look.' }] }),
    piece({ reasoning_details: [{ ...detail, signature: 'c2ln' }] }),
    piece({ content: 'Here.' }, 'stop'),
  ];
  expect(sentAgain('openai-chat', events)).toEqual([
    {
      role: 'assistant',
      content: 'Here.',
      reasoning: 'Let me look.',
      reasoning_details: [{ ...detail, text: 'Let me look.', signature: 'c2ln' }],
    },
  ]);
});

test('a message of Chat Completions has words, however few, unless it has calls', () => {
  const thought = { role: 'assistant', content: null, reasoning_content: 'Hm.' };
  const body = { id: 'x', choices: [{ index: 0, message: thought, finish_reason: 'length' }] };
  expect(sentAgain('openai-chat', [body])).toEqual([{ ...thought, content: '' }]);
});

describe('reasoning of the Responses API', () => {
  const call = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'look', arguments: '{}', status: 'completed' };
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] };
  const rows: [string, Item, boolean][] = [
    ['that is encrypted', { ...reasoning, encrypted_content: 'gAAA' }, true],
    ['that is told in plain words', { ...reasoning, content: [{ type: 'reasoning_text', text: 'Hm.' }] }, true],
    ['of which only a summary came', reasoning, false],
    ['of which only a summary came, and no secret', { ...reasoning, encrypted_content: null, content: [] }, false],
  ];
  test.each(rows)('%s: goes back only where it carries itself', (_, item, returns) => {
    const body = { object: 'response', status: 'completed', output: [item, call] };
    expect(sentAgain('openai-responses', [body])).toEqual(returns ? [item, call] : [call]);
    const events = decodeAll('openai-responses', [body]);
    const [thought] = events.flatMap((event) => (event.type === 'block-end' ? [event.block] : []));
    expect(thought).toMatchObject({ type: 'thinking', text: 'Hm.' });
    expect(thought && 'seal' in thought).toBe(returns);
  });
});

test('a text that stayed empty does not go back: no text may be empty', () => {
  const events = [
    { type: 'message_start', message: { id: 'm', usage: {} } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: [] } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'c', name: 'look', input: {} } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: {} },
    { type: 'message_stop' },
  ];
  const content = [{ type: 'tool_use', id: 'c', name: 'look', input: {} }];
  expect(sentAgain('anthropic-messages', events)).toEqual([{ role: 'assistant', content }]);
});

test('goes back as it came: the thinking and the calls of Ollama', () => {
  const line = { model: 'qwen3-vl', created_at: '2026-01-01T00:00:00.000000001Z' };
  const call = { function: { name: 'look', arguments: { at: 'me' } } };
  const events = [
    { ...line, message: { role: 'assistant', content: '', thinking: 'Hm' }, done: false },
    { ...line, message: { role: 'assistant', content: '', thinking: '.' }, done: false },
    { ...line, message: { role: 'assistant', content: '', tool_calls: [call] }, done: false },
    { ...line, message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
  ];
  const id = expect.stringMatching(/^call_\w{11}$/);
  expect(sentAgain('ollama', events)).toEqual([
    { role: 'assistant', content: '', thinking: 'Hm.', tool_calls: [{ id, ...call }] },
  ]);
});

test('goes back as it came: redacted thinking, citations and a compaction of Anthropic, streamed', () => {
  const events = [
    { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'compaction', content: null } },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'compaction_delta', content: 'Earlier …', encrypted_content: 'e' },
    },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'ZGF0YQ' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '', citations: [] } },
    { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'It is so.' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'citations_delta', citation: { type: 'page_location' } } },
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];
  expect(sentAgain('anthropic-messages', events)).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'compaction', content: 'Earlier …', encrypted_content: 'e' },
        { type: 'redacted_thinking', data: 'ZGF0YQ' },
        { type: 'text', text: 'It is so.', citations: [{ type: 'page_location' }] },
      ],
    },
  ]);
});
