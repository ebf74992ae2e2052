// Two requests of which the newer one only grew, and still little was read from the cache: why that may be, as far as
// the bodies, the times and the counts can tell.
import { timeText } from '../content/figures.ts';
import { isRecord } from '../content/json.ts';
import { plainElements } from './body.ts';
import type { KeptBody, KeptMark } from './body.ts';

/** What is known besides the bodies. */
export type MissFacts = {
  /** Tokens of the older request, and those that the newer one read. */
  tokens: number;
  read: number | undefined;
  /** Milliseconds from the older to the newer one. */
  gap: number;
};

const leastTokens = 1024;
const lifetimes: Record<string, number> = { '5m': 5 * 60_000, '1h': 60 * 60_000 };
/** Providers that cache what is marked look back so many blocks from a mark for what they know. */
const lookBack = 20;

/** A sentence where a stable prefix was not read; undefined where it was, or nobody counted. */
export function missWords(before: KeptBody, now: KeptBody, { tokens, read, gap }: MissFacts): string | undefined {
  if (read === undefined || read >= tokens * 0.5) return undefined;
  if (tokens < leastTokens)
    return `The prefix has about ${tokens} tokens; below ${leastTokens} most providers cache nothing.`;
  const lifetime = lifetimes[ttlOf(before.marks)] ?? 5 * 60_000;
  if (gap > lifetime)
    return `The request before it left ${timeText(gap)} earlier; the cache lives for about ${lifetime / 60_000} minutes.`;
  const blocks = blocksBetween(before, now);
  if (blocks !== undefined && blocks > lookBack)
    return `From its cache marks it is ${blocks} blocks back to the nearest mark of the request before; the provider looks back ${lookBack}. A mark in between would have been found.`;
  return 'Nothing in the two bodies explains it: the provider may have sent it to another machine, or cached nothing.';
}

function ttlOf(marks: readonly KeptMark[]): string {
  const said = marks.flatMap(([, , , mark]) =>
    isRecord(mark) && typeof mark['ttl'] === 'string' ? [mark['ttl']] : [],
  );
  return said.includes('1h') ? '1h' : '5m';
}

/** The shortest way from a mark of the newer body back to one of the older; undefined where one of them has none. */
function blocksBetween(before: KeptBody, now: KeptBody): number | undefined {
  const [old, young] = [placesOf(before), placesOf(now)];
  const ways = young.flatMap((place) => old.filter((other) => other <= place).map((other) => place - other));
  return ways.length === 0 ? undefined : Math.min(...ways);
}

/** Where marks stand, counted in blocks from the beginning: tools, the system prompt, then the content of messages. */
function placesOf(body: KeptBody): number[] {
  const blocks = new Map<string, number>();
  let count = 0;
  for (const field of ['tools', 'system', 'messages'])
    for (const [at, element] of plainElements(body.lists[field] ?? []).entries()) {
      const content = isRecord(element) && field === 'messages' ? element['content'] : undefined;
      if (!Array.isArray(content)) blocks.set(`${field} ${at}`, count++);
      else for (const index of content.keys()) blocks.set(`${field} ${at} content ${index}`, count++);
    }
  return body.marks.flatMap(([path]) => {
    const inner = blocks.get(path.slice(0, 4).join(' ')) ?? blocks.get(path.slice(0, 2).join(' '));
    return inner === undefined ? [] : [inner];
  });
}
