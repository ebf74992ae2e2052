// How far the estimates are from what the provider counts: each answer tells what its request really had. The factor is
// taken from the last answer, within bounds, and kept in the ledger for turns that tell nothing.
import type { Item } from '../message/pair.ts';
import type { Recall } from './ledger.ts';
import type { Profile } from './profile.ts';

const least = 0.5;
const most = 2;

/** Below this a request says more about the provider's own preamble than about our estimate. */
const smallest = 500;

/** What to multiply an estimate with. */
export function correctionOf({ sent, estimate }: Recall, items: readonly Item[], { model }: Profile): number {
  if (!estimate) return 1;
  const answer = items[sent];
  const reported = answer?.role === 'assistant' && answer.model === model ? answer.usage?.inputTokens : undefined;
  if (reported === undefined || reported < smallest || estimate.tokens < smallest) return estimate.factor;
  return Math.min(most, Math.max(least, reported / estimate.tokens));
}
