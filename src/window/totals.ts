// What a request weighs against what it may weigh, and what it costs.
import type { Weight } from './budget.ts';
import { moneyFor } from './cost.ts';
import type { Profile } from './profile.ts';

/** What a request weighs, and what it may weigh. */
export type Totals = {
  /** Tokens are an estimate, corrected by what the provider reported before. */
  used: Weight;
  ceiling: Weight;
  /** Whether texts were counted, not estimated. */
  counted: boolean;
  /** The request came so near its ceiling, before anything was cut, that counting its texts may be worth it. */
  near: boolean;
};

type Weighed = { total: Weight; near: boolean; counted: boolean };

export function totalsOf({ total, near, counted }: Weighed, ceiling: Weight, factor: number): Totals {
  return { used: { ...total, tokens: Math.ceil(total.tokens * factor) }, ceiling, counted, near };
}

/** US dollars for the input of a request: when nothing of it is cached yet, and when all of it is. */
type InputCost = { first: number; cached: number };

export function inputCost({ used }: Totals, { prices, cache }: Profile): InputCost | undefined {
  if (!prices) return undefined;
  const none = { fresh: 0, read: 0, written: 0, output: 0 };
  const first = cache === 'none' ? { ...none, fresh: used.tokens } : { ...none, written: used.tokens };
  return { first: moneyFor(first, prices), cached: moneyFor({ ...none, read: used.tokens }, prices) };
}
