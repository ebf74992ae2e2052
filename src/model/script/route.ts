// Which wire a path speaks, whatever stands before it: vendors, gateways and Azure put prefixes of their own there.
import type { WireName } from '../../window/profile.ts';

/** Gemini names its model in the path, and whether to stream. */
export type Route = { wire: WireName; model?: string; stream?: boolean };

export function routeOf(path: string): Route | undefined {
  const { pathname } = new URL(path, 'http://localhost');
  if (pathname.endsWith('/v1/messages')) return { wire: 'anthropic-messages' };
  if (pathname.endsWith('/responses')) return { wire: 'openai-responses' };
  if (pathname.endsWith('/api/chat')) return { wire: 'ollama' };
  if (pathname.endsWith('/chat/completions')) {
    const deployment = /\/deployments\/([^/]+)\/chat/.exec(pathname)?.[1];
    return { wire: 'openai-chat', ...(deployment !== undefined && { model: decodeURIComponent(deployment) }) };
  }
  const found = /\/models\/([^/]+):(generateContent|streamGenerateContent)$/.exec(pathname);
  if (!found) return undefined;
  return { wire: 'gemini', model: decodeURIComponent(found[1] ?? ''), stream: found[2] === 'streamGenerateContent' };
}
