// Ourselves: `prepare`, and the streamed body sent by a bare fetch.
import { prepare } from '../../../src/index.ts';
import type { BlockInput, MessageInput, ToolSpec } from '../../../src/index.ts';
import type { PeerInput, Captured, Column } from '../peer.ts';
import { peerTask } from '../peer.ts';
import { question, thinker, toolDescription, toolName, toolSchema } from '../probes.ts';
import type { Item, Probe } from '../probes.ts';
import type { Task } from '../../harness.ts';

/** The endpoint and the path of each API. */
export const places: Record<Column, [endpoint: string, path: string]> = {
  anthropic: ['anthropic', ''],
  chat: ['openai-chat', '/v1'],
  responses: ['openai', '/v1'],
  'gemini-2.5': ['gemini', '/v1beta'],
  'gemini-3': ['gemini', '/v1beta'],
  ollama: ['ollama', ''],
};

const task: Task<PeerInput, Captured[]> = peerTask({
  columns: ['anthropic', 'chat', 'responses', 'gemini-2.5', 'gemini-3', 'ollama'],
  send: async ({ probe, column, model, url }) => {
    const [endpoint, path] = places[column];
    const request = await prepare(transcriptOf(probe), { model: `${endpoint}/${model}`, baseUrl: `${url}${path}` });
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: { ...request.headers, 'content-length': String(request.contentLength) },
      body: request.stream(),
      duplex: 'half',
    };
    await fetch(request.url, init);
  },
});
export default task;

export function transcriptOf(probe: Probe): { tools: ToolSpec[]; messages: MessageInput[] } {
  const calls = probe.results.map(({ id }): BlockInput => ({ type: 'call', id, name: toolName, input: {} }));
  const messages: MessageInput[] = [
    { role: 'user', content: question },
    { role: 'assistant', content: [...thoughtOf(probe), ...calls], model: `anthropic/${thinker}` },
    ...probe.results.map(({ id, items, isError }): MessageInput => {
      const content = items.map(blockOf);
      return { role: 'tool', callId: id, name: toolName, content, ...(isError && { isError }) };
    }),
  ];
  return { tools: [{ name: toolName, description: toolDescription, inputSchema: toolSchema }], messages };
}

function thoughtOf({ thinking }: Probe): BlockInput[] {
  if (!thinking) return [];
  const { text, signature } = thinking;
  const item = { type: 'thinking', thinking: text, signature };
  const seal = { wire: 'anthropic-messages', endpoint: 'anthropic', model: thinker, item };
  return [{ type: 'thinking', text, seal }];
}

function blockOf(item: Item): BlockInput {
  if ('text' in item) return { type: 'text', text: item.text };
  const { kind, base64, name } = item.medium;
  const type = kind === 'image' || kind === 'audio' ? kind : 'document';
  return { type, data: Buffer.from(base64, 'base64'), name };
}
