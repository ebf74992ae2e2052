// Two turns on every wire, over a real connection: a call with thinking, its picture, and the answer.
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { image } from '../../src/content/input.ts';
import { collector } from '../../src/message/collect.ts';
import type { AssistantMessage, MessageInput } from '../../src/message/message.ts';
import { answer } from '../../src/model/answer.ts';
import type { AnswerEvent } from '../../src/model/answer.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Ledger } from '../../src/window/ledger.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const tools = [{ name: 'shot', description: 'Takes a picture.', inputSchema: { type: 'object' } }] as const;

const models: [string, string][] = [
  ['anthropic/claude-sonnet-4-5', ''],
  ['openai/gpt-5.2', '/v1'],
  ['openai-chat/gpt-4.1', '/v1'],
  ['azure/mine', '/openai/v1'],
  ['gemini/gemini-2.5-pro', '/v1beta'],
  ['ollama/qwen3-vl', ''],
  ['mistral/pixtral-large-latest', '/v1'],
];

test.each(models)('%s calls, sees and answers; the second request only appends', async (model, path) => {
  const steps = [
    { thinking: 'I need a picture.', calls: [{ id: 'abcdefghi', name: 'shot', input: { deep: ['ä', 1] } }] },
    { text: 'It is one pixel. 😀', writeBytes: 3 },
  ];
  await using server = await scriptedServer(script(steps));
  const options = { model, baseUrl: server.url + path, key: 'k', assets: memoryAssets() };
  let ledger: Ledger | undefined;
  const ask = async (messages: readonly MessageInput[]): Promise<{ said: AssistantMessage; events: AnswerEvent[] }> => {
    const collected = collector();
    const events: AnswerEvent[] = [];
    for await (const event of answer({ messages, tools }, { ...options, ledger })) {
      events.push(event);
      if (event.type === 'request-accepted') ({ ledger } = event);
      else if (event.type !== 'request-ready' && event.type !== 'request-healed') collected.push(event);
    }
    return { said: collected.message(), events };
  };
  const begin: MessageInput[] = [{ role: 'user', content: 'Look' }];
  const first = await ask(begin);
  expect(first.events.map(({ type }) => type).slice(0, 2)).toEqual(['request-ready', 'message-start']);
  expect(first.said).toMatchObject({ model: model.replace('google', 'gemini'), stop: 'calls' });
  const call = first.said.content.find((block) => block.type === 'call');
  expect(call).toMatchObject({ name: 'shot', input: { deep: ['ä', 1] } });
  const result: MessageInput = { role: 'tool', callId: call?.id ?? '', name: 'shot', content: image({ data: png }) };
  const second = await ask([...begin, first.said, result]);
  expect(second.events.some(({ type }) => type === 'request-accepted')).toBe(true);
  expect(second.said.content).toMatchObject([{ type: 'text', text: 'It is one pixel. 😀' }]);
  const ready = second.events.find((event) => event.type === 'request-ready');
  expect(ready?.receipts.filter(({ action }) => action === 'checkpoint')).toEqual([]);
  expect(ready?.bytes).toBe(server.requests.findLast(({ wire }) => wire !== undefined)?.bytes);
});
