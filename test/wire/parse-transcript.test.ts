// Transcripts in the spelling of other APIs: calls and results arrive as what they are.
import { expect, test } from 'vitest';
import { parseTranscript } from '../../src/wire/parse-transcript.ts';
import { cpuMs } from '../cpu.ts';

function messagesOf(messages: unknown[]): unknown {
  const read = parseTranscript({ messages });
  return read.ok ? read.value.messages : read.refusal.what;
}

const call = { type: 'call', id: 'c1', name: 'look', input: { at: 'door' } };

test('calls beside the content are calls', () => {
  const openai = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"door"}' } }],
  };
  expect(messagesOf([openai])).toEqual([{ role: 'assistant', content: [call] }]);
});

test('a tool message without a name takes the name of its call', () => {
  const asked = { role: 'assistant', content: [call] };
  const answered = { role: 'tool', tool_call_id: 'c1', content: 'a door' };
  expect(messagesOf([asked, answered])).toMatchObject([{}, { role: 'tool', callId: 'c1', name: 'look' }]);
});

const talk = (turns: number): unknown[] =>
  Array.from({ length: turns }, (_, at) => [
    {
      role: 'assistant',
      tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'look', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `c${at}`, content: 'a door' },
  ]).flat();

const reading = async (turns: number): Promise<number> => await cpuMs(() => messagesOf(talk(turns)));

test('a long conversation costs what it says, and not what it says times its length', async () => {
  await reading(1000); // compiled
  const few = await reading(1000);
  expect(await reading(16_000)).toBeLessThan(200 + 60 * few); // 16 times as many; each looking at each would be 256
});

test('results inside a user message are results, and the words beside them stay the words of the user', () => {
  const asked = { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { at: 'door' } }] };
  const answered = {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'c1', is_error: true, content: [{ type: 'text', text: 'locked' }] },
      { type: 'text', text: 'try again' },
    ],
  };
  expect(messagesOf([asked, answered])).toMatchObject([
    { role: 'assistant', content: [call] },
    { role: 'tool', callId: 'c1', name: 'look', isError: true, content: [{ type: 'text', text: 'locked' }] },
    { role: 'user', content: [{ type: 'text', text: 'try again' }] },
  ]);
});

test('fields that are null are left out', () => {
  const messages = [{ role: 'user', content: 'Hi.' }];
  expect(parseTranscript({ system: null, tools: null, messages })).toEqual(parseTranscript({ messages }));
});

test('what is for the user only does not reach the model', () => {
  const part = { type: 'text', text: 'psst', annotations: { audience: ['user'] } };
  const answered = { role: 'tool', callId: 'c1', name: 'look', content: [part, { type: 'text', text: 'seen' }] };
  expect(messagesOf([answered])).toMatchObject([{ content: [{ text: 'seen' }] }]);
});

test('thinking that Anthropic signed can go back to the model that the message names', () => {
  const thinking = { type: 'thinking', thinking: 'hm', signature: 'abc' };
  const named = { role: 'assistant', model: 'anthropic/claude-sonnet-4-5', content: [thinking] };
  expect(messagesOf([named])).toMatchObject([
    { content: [{ type: 'thinking', seal: { model: 'claude-sonnet-4-5', item: thinking } }] },
  ]);
  expect(messagesOf([{ role: 'assistant', content: [thinking] }])).toEqual([
    { role: 'assistant', content: [{ type: 'thinking', text: 'hm' }] },
  ]);
});

test('our own messages come back whole', () => {
  const own = {
    role: 'assistant',
    model: 'ollama/x',
    content: [call],
    usage: { inputTokens: 1, outputTokens: 2 },
    stop: 'calls',
  };
  const answered = {
    role: 'tool',
    callId: 'c1',
    name: 'look',
    content: [{ type: 'text', text: 'seen' }],
    details: { rows: 3 },
  };
  expect(messagesOf([own, answered])).toEqual([own, answered]);
});

const text = (words: string) => [{ type: 'text' as const, text: words }];

test('calls without ids are answered by the results of their own tools', async () => {
  const { pair } = await import('../../src/message/pair.ts');
  const { items } = pair([
    {
      role: 'assistant',
      model: '',
      content: [
        { type: 'call', id: '', name: 'left', input: {} },
        { type: 'call', id: '', name: 'right', input: {} },
      ],
    },
    { role: 'tool', callId: '', name: 'right', content: text('right data') },
    { role: 'tool', callId: '', name: 'left', content: text('left data') },
  ]);
  const batch = items[1];
  expect(batch?.role === 'batch' && batch.results.map(({ content }) => content)).toEqual([
    text('left data'),
    text('right data'),
  ]);
});

test('a result that Loom stored as JSON is its words and media; other JSON stays text', () => {
  const stored = JSON.stringify({ success: true, output: 'Saved.', error: null, files_changed: ['a.txt'] });
  const plain = JSON.stringify({ success: true, output: 'Saved.' });
  const answer = { role: 'tool', callId: 'c1', name: 'look' };
  expect(messagesOf([{ ...answer, content: stored }])).toEqual([
    { ...answer, content: [{ type: 'text', text: 'Saved.' }] },
  ]);
  for (const content of [plain, '{"success', '{"error":1,"files_changed":[],"success":"yes","output":""}'])
    expect(messagesOf([{ ...answer, content }])).toEqual([{ ...answer, content: [{ type: 'text', text: content }] }]);
});
