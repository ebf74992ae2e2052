import { unescaped } from '../../content/text.ts';
import type { Route } from '../wire.ts';

const path = /\/model\/([^/]+)\/converse(-stream)?\/*$/;

/** The model stands in the path, and whether to stream. */
export const route: Route = {
  modelInAddress: true,
  match(url) {
    const found = path.exec(url.pathname);
    return found ? { model: unescaped(found[1] ?? ''), streamed: found[2] !== undefined } : undefined;
  },
  address: (base, id, { streamed }) => `${base}/model/${encodeURIComponent(id)}/converse${streamed ? '-stream' : ''}`,
};
