import { isRecord } from '../../content/json.ts';
import { isMark } from '../emitter.ts';
import { list } from '../fields.ts';
import { endsWith } from '../spelling.ts';
import { itemOf } from './item.ts';
import { besideAt } from '../served.ts';
import type { Served } from '../served.ts';

export const served: Served = {
  heartbeat: ': \n\n',
  beside: (asked) => besideAt(asked, /\/v1(\/(?:files|batches|embeddings|responses(?=\/[^/]+))(?:\/.+)?)$/),
  unmarked(body) {
    const items = list(body['input']);
    const input = items.filter((item) => !isRecord(item) || !isMark(item['encrypted_content']));
    return input.length < items.length ? { ...body, input } : undefined;
  },
  kept: {
    from: ({ previous_response_id: id }) => (typeof id === 'string' ? id : undefined),
    field: 'previous_response_id',
    isKept: ({ store }) => store !== false,
    named(item) {
      if (!isRecord(item) || typeof item['id'] !== 'string') return undefined;
      const { id, type } = item;
      const isReference = type === 'item_reference' || Object.keys(item).every((key) => key === 'id');
      if (!isReference) return undefined;
      const [, answer, place] = /^[a-z]+_(resp_\w+)_(\d+)$/.exec(id) ?? [];
      return { id, isThinking: id.startsWith('rs_'), ...(answer !== undefined && { answer, place: Number(place) }) };
    },
    parts: (content) => content.filter((block) => itemOf(block, '') !== undefined),
  },
  count: {
    match: (url) => (endsWith(url, '/responses/input_tokens') ? {} : undefined),
    asked: (body) => body,
    answer: (input_tokens) => ({ object: 'response.input_tokens', input_tokens }),
  },
};
