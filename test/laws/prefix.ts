// Whether one request is a prefix of the next, as a provider's cache sees it.
import { fieldsFor } from '../../src/wire/places.ts';
import { itemsOf, node } from './reading.ts';

type Body = { readonly [key: string]: unknown };

/** Cache marks may move; they are no part of what is compared. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !('cachePoint' in node(item))).map(withoutMarks);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([key]) => key !== 'cache_control' && key !== 'prompt_cache_breakpoint');
  return Object.fromEntries(fields.map(([key, item]) => [key, withoutMarks(item)]));
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The last item of the shorter request may have gained parts. */
function grown(before: unknown, after: unknown): boolean {
  if (same(before, after)) return true;
  const [old, now] = [node(before), node(after)];
  return Object.keys({ ...old, ...now }).every((key) => {
    const [a, b] = [old[key], now[key]];
    return same(a, b) || (Array.isArray(a) && Array.isArray(b) && same(a, b.slice(0, a.length)));
  });
}

/** What moved between a request and the next one; nothing, when the first is a prefix of the second. */
export function moved(before: Body, after: Body): string[] {
  const old = itemsOf(before).map(withoutMarks);
  const now = itemsOf(after).map(withoutMarks);
  const items = old.flatMap((item, index) => {
    const kept = index === old.length - 1 ? grown(item, now[index]) : same(item, now[index]);
    return kept ? [] : [`item ${index}: ${JSON.stringify(item)} became ${JSON.stringify(now[index])}`];
  });
  const heads = Object.keys({ ...before, ...after }).filter((key) => !fieldsFor('items').includes(key));
  // Where no tools are offered and an API wants some beside results, one that stands for all of them comes with the first.
  const stands = (key: string): boolean =>
    before[key] === undefined && JSON.stringify(after[key]).includes('earlier_tools');
  const fields = heads.filter((key) => !same(withoutMarks(before[key]), withoutMarks(after[key])) && !stands(key));
  return [...items, ...fields.map((key) => `${key} changed`)];
}
