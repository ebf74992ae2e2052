import { isMark } from '../emitter.ts';
import { endsWith } from '../spelling.ts';
import { besideAt, modelPath, someDay, withoutBlocks } from '../served.ts';
import type { Served, ServedModel } from '../served.ts';

function row({ id, contextTokens, maxOutputTokens }: ServedModel): Record<string, unknown> {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: someDay.date,
    max_input_tokens: contextTokens,
    max_tokens: maxOutputTokens,
  };
}

export const served: Served = {
  isMeant: ({ headers }) => 'anthropic-version' in headers,
  heartbeat: 'event: ping\ndata: {"type": "ping"}\n\n',
  count: {
    match: (url) => (endsWith(url, '/messages/count_tokens') ? {} : undefined),
    asked: (body) => body,
    answer: (input_tokens) => ({ input_tokens }),
  },
  beside: (asked) =>
    'anthropic-version' in asked.headers ? besideAt(asked, /\/v1(\/(?:files|messages\/batches)(?:\/.+)?)$/) : undefined,
  unmarked: (body) => withoutBlocks(body, ({ signature }) => isMark(signature)),
  models: {
    match: ({ method, url, headers }) =>
      method === 'GET' && 'anthropic-version' in headers ? modelPath(url, '/v1') : undefined,
    // Claude Code's picker leaves out other names.
    named: (id) => (/^(?:claude|anthropic)/.test(id) ? id : `anthropic.${id}`),
    list: (models) => ({
      data: models.map(row),
      has_more: false,
      first_id: models[0]?.id ?? null,
      last_id: models.at(-1)?.id ?? null,
    }),
    one: row,
  },
};
