// Our own gateway, asked in the two dialects that the others are asked in.
import { openGateway } from '../../../src/gateway/index.ts';
import type { Task } from '../../harness.ts';
import { askGateway, chatBody, messagesBody } from '../dialects.ts';
import { peerTask } from '../peer.ts';
import type { Ask, Captured, PeerInput } from '../peer.ts';
import { places } from './sightline.ts';

export const columns = ['anthropic', 'chat', 'responses', 'gemini-2.5', 'gemini-3', 'ollama'] as const;

async function through({ column, model, url }: Ask, path: string, body: object): Promise<void> {
  const [endpoint, base] = places[column];
  const target = { model: `${endpoint}/${model}` as const, baseUrl: `${url}${base}`, key: 'none' };
  await using gateway = await openGateway({ port: 0, models: { target } });
  await askGateway(`${gateway.url}${path}`, body);
}

/** Asked in Anthropic Messages. */
export const inMessages: Task<PeerInput, Captured[]> = peerTask({
  columns,
  send: async (ask) => through(ask, '/v1/messages', messagesBody(ask.probe, 'target')),
});

/** Asked in OpenAI Chat. */
export const inChat: Task<PeerInput, Captured[]> = peerTask({
  columns,
  send: async (ask) => through(ask, '/v1/chat/completions', chatBody(ask.probe, 'target')),
});
