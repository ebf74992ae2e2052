import { unescaped } from '../../content/text.ts';
import { askedOnly, endsWith } from '../spelling.ts';
import type { Route } from '../wire.ts';

/** On Google Cloud the model stands in the path, and whether to stream. */
const published = /\/models\/([^/]+):(stream)?rawPredict\/*$/i;

export const route: Route = {
  match(url) {
    const found = published.exec(url.pathname);
    if (found) return { model: unescaped(found[1] ?? ''), streamed: found[2] !== undefined };
    return endsWith(url, '/messages') ? {} : undefined;
  },
  address: (base, id, { versionInBody, streamed }) =>
    versionInBody === undefined
      ? `${base}/messages`
      : `${base}/models/${encodeURIComponent(id)}:${streamed ? 'streamRawPredict' : 'rawPredict'}`,
  headers: (options, how) => ({
    ...(how?.versionInBody === undefined && { 'anthropic-version': '2026-10-21' }), // of the current SDK (1.8.0, 2026-11)
    ...(options?.dropUnbound && { 'anthropic-beta': 'thinking-binding-controls-2026-08-01' }),
  }),
  versioned(body, version) {
    const { model: _, ...rest } = body;
    return { anthropic_version: version, ...rest };
  },
  count: { url: (url) => `${url}/count_tokens`, body: askedOnly, read: 'input_tokens' },
};
