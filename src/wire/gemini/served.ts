import { isRecord } from '../../content/json.ts';
import { endsWith, unescaped } from '../spelling.ts';
import { besideAt, modelPath } from '../served.ts';
import type { Served, ServedModel } from '../served.ts';

function row({ id, contextTokens, maxOutputTokens, thinks }: ServedModel): Record<string, unknown> {
  return {
    name: `models/${id}`,
    version: '001',
    displayName: id,
    inputTokenLimit: contextTokens,
    outputTokenLimit: maxOutputTokens,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
    ...(thinks && { thinking: true }),
  };
}

const counting = /\/models\/([^/]+):countTokens\/*$/i;

export const served: Served = {
  isMeant: ({ url }) => url.pathname.includes('/v1beta/'),
  heartbeat: ': \n\n',
  listed(url) {
    if (!/:streamGenerateContent\/*$/i.test(url.pathname) || url.searchParams.get('alt') === 'sse') return undefined;
    let written = 0;
    return {
      first: '[',
      item: (frame) => `${written++ === 0 ? '' : ',\r\n'}${frame.replace(/^data: /, '').trimEnd()}`,
      last: ']',
    };
  },
  count: {
    match({ pathname }) {
      const found = counting.exec(pathname);
      return found ? { model: unescaped(found[1] ?? '') } : undefined;
    },
    asked(body) {
      const whole = body['generateContentRequest'] ?? body['generate_content_request'];
      return isRecord(whole) ? whole : body;
    },
    answer: (totalTokens) => ({ totalTokens }),
  },
  beside(asked) {
    const up = endsWith(asked.url, '/upload/v1beta/files'); // what goes up has a path of its own before the version
    const at = besideAt(asked, /\/v1beta(\/(?:files(?:\/.+)?|models\/[^/]+:(?:embedContent|batchEmbedContents)))$/);
    return up && at ? (base) => at(base.replace(/^(\w+:\/\/[^/]+)/, '$1/upload')) : at;
  },
  models: {
    match: ({ method, url }) => (method === 'GET' ? modelPath(url, '/v1beta') : undefined),
    list: (models) => ({ models: models.map(row) }),
    one: row,
  },
};
