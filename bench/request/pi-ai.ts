// pi-ai: its clients take the global fetch, so that is what keeps the body.
import { complete } from '@earendil-works/pi-ai/compat';
import type { Context, Message, Model } from '@earendil-works/pi-ai/compat';
import type { Task } from '../harness.ts';
import type { Sink } from '../measure.ts';
import {
  base64Of,
  capture,
  models,
  question,
  requestTask,
  resultText,
  toolDescription,
  toolName,
  toolSchema,
} from './task.ts';
import type { RequestInput, WireName } from './task.ts';

type Api = 'anthropic-messages' | 'openai-completions' | 'openai-responses' | 'google-generative-ai';
type Place = { api: Api; provider: string; path: string };

const places: Partial<Record<WireName, Place>> = {
  'anthropic-messages': { api: 'anthropic-messages', provider: 'anthropic', path: '' },
  'openai-chat': { api: 'openai-completions', provider: 'openai', path: '/v1' },
  'openai-responses': { api: 'openai-responses', provider: 'openai', path: '/v1' },
  gemini: { api: 'google-generative-ai', provider: 'google', path: '/v1beta' },
};
const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

const task: Task<RequestInput, unknown> = requestTask(async (input) => {
  const place = places[input.wire];
  if (!place || input.kind !== 'image') throw new Error('pi-ai does not offer this');
  const data = base64Of(input);
  const model = modelOf(input.wire, place);
  return (count) => {
    const context = contextOf(model, data.slice(0, count));
    return async (sink: Sink) => {
      globalThis.fetch = capture(() => sink);
      await complete(model, context, { apiKey: 'none', maxTokens: 1024, maxRetries: 0 });
    };
  };
});
export default task;

function modelOf(wire: WireName, { api, provider, path }: Place): Model<Api> {
  return {
    id: models[wire],
    name: models[wire],
    api,
    provider,
    baseUrl: `http://127.0.0.1${path}`,
    reasoning: false,
    input: ['text', 'image'],
    cost: noCost,
    contextWindow: 200_000,
    maxTokens: 4096,
  };
}

function contextOf(model: Model<Api>, data: readonly string[]): Context {
  const turns = data.flatMap((base64, turn): Message[] => [
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id: `call_${turn}`, name: toolName, arguments: {} }],
      api: model.api,
      provider: model.provider,
      model: model.id,
      usage: { ...noCost, totalTokens: 0, cost: { ...noCost, total: 0 } },
      stopReason: 'toolUse',
      timestamp: turn,
    },
    {
      role: 'toolResult',
      toolCallId: `call_${turn}`,
      toolName,
      isError: false,
      timestamp: turn,
      content: [
        { type: 'text', text: resultText(turn) },
        { type: 'image', data: base64, mimeType: 'image/png' },
      ],
    },
  ]);
  return {
    tools: [{ name: toolName, description: toolDescription, parameters: toolSchema }],
    messages: [{ role: 'user', content: question, timestamp: 0 }, ...turns],
  };
}
