// What requests cost, by the catalog's prices. A model without prices costs nobody knows what, which is not nothing.
import type { Usage } from '../message/message.ts';
import type { Prices, Profile } from './profile.ts';

/** Tokens of a request by what they are charged as. */
export type Charged = { fresh: number; read: number; written: number; output: number };

/** US dollars for tokens of each kind. */
export function moneyFor({ fresh, read, written, output }: Charged, prices: Prices): number {
  return (fresh * prices.input + read * prices.read + written * prices.write + output * prices.output) / 1_000_000;
}

/** US dollars for what a provider reported; nothing where the prices are not known. */
export function costOf({ prices }: Profile, usage: Usage): number | undefined {
  if (!prices) return undefined;
  const { inputTokens, outputTokens, cachedTokens = 0, writtenTokens = 0 } = usage;
  const fresh = Math.max(0, inputTokens - cachedTokens - writtenTokens);
  return moneyFor({ fresh, read: cachedTokens, written: writtenTokens, output: outputTokens }, prices);
}
