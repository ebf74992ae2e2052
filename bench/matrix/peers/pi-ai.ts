// pi-ai: `complete` with its own clients, which take the global fetch.
import { complete } from '@earendil-works/pi-ai/compat';
import type { Context, Message, Model } from '@earendil-works/pi-ai/compat';
import { NotOffered, peerTask } from '../peer.ts';
import type { Ask, Captured, Column, PeerInput, Peer } from '../peer.ts';
import { mediaOf, question, thinker, toolDescription, toolName, toolSchema } from '../probes.ts';
import type { Item, Probe } from '../probes.ts';
import type { Task } from '../../harness.ts';

type Api = 'anthropic-messages' | 'openai-completions' | 'openai-responses' | 'google-generative-ai';
type Place = { api: Api; provider: string; path: string };

const gemini: Place = { api: 'google-generative-ai', provider: 'google', path: '/v1beta' };
const places: Partial<Record<Column, Place>> = {
  anthropic: { api: 'anthropic-messages', provider: 'anthropic', path: '' },
  chat: { api: 'openai-completions', provider: 'openai', path: '/v1' },
  responses: { api: 'openai-responses', provider: 'openai', path: '/v1' },
  'gemini-2.5': gemini,
  'gemini-3': gemini,
};
const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export const peer: Peer = {
  columns: ['anthropic', 'chat', 'responses', 'gemini-2.5', 'gemini-3'],
  send: async (ask) => {
    const options = { apiKey: 'none', maxTokens: 1024, maxRetries: 0 };
    const { errorMessage } = await complete(modelOf(ask), contextOf(ask.probe), options);
    if (errorMessage !== undefined) throw new Error(errorMessage);
  },
};
const task: Task<PeerInput, Captured[]> = peerTask(peer);
export default task;

function modelOf({ column, model, url }: Ask): Model<Api> {
  const place = places[column];
  if (!place) throw new NotOffered();
  return {
    id: model,
    name: model,
    api: place.api,
    provider: place.provider,
    baseUrl: `${url}${place.path}`,
    reasoning: false,
    input: ['text', 'image'],
    cost: noCost,
    contextWindow: 200_000,
    maxTokens: 4096,
  };
}

function contextOf(probe: Probe): Context {
  // Its results are words and pictures; it has no type for anything else.
  if (mediaOf(probe).some(({ medium }) => medium.kind !== 'image')) throw new NotOffered();
  const { thinking } = probe;
  const thought = thinking && {
    type: 'thinking' as const,
    thinking: thinking.text,
    thinkingSignature: thinking.signature,
  };
  const asked: Message = {
    role: 'assistant',
    content: [
      ...(thought ? [thought] : []),
      ...probe.results.map(({ id }) => ({ type: 'toolCall' as const, id, name: toolName, arguments: {} })),
    ],
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: thinker,
    usage: { ...noCost, totalTokens: 0, cost: { ...noCost, total: 0 } },
    stopReason: 'toolUse',
    timestamp: 1,
  };
  const results = probe.results.map(({ id, items, isError }): Message => {
    const about = { toolCallId: id, toolName, isError: isError ?? false, timestamp: 2 };
    return { role: 'toolResult', ...about, content: items.map(blockOf) };
  });
  return {
    tools: [{ name: toolName, description: toolDescription, parameters: toolSchema }],
    messages: [{ role: 'user', content: question, timestamp: 0 }, asked, ...results],
  };
}

function blockOf(item: Item): { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string } {
  if ('text' in item) return { type: 'text', text: item.text };
  return { type: 'image', data: item.medium.base64, mimeType: item.medium.mediaType };
}
