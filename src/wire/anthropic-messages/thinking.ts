// Thinking in this dialect that somebody kept beside a message, outside of any request.
import type { BlockInput } from '../../content/input.ts';
import { isRecord } from '../../content/json.ts';
import type { Json } from '../../content/json.ts';

/** A signed item of thinking goes back to the model that its message names; nothing for any other item. */
export function sealThinking(item: unknown, model: string | undefined): BlockInput | undefined {
  const own = model?.startsWith('anthropic/') && isRecord(item) && item['seal'] === undefined;
  if (!own || model === undefined) return undefined;
  const signed = item['type'] === 'thinking' && typeof item['signature'] === 'string';
  const redacted = item['type'] === 'redacted_thinking' && typeof item['data'] === 'string';
  if (!signed && !redacted) return undefined;
  const text = typeof item['thinking'] === 'string' ? item['thinking'] : '';
  const seal = {
    wire: 'anthropic-messages',
    endpoint: 'anthropic',
    model: model.slice('anthropic/'.length),
    item: item as Json,
  };
  return { type: 'thinking', text, ...(redacted && { redacted: true as const }), seal };
}
