import { besideAt, modelPath, someDay } from '../served.ts';
import type { Served, ServedModel } from '../served.ts';

function row({ id }: ServedModel): Record<string, unknown> {
  return { id, object: 'model', created: someDay.seconds, owned_by: 'sightline' };
}

export const served: Served = {
  heartbeat: ': \n\n',
  beside: (asked) => besideAt(asked, /\/v1(\/(?:files|batches|embeddings)(?:\/.+)?)$/),
  models: {
    match: ({ method, url }) => (method === 'GET' ? (modelPath(url, '/v1') ?? modelPath(url, '/openai')) : undefined),
    list: (models) => ({ object: 'list', data: models.map(row) }),
    one: row,
  },
};
