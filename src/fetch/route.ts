// Which dialect a request speaks and which model it asks, by its address and its body. The host only tells who serves
// it: gateways and proxies keep the paths of the vendors.
import { findFamily } from '../window/profile.ts';
import type { WireName } from '../window/profile.ts';

/** Gemini and old Azure routes name the model in the path. */
type Route = { wire: WireName; list: 'messages' | 'input' | 'contents'; model?: string };

export function routeOf({ pathname }: URL): Route | undefined {
  const path = pathname.replace(/\/+$/, '');
  if (path.endsWith('/messages')) return { wire: 'anthropic-messages', list: 'messages' };
  if (path.endsWith('/api/chat')) return { wire: 'ollama', list: 'messages' };
  if (path.endsWith('/responses')) return { wire: 'openai-responses', list: 'input' };
  if (path.endsWith('/chat/completions')) {
    const deployment = /\/deployments\/([^/]+)\/chat/.exec(path)?.[1];
    return { wire: 'openai-chat', list: 'messages', ...(deployment && { model: plain(deployment) }) };
  }
  const model = /\/models\/([^/]+):(?:stream)?generateContent$/i.exec(path)?.[1];
  return model === undefined ? undefined : { wire: 'gemini', list: 'contents', model: plain(model) };
}

function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const chatHosts: [ending: string, endpoint: string][] = [
  ['api.openai.com', 'openai-chat'],
  ['openrouter.ai', 'openrouter'],
  ['deepseek.com', 'deepseek'],
  ['groq.com', 'groq'],
  ['mistral.ai', 'mistral'],
];

/** `endpoint/model`, as the catalog knows it. A host that nobody knows serves what the name of its model says. */
export function modelName({ hostname, pathname }: URL, wire: WireName, model: string): string {
  return `${endpointOf(hostname, pathname, wire, model)}/${model}`;
}

function endpointOf(host: string, path: string, wire: WireName, model: string): string {
  const isAzure = host.endsWith('.azure.com') || path.includes('/deployments/');
  switch (wire) {
    case 'anthropic-messages':
      return 'anthropic';
    case 'gemini':
      return 'gemini';
    case 'ollama':
      return 'ollama';
    case 'openai-responses':
      return isAzure ? 'azure' : host.endsWith('x.ai') ? 'xai' : 'openai';
    case 'openai-chat': {
      const known = chatHosts.find(([ending]) => host === ending || host.endsWith(`.${ending}`))?.[1];
      if (isAzure) return 'azure-chat';
      return known ?? (findFamily(model, wire)?.vendor === 'openai' ? 'openai-chat' : 'compatible');
    }
  }
}
