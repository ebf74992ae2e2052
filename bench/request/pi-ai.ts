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

type Api = 'anthropic-messages' | 'openai-completions';

const apis: Record<WireName, Api> = { 'anthropic-messages': 'anthropic-messages', 'openai-chat': 'openai-completions' };
const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

const task: Task<RequestInput, unknown> = requestTask(async (input) => {
  const data = base64Of(input);
  const model = modelOf(input.wire);
  return (pictures) => {
    const context = contextOf(model, data.slice(0, pictures));
    return async (sink: Sink) => {
      globalThis.fetch = capture(() => sink);
      await complete(model, context, { apiKey: 'none', maxTokens: 1024, maxRetries: 0 });
    };
  };
});
export default task;

function modelOf(wire: WireName): Model<Api> {
  const chat = wire === 'openai-chat';
  return {
    id: models[wire],
    name: models[wire],
    api: apis[wire],
    provider: chat ? 'openai' : 'anthropic',
    baseUrl: chat ? 'http://127.0.0.1/v1' : 'http://127.0.0.1',
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
