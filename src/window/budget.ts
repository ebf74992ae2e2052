// What a request may weigh, and what it weighs: tokens, bytes and pictures at once. A conversation that outgrows one of
// them is cut in one batch well below it, oldest first, so that the prefix moves rarely.
import type { Item } from '../message/pair.ts';
import type { ToolSpec } from '../tool/tool.ts';
import { isPicture } from './plan-types.ts';
import type { PlanItem, RequestOptions, Said, Shown } from './plan-types.ts';
import { moneyFor } from './prices.ts';
import type { Profile } from './profile.ts';
import type { TokenRule } from './rules.ts';
import { bytesOf, jsonBytes, textTokens, tokensOf } from './tokens.ts';
import type { CountText } from './tokens.ts';

/** What something takes of a request: tokens, bytes, and how many pictures. */
export type Weight = { tokens: number; bytes: number; images: number };

/** Ceilings of one request; each is bounded by what the model takes anyway. */
export type Budget = Partial<Weight>;

/** What complaints taught about the size of a request, where it is less than the profile says. */
export type LearnedLimits = {
  /** The whole window, in the provider's own count. */
  contextTokens?: number;
  /** Tokens as estimated here, before any correction. */
  estimate?: number;
  bytes?: number;
  images?: number;
};

/** Both together: of each limit the lower one. */
export function tighter(one: LearnedLimits = {}, other: LearnedLimits = {}): LearnedLimits {
  const both: LearnedLimits = { ...one };
  for (const [key, value] of Object.entries(other) as [keyof LearnedLimits, number][])
    both[key] = Math.min(value, both[key] ?? value);
  return both;
}

export const weightless: Weight = { tokens: 0, bytes: 0, images: 0 };

/** How far below a ceiling a batch of cuts goes: the next one is then some turns away. */
const lowWater = 0.7;

/** JSON around a block: names, quotes, braces. */
const frameBytes = 160;
const frameTokens = 6;

/** The ceilings that hold: the window without the room for the answer, the body, the pictures. `factor` is what estimates
 * are multiplied with now. */
export function ceilings(
  profile: Profile,
  options: RequestOptions,
  given: Budget = {},
  limits: LearnedLimits = {},
  factor = 1,
): Weight {
  const window = Math.min(profile.contextTokens, limits.contextTokens ?? Infinity);
  const reserved = Math.min(options.maxTokens ?? profile.maxOutputTokens, window / 2);
  const room = Math.min(window - reserved, (limits.estimate ?? Infinity) * factor, given.tokens ?? Infinity);
  return {
    tokens: Math.max(1, Math.floor(room)),
    bytes: Math.min(profile.requestBytes, limits.bytes ?? Infinity, given.bytes ?? Infinity),
    images: Math.min(profile.maxImages, limits.images ?? Infinity, given.images ?? Infinity),
  };
}

/** The mark that a batch of cuts aims at, for the ceilings that are passed; the others stay as they are. */
export function target(weight: Weight, ceiling: Weight): Weight {
  const aim = (key: keyof Weight): number =>
    weight[key] > ceiling[key] ? Math.floor(ceiling[key] * lowWater) : ceiling[key];
  return { tokens: aim('tokens'), bytes: aim('bytes'), images: aim('images') };
}

/** How much of something that can be cut anywhere may go: all of it where there is room, else so much that some room is
 * left for what comes next; never less than `least`. */
export function lengthWithin(whole: number, least: number, weigh: (length: number) => Weight, room: Weight): number {
  const all = weigh(whole);
  const aim = target(all, room);
  const share = Math.min(aim.tokens / all.tokens, aim.bytes / all.bytes);
  let length = Math.floor(whole * Math.min(1, share));
  while (length > least && exceeds(weigh(length), aim)) length = Math.floor(length * 0.9);
  return Math.min(whole, Math.max(least, length));
}

export function exceeds(weight: Weight, ceiling: Weight): boolean {
  return weight.tokens > ceiling.tokens || weight.bytes > ceiling.bytes || weight.images > ceiling.images;
}

export function add(one: Weight, other: Weight): Weight {
  return { tokens: one.tokens + other.tokens, bytes: one.bytes + other.bytes, images: one.images + other.images };
}

export function subtract(one: Weight, other: Weight): Weight {
  return { tokens: one.tokens - other.tokens, bytes: one.bytes - other.bytes, images: one.images - other.images };
}

export function weightOfBlocks(blocks: readonly Shown[], rule: TokenRule, countText: CountText = textTokens): Weight {
  const sum = { ...weightless };
  for (const block of blocks) {
    sum.tokens += (block.type === 'text' ? countText(block.text) : tokensOf(block, rule)) + frameTokens;
    sum.bytes += bytesOf(block) + frameBytes;
    if (isPicture(block)) sum.images++;
  }
  return sum;
}

export function weightOfItem(item: PlanItem, rule: TokenRule, countText: CountText = textTokens): Weight {
  if (item.role !== 'assistant') return weightOfBlocks(shownIn(item), rule, countText);
  return item.content.reduce((sum, block) => add(sum, weightOfSaid(block, rule, countText)), weightless);
}

/** The tokens of the media alone, which no counting of texts changes. */
export function mediaTokens(item: PlanItem, rule: TokenRule): number {
  if (item.role === 'assistant') return 0;
  return shownIn(item).reduce((sum, block) => sum + (block.type === 'text' ? 0 : tokensOf(block, rule)), 0);
}

function shownIn(item: Exclude<PlanItem, { role: 'assistant' }>): Shown[] {
  if (item.role === 'user') return item.content;
  const bridge: Shown[] = item.bridge ? [{ type: 'text', text: item.bridge }] : [];
  return [...item.results.flatMap((result) => result.content), ...bridge, ...item.after];
}

function weightOfSaid(block: Said, rule: TokenRule, countText: CountText): Weight {
  const sealed = 'seal' in block && block.seal ? JSON.stringify(block.seal.item) : undefined;
  if (block.type === 'image') return add(weightOfBlocks([block], rule), weightOfText(sealed ?? '', countText));
  return weightOfText(
    sealed ?? (block.type === 'call' ? JSON.stringify(block.input ?? {}) : block.type === 'sealed' ? '' : block.text),
    countText,
  );
}

/** The part of a request that is not messages. */
export function weightOfFrame(system: string | undefined, tools: readonly ToolSpec[]): Weight {
  return add(weightOfText(system ?? ''), weightOfText(JSON.stringify(tools)));
}

function weightOfText(text: string, countText: CountText = textTokens): Weight {
  return { tokens: countText(text) + frameTokens, bytes: jsonBytes(text) + frameBytes, images: 0 };
}

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

/** How far an estimate is corrected. */
const least = 0.5;
const most = 2;

/** Below this a request says more about the provider's own preamble than about our estimate. */
const smallest = 500;

/** What a request was thought to have, and how far such thoughts were off before. */
export type Estimate = { tokens: number; factor: number };

/**
 * What to multiply an estimate with: each answer tells what its request really had, within bounds; the ledger keeps it
 * for turns that tell nothing.
 */
export function correctionOf(
  { sent, estimate }: { sent: number; estimate?: Estimate },
  items: readonly Item[],
  { model }: Profile,
): number {
  if (!estimate) return 1;
  const answer = items[sent];
  const reported = answer?.role === 'assistant' && answer.model === model ? answer.usage?.inputTokens : undefined;
  if (reported === undefined || reported < smallest || estimate.tokens < smallest) return estimate.factor;
  return Math.min(most, Math.max(least, reported / estimate.tokens));
}
