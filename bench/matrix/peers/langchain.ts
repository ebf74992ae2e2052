// LangChain.js: its chat models, given its standard content blocks.
import { ChatAnthropic } from '@langchain/anthropic';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { BaseMessage } from '@langchain/core/messages';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOllama } from '@langchain/ollama';
import { ChatOpenAI } from '@langchain/openai';
import { peerTask } from '../peer.ts';
import type { Ask, Captured, PeerInput, Peer } from '../peer.ts';
import { question, toolDescription, toolName, toolSchema } from '../probes.ts';
import type { Item, Probe } from '../probes.ts';
import type { Task } from '../../harness.ts';

export const peer: Peer = {
  columns: ['anthropic', 'chat', 'responses', 'gemini-2.5', 'gemini-3', 'ollama'],
  send: (ask) => invoke(ask, messagesOf(ask.probe)),
};
const task: Task<PeerInput, Captured[]> = peerTask(peer);
export default task;

const parameters = { name: toolName, description: toolDescription, parameters: toolSchema };

function invoke({ column, model, url, fetch }: Ask, messages: BaseMessage[]): Promise<unknown> {
  const settings = { apiKey: 'none', model, maxRetries: 0 };
  switch (column) {
    case 'anthropic':
      return new ChatAnthropic({ ...settings, maxTokens: 1024, anthropicApiUrl: url, clientOptions: { fetch } })
        .bindTools([{ name: toolName, description: toolDescription, input_schema: toolSchema }])
        .invoke(messages);
    case 'chat':
    case 'responses':
      return new ChatOpenAI({
        ...settings,
        useResponsesApi: column === 'responses',
        configuration: { baseURL: `${url}/v1`, fetch },
      })
        .bindTools([{ type: 'function', function: parameters }])
        .invoke(messages);
    case 'gemini-2.5':
    case 'gemini-3':
      return new ChatGoogleGenerativeAI({ ...settings, baseUrl: url })
        .bindTools([{ functionDeclarations: [{ name: toolName, description: toolDescription }] }])
        .invoke(messages);
    case 'ollama':
      return new ChatOllama({ model, baseUrl: url, fetch, maxRetries: 0 })
        .bindTools([{ type: 'function', function: parameters }])
        .invoke(messages);
  }
}

function messagesOf({ results, thinking }: Probe): BaseMessage[] {
  const thought = thinking ? [{ type: 'thinking', thinking: thinking.text, signature: thinking.signature }] : '';
  const calls = results.map(({ id }) => ({ id, name: toolName, args: {}, type: 'tool_call' as const }));
  return [
    new HumanMessage(question),
    new AIMessage({
      content: thought,
      tool_calls: calls,
      ...(thinking && { response_metadata: { model_provider: 'anthropic' } }),
    }),
    ...results.map(({ id, items, isError }) => {
      const status = isError ? ({ status: 'error' } as const) : {};
      return new ToolMessage({ tool_call_id: id, name: toolName, content: contentOf(items), ...status });
    }),
  ];
}

/** Words alone are a string, as most tools return them. */
function contentOf(items: readonly Item[]): string | Block[] {
  const [first] = items;
  return items.length === 1 && first && 'text' in first ? first.text : items.map(blockOf);
}

type Block = { type: 'text'; text: string } | { type: 'image' | 'audio' | 'file'; mimeType: string; data: string };

function blockOf(item: Item): Block {
  if ('text' in item) return { type: 'text', text: item.text };
  const { kind, mediaType, base64 } = item.medium;
  return { type: kind === 'image' || kind === 'audio' ? kind : 'file', mimeType: mediaType, data: base64 };
}
