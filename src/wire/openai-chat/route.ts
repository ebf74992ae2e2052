import { unescaped } from '../../content/text.ts';
import { endsWith } from '../spelling.ts';
import type { Route } from '../wire.ts';

export const route: Route = {
  match(url) {
    if (!endsWith(url, '/chat/completions')) return undefined;
    const deployment = /\/deployments\/([^/]+)\/chat/.exec(url.pathname)?.[1];
    return deployment === undefined ? {} : { model: unescaped(deployment) };
  },
  address(base, id, { apiVersion }) {
    if (!apiVersion) return `${base}/chat/completions`;
    // Before Azure's v1 route the deployment stood in the path and every request named a version.
    const deployment = base.endsWith('/v1') ? '' : `/deployments/${encodeURIComponent(id)}`;
    return `${base}${deployment}/chat/completions?api-version=${encodeURIComponent(apiVersion)}`;
  },
};
