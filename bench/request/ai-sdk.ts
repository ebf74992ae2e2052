// Vercel AI SDK: `generateText` with a fetch that keeps the body.
import { generateText, jsonSchema, tool } from 'ai';
import type { LanguageModel, ModelMessage } from 'ai';
import type { Task } from '../harness.ts';
import type { Sink } from '../measure.ts';
import {
  base64Of,
  capture,
  mediaTypes,
  models,
  question,
  requestTask,
  resultText,
  toolDescription,
  toolName,
  toolSchema,
} from './task.ts';
import type { Kind, RequestInput } from './task.ts';

const task: Task<RequestInput, unknown> = requestTask(async (input) => {
  const data = base64Of(input);
  const modelOf = await provider(input.wire);
  return (count) => {
    const messages = messagesOf(data.slice(0, count), input.kind);
    return async (sink) => {
      await generateText({
        model: modelOf(sink),
        tools: { [toolName]: tool({ description: toolDescription, inputSchema: jsonSchema(toolSchema) }) },
        messages,
        maxOutputTokens: 1024,
        maxRetries: 0,
      }).catch(() => undefined); // the capturing server always answers 400
    };
  };
});
export default task;

function settings(sink: Sink): { apiKey: string; fetch: typeof fetch } {
  return { apiKey: 'none', fetch: capture(() => sink) };
}

/** Only the provider that is measured is loaded. */
async function provider(wire: RequestInput['wire']): Promise<(sink: Sink) => LanguageModel> {
  const model = models[wire];
  switch (wire) {
    case 'anthropic-messages': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return (sink) => createAnthropic(settings(sink))(model);
    }
    case 'openai-chat': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return (sink) => createOpenAI(settings(sink)).chat(model);
    }
    case 'openai-responses': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return (sink) => createOpenAI(settings(sink)).responses(model);
    }
    case 'gemini': {
      const { createGoogle } = await import('@ai-sdk/google');
      return (sink) => createGoogle(settings(sink))(model);
    }
    case 'ollama': {
      const { createOllama } = await import('ai-sdk-ollama');
      return (sink) => createOllama({ baseURL: 'http://127.0.0.1', fetch: capture(() => sink) })(model);
    }
  }
}

function messagesOf(data: readonly string[], kind: Kind): ModelMessage[] {
  const turns = data.flatMap((base64, turn): ModelMessage[] => {
    const call = { toolCallId: `call_${turn}`, toolName };
    const value = [
      { type: 'text' as const, text: resultText(turn) },
      { type: 'file' as const, mediaType: mediaTypes[kind], data: { type: 'data' as const, data: base64 } },
    ];
    return [
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'content', value } }] },
    ];
  });
  return [{ role: 'user', content: question }, ...turns];
}
