// The planner's small promises: what a result without text says, which ids go out, what an assistant may say.
import { describe, expect, test } from 'vitest';
import type { Block } from '../../src/content/block.ts';
import type { Message } from '../../src/message/message.ts';
import { schemaErrors } from '../judge/judge.ts';
import { models, onePerWire, profileOf } from '../laws/models.ts';
import { read } from '../laws/reading.ts';
import type { Result } from '../laws/reading.ts';
import { put, writeOutline } from '../laws/world.ts';
import type { Written } from '../laws/world.ts';

const picture: Block = { type: 'image', asset: put('png', 'image/png', 'door.png'), width: 640, height: 480 };
const go: Message = { role: 'user', content: [{ type: 'text', text: 'Go.' }] };

function turn(content: Block[], isError: boolean, id = 'c1'): Message[] {
  return [
    go,
    { role: 'assistant', model: 'a/b', content: [{ type: 'call', id, name: 'shot', input: {} }] },
    { role: 'tool', callId: id, name: 'shot', content, ...(isError && { isError }) },
  ];
}

async function send(model: string, messages: Message[]): Promise<Written> {
  return writeOutline({ transcript: { version: 1, messages }, model });
}

async function resultOf(model: string, content: Block[], isError: boolean): Promise<Result | undefined> {
  const { body } = await send(model, turn(content, isError));
  return read(profileOf(model).wire, body).flatMap((entry) => (entry.role === 'results' ? entry.results : []))[0];
}

describe.each(models)('a result on %s', (model) => {
  test('that is empty says that the tool is done', async () => {
    for (const content of [[], [{ type: 'text', text: ' \n' } as const]]) {
      const result = await resultOf(model, content, false);
      expect(result).toMatchObject({ text: 'Tool completed successfully (no output).', isError: false });
    }
  });

  test('that failed without a word is not called a success', async () => {
    const result = await resultOf(model, [], true);
    expect(result?.isError).toBe(true);
    expect(result?.text).not.toMatch(/success/i);
    expect(result?.text.trim()).not.toBe('');
  });

  test('that is only a picture does not say that there is no output', async () => {
    expect((await resultOf(model, [picture], false))?.text).not.toContain('no output');
  });

  test('that failed is flagged, and its words arrive', async () => {
    const result = await resultOf(model, [{ type: 'text', text: 'the door is locked' }, picture], true);
    expect(result?.isError).toBe(true);
    expect(result?.text).toContain('the door is locked');
    if (!['anthropic-messages', 'gemini', 'bedrock-converse'].includes(profileOf(model).wire))
      expect(result?.text).toMatch(/^Error:/);
  });

  test('whose words already say that it failed is not told so twice', async () => {
    const result = await resultOf(model, [{ type: 'text', text: 'Error: the door is locked' }], true);
    expect(result?.text).toBe('Error: the door is locked');
  });
});

const ids: [string, string, boolean][] = [
  ['anthropic/claude-sonnet-4-5', 'toolu_01-A', true],
  ['anthropic/claude-sonnet-4-5', 'functions.read:0', false],
  ['anthropic/claude-sonnet-4-5', 'x'.repeat(65), false],
  ['openai/gpt-5.4', 'functions.read:0', true],
  ['openai/gpt-5.4', 'x'.repeat(65), false],
  ['openai-chat/gpt-4.1', 'x'.repeat(40), true],
  ['openai-chat/gpt-4.1', 'x'.repeat(41), false],
  ['gemini/gemini-3-pro-preview', 'x'.repeat(65), true],
  ['ollama/qwen3-vl', 'two\nlines', false],
];

test.each(ids)('%s with the call id %j keeps it: %s', async (model, id, kept) => {
  const { body } = await send(model, turn([], false, id));
  const entries = read(profileOf(model).wire, body);
  const [sent] = entries.flatMap((entry) => (entry.role === 'assistant' ? entry.calls : []));
  expect(sent?.id === id).toBe(kept);
  expect(sent?.id).toMatch(new RegExp(profileOf(model).callId.pattern));
  expect(sent?.id.length).toBeLessThanOrEqual(profileOf(model).callId.max);
});

