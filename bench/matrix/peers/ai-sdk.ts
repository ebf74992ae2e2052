// Vercel AI SDK: `generateText` with its own providers, and the community's for Ollama.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, tool, wrapLanguageModel } from 'ai';
import type { LanguageModel, ModelMessage } from 'ai';
import { createOllama } from 'ai-sdk-ollama';
import { NotOffered, peerTask } from '../peer.ts';
import type { Ask, Captured, PeerInput, Peer } from '../peer.ts';
import { question, toolDescription, toolName, toolSchema } from '../probes.ts';
import type { Item, Probe } from '../probes.ts';
import type { Task } from '../../harness.ts';
import { sightlineMiddleware } from '../../../src/ai-sdk/index.ts';

export const peer: Peer = {
  columns: ['anthropic', 'chat', 'responses', 'gemini-2.5', 'gemini-3', 'ollama'],
  send: async (ask) => {
    await generateText({
      model: wrapped(ask),
      tools: { [toolName]: tool({ description: toolDescription, inputSchema: jsonSchema(toolSchema) }) },
      messages: messagesOf(ask.probe),
      maxOutputTokens: 1024,
      maxRetries: 0,
    });
  },
};
const task: Task<PeerInput, Captured[]> = peerTask(peer);
export default task;

function wrapped(ask: Ask): Exclude<LanguageModel, string> {
  const model = modelOf(ask);
  if (ask.underneath !== 'sightlineMiddleware' || model.specificationVersion !== 'v4') return model;
  return wrapLanguageModel({ model, middleware: sightlineMiddleware() });
}

export function modelOf({ column, model, url, fetch }: Ask): Exclude<LanguageModel, string> {
  const settings = { apiKey: 'none', fetch };
  switch (column) {
    case 'anthropic':
      return createAnthropic({ ...settings, baseURL: `${url}/v1` })(model);
    case 'chat':
      return createOpenAI({ ...settings, baseURL: `${url}/v1` }).chat(model);
    case 'responses':
      return createOpenAI({ ...settings, baseURL: `${url}/v1` }).responses(model);
    case 'gemini-2.5':
    case 'gemini-3':
      return createGoogle({ ...settings, baseURL: `${url}/v1beta` })(model);
    case 'ollama':
      return createOllama({ baseURL: url, fetch })(model);
  }
}

export function messagesOf(probe: Probe): ModelMessage[] {
  // A failed result is words or JSON here; there is none with a picture.
  if (probe.results.some(({ isError }) => isError)) throw new NotOffered();
  const { thinking } = probe;
  const thought = thinking && {
    type: 'reasoning' as const,
    text: thinking.text,
    providerOptions: { anthropic: { signature: thinking.signature } },
  };
  const calls = probe.results.map(({ id }) => ({ type: 'tool-call' as const, toolCallId: id, toolName, input: {} }));
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: [...(thought ? [thought] : []), ...calls] },
    {
      role: 'tool',
      content: probe.results.map(({ id, items }) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName,
        output: { type: 'content', value: items.map(partOf) },
      })),
    },
  ];
}

export type Part =
  | { type: 'text'; text: string }
  | { type: 'file'; mediaType: string; filename: string; data: { type: 'data'; data: string } };

export function partOf(item: Item): Part {
  if ('text' in item) return { type: 'text', text: item.text };
  const { mediaType, name, base64 } = item.medium;
  return { type: 'file', mediaType, filename: name, data: { type: 'data', data: base64 } };
}
