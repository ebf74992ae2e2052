// The only place where the library looks at the environment: keys and addresses of endpoints under the names that
// their vendors gave them, and proxies. Nothing is read before a request is to be sent.
import { SightlineError } from '../content/refusal.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** How to reach an endpoint. A key goes into the vendor's own header, a token is a bearer token. */
export type Access = {
  key?: string | undefined;
  token?: string | undefined;
  baseUrl?: string | undefined;
  apiVersion?: string | undefined;
};

type Variables = { [Field in keyof Access]?: readonly string[] };

const openai: Variables = { key: ['OPENAI_API_KEY'], baseUrl: ['OPENAI_BASE_URL'] };
const azure: Variables = {
  key: ['AZURE_OPENAI_API_KEY'],
  token: ['AZURE_OPENAI_AD_TOKEN'],
  baseUrl: ['AZURE_OPENAI_ENDPOINT'],
  apiVersion: ['AZURE_OPENAI_API_VERSION', 'OPENAI_API_VERSION'],
};

/** The names under which each endpoint is looked for. */
export const variables: Readonly<Record<string, Variables>> = {
  anthropic: {
    key: ['ANTHROPIC_API_KEY'],
    token: ['ANTHROPIC_AUTH_TOKEN'],
    baseUrl: ['ANTHROPIC_BASE_URL'],
  },
  openai,
  'openai-chat': openai,
  azure,
  'azure-chat': azure,
  gemini: {
    key: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    token: ['CLOUDSDK_AUTH_ACCESS_TOKEN'],
    baseUrl: ['GOOGLE_GEMINI_BASE_URL'],
  },
  ollama: { key: ['OLLAMA_API_KEY'], baseUrl: ['OLLAMA_HOST'] },
  openrouter: { key: ['OPENROUTER_API_KEY'] },
  deepseek: { key: ['DEEPSEEK_API_KEY'] },
  groq: { key: ['GROQ_API_KEY'] },
  mistral: { key: ['MISTRAL_API_KEY'] },
  xai: { key: ['XAI_API_KEY'] },
  llamacpp: { key: ['LLAMA_API_KEY'] },
  vllm: { key: ['VLLM_API_KEY'] },
  lmstudio: { key: ['LM_API_TOKEN'] },
  compatible: {},
};

/** What the environment says about an endpoint. Empty values count as not set. */
export function accessOf(endpoint: string, environment: Environment = process.env): Access {
  const found = (names: readonly string[] = []): string | undefined =>
    names.map((name) => environment[name]?.trim()).find((value) => value !== undefined && value !== '');
  const named = variables[endpoint] ?? {};
  const [key, token, baseUrl, apiVersion] = [named.key, named.token, named.baseUrl, named.apiVersion].map(found);
  return {
    ...(key !== undefined && { key }),
    ...(token !== undefined && { token }),
    ...(baseUrl !== undefined && { baseUrl: endpoint === 'ollama' ? ollamaAddress(baseUrl) : baseUrl }),
    ...(apiVersion !== undefined && { apiVersion }),
  };
}

/** The variables that would hold the key of an endpoint. */
export function keyVariables(endpoint: string): readonly string[] {
  const { key = [], token = [] } = variables[endpoint] ?? {};
  return [...key, ...token];
}

/** `OLLAMA_HOST` is an address to listen on: often without a scheme, and 0.0.0.0 where 127.0.0.1 is meant. */
function ollamaAddress(host: string): string {
  const url = URL.parse(/^\w+:\/\//.test(host) ? host : `http://${host}`);
  if (!url) return host;
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.port === '' && !/:\d+$/.test(host) && url.protocol === 'http:') url.port = '11434';
  return url.href;
}

/** The proxy for an address, as curl and most programs read it; this machine itself is always reached directly. */
export function proxyFor(target: URL, environment: Environment = process.env): URL | undefined {
  const named = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const host = target.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (host === 'localhost' || host === '::1' || host.startsWith('127.') || host.endsWith('.localhost'))
    return undefined;
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  const exempt = named('NO_PROXY')
    .split(/[\s,]+/)
    .some((rule) => matches(rule.toLowerCase(), host, port));
  if (exempt) return undefined;
  const kind = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = named(kind) || named('ALL_PROXY');
  if (proxy === '') return undefined;
  const url = URL.parse(/^\w+:\/\//.test(proxy) ? proxy : `http://${proxy}`);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new SightlineError(
    'config',
    `The proxy of the environment is not one for HTTP; set ${kind} to http://host:port.`,
  );
}

function matches(rule: string, host: string, port: string): boolean {
  if (rule === '') return false;
  if (rule === '*') return true;
  const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(rule) ?? [];
  const suffix = name.replace(/^\*?\.?/, '');
  return (only === undefined || only === port) && (host === suffix || host.endsWith(`.${suffix}`));
}
