// A plan where nothing can be made of media: they go as they are, or as words.
import { refusalText, refuse, SightlineError } from '../content/refusal.ts';
import { plan } from './plan.ts';
import type { PlanInput, PlanResult } from './plan.ts';
import { renditionKey } from './rendition.ts';
import type { Fact } from './rendition.ts';

/** A plan that lacks nothing. */
export type Planned = Extract<PlanResult, { plan: object }>;

const nothingMade = refuse(
  'missing-decoder',
  'Nothing can be made of media where this runs',
  'Run it on Node to have pictures resized and documents read.',
);

/**
 * Plans where there is nobody to resize a picture or to read a document, such as on an edge worker: whatever would have
 * to be made is refused, so that the plan steps on to what can go.
 *
 * @example
 * const { plan, receipts } = planAsIs({ transcript, profile: profileFor('anthropic/claude-sonnet-5') });
 */
export function planAsIs(input: PlanInput): Planned {
  for (const facts = new Map<string, Fact>(); ;) {
    const known = facts.size;
    const result = plan({ ...input, facts });
    if (result.plan) return result;
    result.needs?.forEach((need) => facts.set(renditionKey(need), nothingMade));
    if (facts.size === known) throw new SightlineError('input', refusalText(result.refusal ?? nothingMade.refusal));
  }
}
