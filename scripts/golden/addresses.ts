// Where the request of each endpoint goes, in plain text: address, headers, how a streamed answer is asked for.
import { prepare } from '../../src/index.ts';
import type { Case, Group } from './case.ts';

const endpoints = [
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-5.4',
  'openai-chat/gpt-4.1',
  'azure/deployment',
  'azure-chat/deployment',
  'gemini/gemini-3-pro-preview',
  'google/gemini-2.5-pro',
  'vertex/gemini-3-pro-preview',
  'vertex-claude/claude-sonnet-4-5',
  'bedrock-claude/anthropic.claude-opus-4-7',
  'bedrock-openai/openai.gpt-5.2',
  'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'ollama/qwen3-vl',
  'openrouter/anthropic/claude-sonnet-4.5',
  'deepseek/deepseek-chat',
  'groq/llama-4',
  'mistral/pixtral-large',
  'xai/grok-4',
  'llamacpp/any',
  'vllm/any',
  'lmstudio/any',
  'compatible/any thing',
];

const transcript = { version: 1 as const, messages: [{ role: 'user' as const, content: 'Hello.' }] };

const ways = [
  { name: 'as it is', access: {} },
  { name: 'another base', access: { baseUrl: 'http://127.0.0.1:9/v1/' } },
  { name: 'a key', access: { key: 'k-1' } },
  { name: 'a token and a version', access: { token: 't-1', apiVersion: '2024-10-21' } },
];

async function addressed(model: (typeof endpoints)[number], access: object): Promise<unknown[]> {
  const { baseUrl, apiVersion } = access as { baseUrl?: string; apiVersion?: string };
  const given = { ...(baseUrl !== undefined && { baseUrl }), ...(apiVersion !== undefined && { apiVersion }) };
  const { url, headers, outgoing } = await prepare(transcript, { model, ...given });
  const { stream, url: to, headers: also } = outgoing(access);
  const body = await new Response(stream()).text();
  return [
    { url, headers },
    { url: to, headers: also, body },
  ];
}

export const addressGroup: Group = {
  name: 'addresses',
  about: 'where the request of each endpoint goes, once whole and once streamed',
  columns: ['whole', 'streamed'],
  async *cases(): AsyncGenerator<Case> {
    for (const model of endpoints)
      for (const { name, access } of ways) yield { name: `${model}, ${name}`, make: () => addressed(model, access) };
  },
};
