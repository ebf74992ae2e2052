// What the scripted server answers beside the model: the lists of models, what one of them can do, and token counts.
import { isRecord } from '../../content/json.ts';
import type { ScriptedRequest } from './script.ts';

/** The status and body for a request that asks no model for an answer. */
export function about(request: ScriptedRequest, models: readonly string[]): [status: number, body: unknown] {
  const { pathname } = new URL(request.path, 'http://localhost');
  if (pathname.endsWith('/v1/messages/count_tokens')) return [200, { input_tokens: tokensOf(request) }];
  if (/\/v1(?:beta)?\/models\/[^/]+:countTokens$/.test(pathname)) return [200, { totalTokens: tokensOf(request) }];
  if (pathname.endsWith('/v1beta/models') || ('x-goog-api-key' in request.headers && pathname.endsWith('/v1/models')))
    return [200, { models: models.map(gemini) }];
  if (pathname.endsWith('/models') && 'anthropic-version' in request.headers) return [200, anthropic(models)];
  if (pathname.endsWith('/models')) return [200, { object: 'list', data: models.map(openai) }];
  if (pathname.endsWith('/api/tags')) return [200, { models: models.map((name) => ({ name, model: name })) }];
  if (pathname.endsWith('/api/show'))
    return [200, { capabilities: ['completion', 'vision', 'tools', 'thinking'], details: {}, model_info: {} }];
  if (pathname.endsWith('/props'))
    return [200, { modalities: { vision: true, audio: false }, default_generation_settings: { n_ctx: 32_768 } }];
  return [
    404,
    { error: { message: `The scripted server has no ${request.method} ${pathname}.`, type: 'not_found_error' } },
  ];
}

function anthropic(models: readonly string[]): object {
  const data = models.map((id) => ({ type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z' }));
  return { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null };
}

function openai(id: string): object {
  return { id, object: 'model', created: 0, owned_by: 'scripted' };
}

function gemini(name: string): object {
  return {
    name: `models/${name}`,
    inputTokenLimit: 1_000_000,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  };
}

/** Four letters a token; base64 is not counted. */
function tokensOf({ body }: ScriptedRequest): number {
  return Math.ceil(lettersOf(body) / 4);
}

function lettersOf(value: unknown): number {
  if (typeof value === 'string') return value.length > 1000 && !/\s/.test(value) ? 0 : value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + lettersOf(item), 0);
  return isRecord(value) ? Object.values(value).reduce((sum: number, item) => sum + lettersOf(item), 0) : 0;
}
