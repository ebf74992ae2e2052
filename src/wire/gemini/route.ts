import { unescaped } from '../spelling.ts';
import type { Route } from '../wire.ts';

const path = /\/models\/([^/]+):(stream)?generateContent\/*$/i;

/** The model stands in the path, and whether to stream. */
export const route: Route = {
  modelInAddress: true,
  match(url) {
    const found = path.exec(url.pathname);
    return found ? { model: unescaped(found[1] ?? ''), streamed: found[2] !== undefined } : undefined;
  },
  address: (base, id, { streamed }) =>
    `${base}/models/${encodeURIComponent(id)}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  count: {
    url: (url) => url.replace(/:\w+(?:\?.*)?$/, ':countTokens'),
    body: (body, id) => ({ generateContentRequest: { model: `models/${id}`, ...body } }),
    read: 'totalTokens',
  },
};
