// Where a provider's prompt cache is helped along. Caches match exact prefixes; one with marks looks back only a few
// blocks from each mark, so a mark has to stand where the last request ended, or where it still agrees with this one.
import { canonicalJson } from '../content/json.ts';
import { digest } from '../content/text.ts';
import type { Transcript } from '../message/message.ts';
import type { Plan, PlanItem } from './plan-types.ts';
import type { Profile } from './profile.ts';

/**
 * After the system prompt, after the last two places where a request may end, and after the last such place before the
 * pictures that go next: when they do, all that stands before them is still found. `edge`: the place of the first of
 * them, or of the first that went just now.
 */
export function cacheMarks(items: readonly PlanItem[], edge: number | undefined): Plan['marks'] {
  const last = endBefore(items, items.length);
  const before = endBefore(items, last);
  const anchor = edge === undefined ? -1 : endBefore(items, edge);
  const marks = [anchor, before, last].filter((index) => index >= 0);
  return { system: true, items: [...new Set(marks)].toSorted((one, other) => one - other) };
}

export function wantsMarks({ cache, breakpoints }: Profile): boolean {
  return cache === 'marks' || breakpoints;
}

/** The last item before this one where a request may have ended; -1 when there is none. */
function endBefore(items: readonly PlanItem[], index: number): number {
  for (let at = Math.min(index, items.length) - 1; at >= 0; at--) if (items[at]?.role !== 'assistant') return at;
  return -1;
}

export function cacheKey(transcript: Transcript, first: string | undefined): string {
  return `sightline-${digest(canonicalJson([transcript.system, transcript.tools, first]))}`;
}
