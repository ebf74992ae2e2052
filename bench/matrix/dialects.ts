// The probes as clients write them, for gateways: what a tool returned, in the words of the client's own API.
import { NotOffered } from './peer.ts';
import { question, toolDescription, toolName, toolSchema } from './probes.ts';
import type { Item, Probe } from './probes.ts';

/** Anthropic Messages, as Claude Code sends them. */
export function messagesBody(probe: Probe, model: string): object {
  const { thinking } = probe;
  const thought = thinking ? [{ type: 'thinking', thinking: thinking.text, signature: thinking.signature }] : [];
  const calls = probe.results.map(({ id }) => ({ type: 'tool_use', id, name: toolName, input: {} }));
  const results = probe.results.map(({ id, items, isError }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: items.map(messagesPart),
    ...(isError && { is_error: true }),
  }));
  return {
    model,
    max_tokens: 1024,
    tools: [{ name: toolName, description: toolDescription, input_schema: toolSchema }],
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: [...thought, ...calls] },
      { role: 'user', content: results },
    ],
  };
}

function messagesPart(item: Item): object {
  if ('text' in item) return { type: 'text', text: item.text };
  const { kind, mediaType, base64 } = item.medium;
  if (kind !== 'image' && kind !== 'pdf') throw new NotOffered();
  const source = { type: 'base64', media_type: mediaType, data: base64 };
  return { type: kind === 'image' ? 'image' : 'document', source };
}

/** OpenAI Chat, with media as parts of the result, as clients write them for servers that take more than OpenAI's. */
export function chatBody(probe: Probe, model: string): object {
  if (probe.thinking || probe.results.some(({ isError }) => isError)) throw new NotOffered(); // no field for either
  const calls = probe.results.map(({ id }) => ({
    id,
    type: 'function',
    function: { name: toolName, arguments: '{}' },
  }));
  return {
    model,
    tools: [{ type: 'function', function: { name: toolName, description: toolDescription, parameters: toolSchema } }],
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: null, tool_calls: calls },
      ...probe.results.map(({ id, items }) => ({ role: 'tool', tool_call_id: id, content: items.map(chatPart) })),
    ],
  };
}

function chatPart(item: Item): object {
  if ('text' in item) return { type: 'text', text: item.text };
  const { kind, mediaType, name, base64 } = item.medium;
  const url = `data:${mediaType};base64,${base64}`;
  if (kind === 'image') return { type: 'image_url', image_url: { url } };
  if (kind === 'audio') return { type: 'input_audio', input_audio: { data: base64, format: 'wav' } };
  if (kind === 'pdf') return { type: 'file', file: { filename: name, file_data: url } };
  throw new NotOffered();
}

/** Asks a gateway. Throws what it says when it does not answer. */
export async function askGateway(address: string, body: object, headers: Record<string, string> = {}): Promise<void> {
  const given = {
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    'x-api-key': 'none',
    ...headers,
  };
  const response = await fetch(address, { method: 'POST', headers: given, body: JSON.stringify(body) });
  const words = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${words}`);
}
