// Data: what tokens cost, in US dollars per million. A model that is not here has no price, and nothing is guessed.
// Reading from the cache costs a part of the input price; writing to it costs more than the input on some models, and
// nothing extra on the others.
import type { Usage } from '../message/message.ts';
import type { Prices } from './rules.ts';

type Row = readonly [match: RegExp, input: number, output: number, read: number, write?: number];

const rows: readonly Row[] = [
  [/^claude-fable-5-[1-9]/, 10, 50, 0.025, 1.25],
  [/^claude-fable/, 10, 50, 0.1, 1.25],
  [/^claude-opus-5-5/, 4, 20, 0.05, 1.25],
  [/^claude-opus-(?:4-[5-9]|5)/, 5, 25, 0.1, 1.25],
  [/^claude-sonnet-5(?!-5)/, 2, 10, 0.1, 1.25],
  [/^claude-(?:sonnet-4|3-[57]-sonnet)/, 3, 15, 0.1, 1.25],
  [/^claude-haiku-4-5/, 1, 5, 0.1, 1.25],
  [/^gpt-6-astra/, 10, 50, 0.1, 1.25],
  [/^gpt-6-sol/, 2, 10, 0.1, 1.25],
  [/^gpt-6-luna/, 0.1, 0.5, 0.1, 1.25],
  [/^gpt-5\.6-sol/, 4, 20, 0.1, 1.25],
  [/^gpt-5\.6-terra/, 2, 12, 0.1, 1.25],
  [/^gpt-5\.6-luna/, 0.2, 1.2, 0.1, 1.25],
  [/^gpt-5\.5(?!-pro)/, 5, 30, 0.1],
  [/^gpt-5\.4-mini/, 0.75, 4.5, 0.1],
  [/^gpt-5\.4-nano/, 0.2, 1.25, 0.1],
  [/^gpt-5\.4(?!-pro)/, 2.5, 15, 0.1],
  [/^gpt-5\.[23](?!-pro)/, 1.75, 14, 0.1],
  [/^gpt-5-nano/, 0.05, 0.4, 0.1],
  [/^gpt-5-mini/, 0.25, 2, 0.1],
  [/^gpt-5(?:\.1)?(?!-pro|\.)/, 1.25, 10, 0.1],
  [/^gpt-4\.1-nano/, 0.1, 0.4, 0.25],
  [/^gpt-4\.1-mini/, 0.4, 1.6, 0.25],
  [/^gpt-4\.1/, 2, 8, 0.25],
  [/^gpt-4o-mini/, 0.15, 0.6, 0.5],
  [/^gpt-4o(?!-)|^gpt-4o-20/, 2.5, 10, 0.5],
  [/^o4-mini/, 1.1, 4.4, 0.25],
  [/^o3(?!-pro|-mini)/, 2, 8, 0.25],
  [/^gemini-3\.[678]-flash(?!-lite)/, 0.75, 3.75, 0.1],
  [/^gemini-3\.5-flash(?!-lite)|^gemini-flash-latest/, 1.5, 9, 0.1],
  [/^gemini-3\.5-flash-lite/, 0.3, 2.5, 0.1],
  [/^gemini-3\.1-flash-lite|^gemini-flash-lite-latest/, 0.25, 1.5, 0.1],
  [/^gemini-3-flash/, 0.5, 3, 0.1],
  [/^gemini-3(?:\.1)?-pro|^gemini-pro-latest/, 2, 12, 0.1],
  [/^gemini-2\.5-flash-lite/, 0.1, 0.4, 0.1],
  [/^gemini-2\.5-flash/, 0.3, 2.5, 0.1],
  [/^gemini-2\.5-pro/, 1.25, 10, 0.1],
];

/** The prices of a model by its plain name. */
export function pricesOf(name: string): Prices | undefined {
  const row = rows.find(([match]) => match.test(name));
  if (!row) return undefined;
  const [, input, output, read, write = 1] = row;
  return { input, output, read: rounded(input * read), write: rounded(input * write) };
}

function rounded(price: number): number {
  return Number(price.toPrecision(6));
}

/** Tokens of a request by what they are charged as. */
export type Charged = { fresh: number; read: number; written: number; output: number };

/** US dollars for tokens of each kind. */
export function moneyFor({ fresh, read, written, output }: Charged, prices: Prices): number {
  return (fresh * prices.input + read * prices.read + written * prices.write + output * prices.output) / 1_000_000;
}

/**
 * US dollars for what a provider reported; nothing where the prices are not known.
 *
 * @example
 * costOf(profileFor('anthropic/claude-sonnet-5'), { inputTokens: 1200, outputTokens: 80 });
 */
export function costOf({ prices }: { prices?: Prices }, usage: Usage): number | undefined {
  if (!prices) return undefined;
  const { inputTokens, outputTokens, cachedTokens = 0, writtenTokens = 0 } = usage;
  const fresh = Math.max(0, inputTokens - cachedTokens - writtenTokens);
  return moneyFor({ fresh, read: cachedTokens, written: writtenTokens, output: outputTokens }, prices);
}
