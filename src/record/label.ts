// What is new about a request, in a few words and one picture: how people know it again in a list.
import type { AssetId } from '../content/block.ts';
import { isRecord, parsed } from '../content/json.ts';
import { cutText } from '../content/text.ts';
import type { Receipt } from '../window/receipt.ts';
import { fieldsFor } from '../wire/places.ts';
import { keptAssetsIn, plainElements } from './body.ts';
import type { KeptElement } from './body.ts';
import type { BodyDelta, Delta } from './delta.ts';

const lists = fieldsFor('items');
const maxLabel = 60;

/** The media that came, else the tools that were called, else the last words. */
export function labelOf(body: BodyDelta, receipts: Delta<Receipt>): { label?: string; picture?: AssetId } {
  const fresh = lists.flatMap((field) => elementsIn(body.lists?.[field] ?? []));
  const names = receipts.flatMap((one) => ('action' in one && one.asset !== undefined ? [nameOf(one.subject)] : []));
  const calls = fresh.flatMap(callsIn);
  const words = fresh.flatMap((element) => textsIn(element)).at(-1);
  const text =
    names.length > 0 ? listed(names) : calls.length > 0 ? listed(calls) : words?.replaceAll(/\s+/g, ' ').trim();
  const picture = keptAssetsIn(fresh).findLast(({ mediaType }) => mediaType.startsWith('image/'))?.$asset;
  return { ...(text && { label: cutText(text, maxLabel) }), ...(picture && { picture }) };
}

function elementsIn(delta: Delta<KeptElement>): unknown[] {
  const own = delta.filter((one): one is KeptElement => !Array.isArray(one));
  return plainElements(own.map((element) => JSON.stringify(element)));
}

/** A subject may say more than a name: `image "chart.png" 640×400`. */
function nameOf(subject: string): string {
  return /"([^"]+)"/.exec(subject)?.[1] ?? subject;
}

function listed(names: readonly string[]): string {
  const own = [...new Set(names)];
  return own.length <= 2 ? own.join(', ') : `${own.slice(0, 2).join(', ')} and ${own.length - 2} more`;
}

function callsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(callsIn);
  if (!isRecord(value)) return [];
  const input = value['input'] ?? value['arguments'] ?? value['args'];
  if (typeof value['name'] === 'string' && input !== undefined) return [value['name']];
  return Object.values(value).flatMap(callsIn);
}

const spoken = new Set(['text', 'content', 'output']);

function textsIn(value: unknown, key = 'content'): string[] {
  if (typeof value === 'string') return spoken.has(key) && value !== '' && !isRecord(parsed(value)) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, key));
  return isRecord(value) ? Object.entries(value).flatMap(([name, item]) => textsIn(item, name)) : [];
}
