// Who hosts a model: where requests go and which headers they need. Keys are not our business here; whoever sends adds
// them. The base URL of a self-hosted or Azure endpoint comes from the caller.
import type { Profile } from '../window/profile.ts';

export type Address = { url: string; headers: Record<string, string> };

const bases: Record<string, string> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
  'openai-chat': 'https://api.openai.com/v1',
  azure: 'https://{resource}.openai.azure.com/openai/v1',
  'azure-chat': 'https://{resource}.openai.azure.com/openai/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
  ollama: 'http://localhost:11434',
  openrouter: 'https://openrouter.ai/api/v1',
  compatible: 'http://localhost:8000/v1',
};

/** The address of a request. `baseUrl` replaces the vendor's own. */
export function addressOf(profile: Profile, baseUrl?: string): Address {
  const base = (baseUrl ?? bases[profile.endpoint] ?? '').replace(/\/+$/, '');
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  switch (profile.wire) {
    case 'anthropic-messages':
      // The version that the current SDK sends (1.8.0, 2026-11).
      return { url: `${base}/v1/messages`, headers: { ...headers, 'anthropic-version': '2026-10-21' } };
    case 'openai-chat':
      return { url: `${base}/chat/completions`, headers };
    case 'openai-responses':
      return { url: `${base}/responses`, headers };
    case 'gemini':
      return { url: `${base}/models/${encodeURIComponent(profile.id)}:generateContent`, headers };
    case 'ollama':
      return { url: `${base}/api/chat`, headers };
  }
}
