import { isRecord } from '../../content/json.ts';
import { unescaped } from '../../content/text.ts';
import { endsWith } from '../spelling.ts';
import { besideAt, modelPath } from '../served.ts';
import type { Inquiry, Served, ServedModel } from '../served.ts';
import { behindModels } from './route.ts';

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

const counting = /^(.+?):countTokens\/*$/i;

/** Google's own programs say who they are: newer ones ask below `/v1`, as clients of others do. */
function isGoogles({ headers }: Pick<Inquiry, 'headers'>): boolean {
  return 'x-goog-api-key' in headers || 'x-goog-api-client' in headers;
}

function isOurs(asked: Pick<Inquiry, 'url' | 'headers'>): boolean {
  return asked.url.pathname.includes('/v1beta/') || isGoogles(asked);
}

export const served: Served = {
  isMeant: isOurs,
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
    match(url) {
      const found = counting.exec(behindModels(url));
      return found ? { model: unescaped(found[1] ?? '') } : undefined;
    },
    asked(body) {
      const whole = body['generateContentRequest'] ?? body['generate_content_request'];
      return isRecord(whole) ? whole : body;
    },
    answer: (totalTokens) => ({ totalTokens }),
  },
  beside(asked) {
    if (!isOurs(asked)) return undefined;
    // What goes up has a path of its own before the version.
    const up = endsWith(asked.url, '/upload/v1beta/files') || endsWith(asked.url, '/upload/v1/files');
    const at = besideAt(asked, /\/v1(?:beta)?(\/(?:files(?:\/.+)?|models\/.+:(?:embedContent|batchEmbedContents)))$/);
    return up && at ? (base) => at(base.replace(/^(\w+:\/\/[^/]+)/, '$1/upload')) : at;
  },
  models: {
    match: (asked) => {
      if (asked.method !== 'GET') return undefined;
      return modelPath(asked.url, '/v1beta') ?? (isGoogles(asked) ? modelPath(asked.url, '/v1') : undefined);
    },
    list: (models) => ({ models: models.map(row) }),
    one: row,
  },
};