describe.each(onePerWire)('an assistant on %s', (model) => {
  test('that shows a picture is told in words, with a receipt that names the asset', async () => {
    const messages: Message[] = [go, { role: 'assistant', model: 'a/b', content: [picture] }, go];
    const { body, receipts } = await send(model, messages);
    expect(JSON.stringify(body)).toContain('door.png');
    expect(receipts.filter(({ action }) => action === 'words').map(({ asset }) => asset)).toEqual([
      put('png', 'image/png').id,
    ]);
  });

  test('that said nothing we may send leaves no empty message', async () => {
    const messages: Message[] = [
      go,
      { role: 'assistant', model: 'a/b', content: [{ type: 'thinking', text: 'Hm.' }] },
      go,
    ];
    const { body, receipts } = await send(model, messages);
    expect(read(profileOf(model).wire, body).map(({ role }) => role)).not.toContain('assistant');
    expect(receipts.map(({ action }) => action)).toContain('left-out');
  });
});

test.each(models)('two assistant messages in a row are two of one voice: %s', async (model) => {
  const messages: Message[] = [
    go,
    { role: 'assistant', model: 'a/b', content: [{ type: 'text', text: 'First.' }] },
    { role: 'assistant', model: 'a/b', content: [{ type: 'call', id: 'c1', name: 'shot', input: {} }] },
    { role: 'tool', callId: 'c1', name: 'shot', content: [] },
  ];
  const { body } = await send(model, messages);
  expect(await schemaErrors(profileOf(model).wire, body)).toEqual([]);
  expect(read(profileOf(model).wire, body).map(({ role }) => role)).toEqual(['user', 'assistant', 'results']);
});

test.each(['azure/deployment', 'azure-chat/deployment'])('%s says as what it is planned', async (model) => {
  const { receipts } = await send(model, [go]);
  expect(receipts).toContainEqual(expect.objectContaining({ action: 'assumed', subject: 'gpt-4.1' }));
});

test('a call of another model is signed with the sentinel on Gemini 3 alone, and only the first of a turn', async () => {
  const calls: Message[] = [
    go,
    {
      role: 'assistant',
      model: 'a/b',
      content: ['c1', 'c2'].map((id) => ({ type: 'call', id, name: 'shot', input: {} })),
    },
  ];
  const three = JSON.stringify((await send('gemini/gemini-3-pro-preview', calls)).body);
  expect(three.split('skip_thought_signature_validator')).toHaveLength(2);
  expect(JSON.stringify((await send('gemini/gemini-2.5-pro', calls)).body)).not.toContain('thoughtSignature');
});

const pictures = (from: number, count: number): Block[] =>
  Array.from({ length: count }, (_, at) => {
    const asset = put(`png ${from + at}`, 'image/png', `${from + at}.png`);
    return { type: 'image', asset, width: 640, height: 480 };
  });
const pages = (from: number, count: number): Block[] =>
  Array.from({ length: count }, (_, at) => {
    return { type: 'document', asset: put(`pdf ${from + at}`, 'application/pdf', `${from + at}.pdf`), pages: 1 };
  });

test('results and what a user says right after them are one message of Converse, and together keep to what one may hold', async () => {
  const calls = ['c1', 'c2'].map((id) => ({ type: 'call' as const, id, name: 'shot', input: {} }));
  const model = 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0';
  const { body, receipts } = await send(model, [
    go,
    { role: 'assistant', model: 'a/b', content: calls },
    { role: 'tool', callId: 'c1', name: 'shot', content: [...pictures(0, 8), ...pages(0, 3)] },
    { role: 'tool', callId: 'c2', name: 'shot', content: pictures(20, 8) },
    { role: 'user', content: [...pictures(40, 8), ...pages(10, 4), { type: 'text', text: 'All of them?' }] },
  ]);
  const messages = body['messages'] as object[];
  expect(messages).toHaveLength(3);
  expect(JSON.stringify(messages[2]).match(/"image":/g)).toHaveLength(20);
  expect(JSON.stringify(messages[2]).match(/"document":/g)).toHaveLength(5);
  const left = receipts
    .filter(({ action, subject }) => action === 'words' || subject.startsWith('PDF'))
    .map(({ why }) => why);
  expect(left.filter((why) => why.includes('message'))).toHaveLength(6);
});
