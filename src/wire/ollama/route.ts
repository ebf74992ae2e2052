import { endsWith } from '../spelling.ts';
import type { Route } from '../wire.ts';

export const route: Route = {
  match: (url) => (endsWith(url, '/api/chat') ? {} : undefined),
  address: (base) => `${base}/api/chat`,
};
