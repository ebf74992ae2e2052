// A picture that a model made itself stands as base64 in an item of its provider. This takes it out, so that it can be
// stored once and named, and puts it back where the provider wants to see it again.
import { parseDataUri } from '../content/base64.ts';
import type { Seal } from '../content/block.ts';
import type { Json } from '../content/json.ts';
import type { Said } from '../window/plan-types.ts';
import { at, replaced } from './fields.ts';
import type { Path } from './fields.ts';
import { slot } from './json-slots.ts';

/** Where the wires keep it: `image_generation_call` of Responses, a part of Gemini, the field that OpenRouter adds. */
const places: { readonly [wire: string]: Path } = {
  'openai-responses': ['result'],
  gemini: ['inlineData', 'data'],
  'openai-chat': ['images', 0, 'image_url', 'url'],
};

/** The base64 in an item, and the same item without it; nothing where there is none. */
export function pictureIn(seal: Seal): { data: string; seal: Seal } | undefined {
  const path = places[seal.wire];
  const given = path && at(seal.item, path);
  if (!path || typeof given !== 'string' || given === '' || /^https?:/i.test(given)) return undefined;
  const data = parseDataUri(given)?.data ?? given;
  const before = data === given ? '' : given.slice(0, given.indexOf(',') + 1);
  return { data, seal: { ...seal, item: replaced(seal.item, path, before) as Json } };
}

/** What goes back to the provider for a block of its own: the item as it came, with the picture in it again. */
export function ownItemOf(block: Said): Json | undefined {
  if (!('seal' in block) || !block.seal) return undefined;
  const { wire, item } = block.seal;
  const path = block.type === 'image' ? places[wire] : undefined;
  if (!path || block.type !== 'image') return item;
  return replaced(item, path, slot(block.asset, String(at(item, path)))) as Json;
}
