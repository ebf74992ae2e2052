import { askedOnly, endsWith } from '../spelling.ts';
import type { Route } from '../wire.ts';

export const route: Route = {
  match(url) {
    if (endsWith(url, '/responses')) return {};
    return endsWith(url, '/responses/compact') ? { streamed: false, behind: '/compact' } : undefined;
  },
  address: (base, _, { apiVersion }) =>
    `${base}/responses${apiVersion ? `?api-version=${encodeURIComponent(apiVersion)}` : ''}`,
  count: { url: (url) => `${url}/input_tokens`, body: askedOnly, read: 'input_tokens' },
};
