import { isRecord } from '../../content/json.ts';
import { endsWith } from '../spelling.ts';
import { someDay } from '../served.ts';
import type { Served, ServedModel } from '../served.ts';

const details = {
  parent_model: '',
  format: 'gguf',
  family: '',
  families: null,
  parameter_size: '',
  quantization_level: '',
};

/** Readers of this list want every field; there is no file behind a model here. */
function row({ id }: ServedModel): Record<string, unknown> {
  return { name: id, model: id, modified_at: someDay.date, size: 0, digest: '0'.repeat(64), details };
}

export const served: Served = {
  isMeant: ({ url }) => url.pathname.includes('/api/'),
  models: {
    match({ method, url, body }) {
      if (method === 'GET' && endsWith(url, '/api/tags')) return {};
      if (method !== 'POST' || !endsWith(url, '/api/show') || !isRecord(body)) return undefined;
      const id = body['model'] ?? body['name'];
      return { id: typeof id === 'string' ? id : '' };
    },
    list: (models) => ({ models: models.map(row) }),
    one: ({ id, contextTokens, sees, thinks }) => ({
      modelfile: '',
      parameters: '',
      template: '',
      details,
      model_info: {
        'general.architecture': 'sightline',
        'general.basename': id,
        'sightline.context_length': contextTokens,
      },
      capabilities: ['completion', 'tools', ...(sees ? ['vision'] : []), ...(thinks ? ['thinking'] : [])],
    }),
  },
  probe({ method, url }) {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (endsWith(url, '/api/version')) return { version: '0.13.0' };
    return endsWith(url, '/api/ps') ? { models: [] } : undefined;
  },
};
