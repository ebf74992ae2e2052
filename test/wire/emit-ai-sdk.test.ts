// Another judge of both directions: the AI SDK, whose providers check every answer by schemas of their own, and which
// sends media of tools as each provider's package thinks best.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, streamText, tool } from 'ai';
import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer } from '../../src/model/script/index.ts';

const answer = {
  thinking: 'Hm, let me see.',
  text: 'Yes, it is so. 😀',
  calls: [{ name: 'zoom', input: { x: 1, y: 'zwei' } }],
  usage: { inputTokens: 12, outputTokens: 7, cachedTokens: 3 },
};

let server: ScriptedServer;
beforeAll(async () => {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  server = await scriptedServer(script(() => answer));
});
afterAll(() => server.close());

type Judge = { model: () => LanguageModel; thinks: boolean };

const judges: [string, Judge][] = [
  ['anthropic', { model: () => createAnthropic({ apiKey: 'k', baseURL: `${server.url}/v1` })('m'), thinks: true }],
  ['openai chat', { model: () => createOpenAI({ apiKey: 'k', baseURL: `${server.url}/v1` }).chat('m'), thinks: false }],
  ['openai responses', { model: () => createOpenAI({ apiKey: 'k', baseURL: `${server.url}/v1` }).responses('m'), thinks: true }],
  ['compatible', { model: () => createOpenAICompatible({ name: 'x', apiKey: 'k', baseURL: `${server.url}/v1`, includeUsage: true })('m'), thinks: true }],
  ['google', { model: () => createGoogleGenerativeAI({ apiKey: 'k', baseURL: `${server.url}/v1beta` })('m'), thinks: true }],
]; // prettier-ignore

const tools: ToolSet = {
  zoom: tool({ description: 'Zooms', inputSchema: jsonSchema({ type: 'object', properties: {} }) }),
};

const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const conversation: ModelMessage[] = [
  { role: 'user', content: 'Look closer.' },
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'zoom', input: { x: 2 } }] },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'call_1',
        toolName: 'zoom',
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'Closer:' },
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data } },
          ],
        },
      },
    ],
  },
];

describe.each(judges)('%s', (_name, { model, thinks }) => {
  const asked = { prompt: 'Hi', tools, maxRetries: 0 };

  test('the AI SDK reads a scripted answer, whole and streamed', async () => {
    const whole = await generateText({ ...asked, model: model() });
    const streamed = streamText({ ...asked, model: model() });
    const results = [
      [whole.text, whole.reasoningText, whole.toolCalls, whole.usage, whole.finishReason] as const,
      await Promise.all([
        streamed.text,
        streamed.reasoningText,
        streamed.toolCalls,
        streamed.usage,
        streamed.finishReason,
      ]),
    ];
    for (const [text, thinking, calls, usage, finish] of results) {
      expect(text).toBe(answer.text);
      expect(thinking).toBe(thinks ? answer.thinking : undefined);
      expect(calls).toMatchObject([{ toolName: 'zoom', input: answer.calls[0]?.input }]);
      expect([usage.inputTokens, usage.outputTokens]).toEqual([12, 7]);
      expect(finish).toBe('tool-calls');
    }
  });

  test('a picture that the AI SDK sends in a result is found in the result, or letter for letter in its text', async () => {
    await generateText({ model: model(), messages: conversation, tools, maxRetries: 0 });
    const { messages = [], tools: seen } = server.requests.at(-1)?.transcript ?? {};
    expect(seen).toMatchObject([{ name: 'zoom', description: 'Zooms' }]);
    expect(messages.slice(0, 3).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(messages[1]).toMatchObject({ content: [{ type: 'call', name: 'zoom', input: { x: 2 } }] });
    expect(messages[2]).toMatchObject({ role: 'tool', name: 'zoom' });
    expect(JSON.stringify(messages.slice(2))).toContain('Closer:');
    expect(JSON.stringify(messages.slice(2))).toContain(data);
    const result = messages[2]?.role === 'tool' ? messages[2] : undefined;
    expect(messages[1]).toMatchObject({ content: [{ type: 'call', id: result?.callId }] });
  });
});
