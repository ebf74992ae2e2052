// Who hosts a model: where requests go and which headers they need. `prepare` gives addresses without keys; whoever
// sends adds them here. The base URL of a self-hosted or Azure endpoint comes from the caller or the environment.
import type { Access } from '../config/environment.ts';
import type { EndpointName } from '../window/catalog.ts';
import type { Plan } from '../window/plan-types.ts';
import type { Profile } from '../window/profile.ts';

export type Address = { url: string; headers: Record<string, string> };

const bases: Record<Exclude<EndpointName, 'google'>, string> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
  'openai-chat': 'https://api.openai.com/v1',
  azure: 'https://{resource}.openai.azure.com',
  'azure-chat': 'https://{resource}.openai.azure.com',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
  ollama: 'http://localhost:11434',
  openrouter: 'https://openrouter.ai/api/v1',
  deepseek: 'https://api.deepseek.com/v1',
  groq: 'https://api.groq.com/openai/v1',
  mistral: 'https://api.mistral.ai/v1',
  xai: 'https://api.x.ai/v1',
  llamacpp: 'http://localhost:8080/v1',
  vllm: 'http://localhost:8000/v1',
  lmstudio: 'http://localhost:1234/v1',
  compatible: 'http://localhost:8000/v1',
};

/** Where an endpoint begins. People give hosts with and without the part of the path that never changes. */
export function baseOf(endpoint: string, { baseUrl, apiVersion }: Access = {}): string {
  const base = (baseUrl ?? bases[endpoint as keyof typeof bases] ?? '').replace(/\/+$/, '');
  switch (endpoint) {
    case 'anthropic':
      return base.replace(/\/v1$/, '');
    case 'gemini':
      return /\/v\d/.test(base) ? base : `${base}/v1beta`;
    case 'azure':
    case 'azure-chat': {
      const rooted = /\/openai(?:\/v1)?$/.test(base) ? base : `${base}/openai`;
      return rooted.endsWith('/v1') || apiVersion !== undefined ? rooted : `${rooted}/v1`;
    }
    default:
      return base;
  }
}

/** The address of a request. With `streamed`, the one under which the answer comes as a stream. */
export function addressOf(profile: Profile, access: Access = {}, streamed = false): Address {
  const base = baseOf(profile.endpoint, access);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const id = encodeURIComponent(profile.id);
  const isAzure = profile.endpoint === 'azure' || profile.endpoint === 'azure-chat';
  const query = isAzure && access.apiVersion ? `?api-version=${encodeURIComponent(access.apiVersion)}` : '';
  switch (profile.wire) {
    case 'anthropic-messages':
      // The version that the current SDK sends (1.8.0, 2026-11).
      return { url: `${base}/v1/messages`, headers: { ...headers, 'anthropic-version': '2026-10-21' } };
    case 'openai-chat': {
      // Before Azure's v1 route the deployment stood in the path and every request named a version.
      const deployment = query !== '' && !base.endsWith('/v1') ? `/deployments/${id}` : '';
      return { url: `${base}${deployment}/chat/completions${query}`, headers };
    }
    case 'openai-responses':
      return { url: `${base}/responses${query}`, headers };
    case 'gemini': {
      const method = streamed ? 'streamGenerateContent?alt=sse' : 'generateContent';
      return { url: `${base}/models/${id}:${method}`, headers };
    }
    case 'ollama':
      return { url: `${base}/api/chat`, headers };
  }
}

/** What a request needs beside its address, because of what stands in it. */
export function featureHeaders({ options }: Pick<Plan, 'options'>): Record<string, string> {
  return options.dropUnbound ? { 'anthropic-beta': 'thinking-binding-controls-2026-08-01' } : {};
}

/** Headers of several origins; the later one holds, but features are asked for together. */
export function joinedHeaders(
  ...all: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
  const joined: Record<string, string> = Object.assign({}, ...all);
  const features = all.flatMap((one) => one?.['anthropic-beta'] ?? []);
  return features.length < 2 ? joined : { ...joined, 'anthropic-beta': features.join(',') };
}

/** The header that carries a key or a token. */
export function authHeaders(endpoint: string, { key, token }: Access): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (key === undefined) return {};
  switch (endpoint) {
    case 'anthropic':
      return { 'x-api-key': key };
    case 'azure':
    case 'azure-chat':
      return { 'api-key': key };
    case 'gemini':
      return { 'x-goog-api-key': key };
    default:
      return { authorization: `Bearer ${key}` };
  }
}

/** What makes a body ask for a stream; Gemini has an address of its own for it instead. */
export function streamFields({ wire, dialect }: Profile): { readonly [field: string]: unknown } {
  switch (wire) {
    case 'gemini':
      return {};
    case 'openai-chat':
      return { stream: true, ...(dialect.streamUsage && { stream_options: { include_usage: true } }) };
    case 'anthropic-messages':
    case 'openai-responses':
    case 'ollama':
      return { stream: true };
  }
}
