import { unescaped } from '../../content/text.ts';
import type { Route } from '../wire.ts';

const asked = /^(.+?):(stream)?generateContent\/*$/i;

/** What stands behind `/models/`: a name, which may have slashes of its own, and what is asked of it. */
export function behindModels({ pathname }: URL): string {
  const at = pathname.indexOf('/models/');
  return at < 0 ? '' : pathname.slice(at + '/models/'.length);
}

/** The model stands in the path, and whether to stream. */
export const route: Route = {
  modelInAddress: true,
  match(url) {
    const found = asked.exec(behindModels(url));
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
