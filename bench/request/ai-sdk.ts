// Vercel AI SDK: `generateText` with a fetch that keeps the body.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, tool } from 'ai';
import type { ModelMessage } from 'ai';
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
import type { RequestInput } from './task.ts';

const task: Task<RequestInput, unknown> = requestTask(async (input) => {
  const data = base64Of(input);
  return (pictures) => {
    const messages = messagesOf(data.slice(0, pictures));
    return async (sink) => {
      await generateText({
        model: modelOf(input.wire, sink),
        tools: { [toolName]: tool({ description: toolDescription, inputSchema: jsonSchema(toolSchema) }) },
        messages,
        maxOutputTokens: 1024,
        maxRetries: 0,
      }).catch(() => undefined); // the capturing server always answers 400
    };
  };
});
export default task;

function modelOf(wire: RequestInput['wire'], sink: Sink): Parameters<typeof generateText>[0]['model'] {
  const settings = { apiKey: 'none', fetch: capture(() => sink) };
  return wire === 'openai-chat' ? createOpenAI(settings).chat(models[wire]) : createAnthropic(settings)(models[wire]);
}

function messagesOf(data: readonly string[]): ModelMessage[] {
  const turns = data.flatMap((base64, turn): ModelMessage[] => {
    const call = { toolCallId: `call_${turn}`, toolName };
    const value = [
      { type: 'text' as const, text: resultText(turn) },
      { type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: base64 } },
    ];
    return [
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'content', value } }] },
    ];
  });
  return [{ role: 'user', content: question }, ...turns];
}
