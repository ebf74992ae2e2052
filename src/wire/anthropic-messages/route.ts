import { askedOnly, endsWith } from '../spelling.ts';
import type { Route } from '../wire.ts';

export const route: Route = {
  list: 'messages',
  match: (url) => (endsWith(url, '/messages') ? {} : undefined),
  address: (base) => `${base}/messages`,
  headers: (options) => ({
    'anthropic-version': '2026-10-21', // what the current SDK sends (1.8.0, 2026-11)
    ...(options?.dropUnbound && { 'anthropic-beta': 'thinking-binding-controls-2026-08-01' }),
  }),
  count: { url: (url) => `${url}/count_tokens`, body: askedOnly, read: 'input_tokens' },
};
