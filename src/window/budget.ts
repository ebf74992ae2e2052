// What a request may weigh, and what it weighs: tokens, bytes and pictures at once. A conversation that outgrows one of
// them is cut in one batch well below it, oldest first, so that the prefix moves rarely.
import type { ToolSpec } from '../tool/tool.ts';
import { once, onceFor } from './once.ts';
import type { PlanItem, RequestOptions, Said, Shown } from './planned.ts';
import type { Profile, TokenRule } from './profile.ts';
import { bytesOf, jsonBytes, textTokens, tokensOf } from './tokens.ts';
import type { CountText } from './tokens.ts';

export type Weight = { tokens: number; bytes: number; images: number };

/** Ceilings of one request; each is bounded by what the model takes anyway. */
export type Budget = Partial<Weight>;

export const weightless: Weight = { tokens: 0, bytes: 0, images: 0 };

/** How far below a ceiling a batch of cuts goes: the next one is then some turns away. */
const lowWater = 0.7;

/** JSON around a block: names, quotes, braces. */
const frameBytes = 160;
const frameTokens = 6;

/** The ceilings that hold: the window without the room for the answer, the body, the pictures. */
export function ceilings(profile: Profile, options: RequestOptions, given: Budget = {}): Weight {
  const reserved = Math.min(options.maxTokens ?? profile.maxOutputTokens, profile.contextTokens / 2);
  const room = Math.floor(profile.contextTokens - reserved);
  return {
    tokens: Math.max(1, Math.min(room, given.tokens ?? room)),
    bytes: Math.min(profile.requestBytes, given.bytes ?? profile.requestBytes),
    images: Math.min(profile.maxImages, given.images ?? profile.maxImages),
  };
}

/** The mark that a batch of cuts aims at, for the ceilings that are passed; the others stay as they are. */
export function target(weight: Weight, ceiling: Weight): Weight {
  const aim = (key: keyof Weight): number =>
    weight[key] > ceiling[key] ? Math.floor(ceiling[key] * lowWater) : ceiling[key];
  return { tokens: aim('tokens'), bytes: aim('bytes'), images: aim('images') };
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
    if (block.type === 'image') sum.images++;
  }
  return sum;
}

export function weightOfItem(item: PlanItem, rule: TokenRule, countText: CountText = textTokens): Weight {
  switch (item.role) {
    case 'user':
      return weightOfBlocks(item.content, rule, countText);
    case 'assistant':
      return item.content.reduce((sum, block) => add(sum, weightOfSaid(block, countText)), weightless);
    case 'batch':
      return weightOfBlocks([...item.results.flatMap((result) => result.content), ...item.after], rule, countText);
  }
}

function weightOfSaid(block: Said, countText: CountText): Weight {
  const sealed = 'seal' in block && block.seal ? JSON.stringify(block.seal.item) : undefined;
  return weightOfText(
    sealed ?? (block.type === 'call' ? JSON.stringify(block.input ?? {}) : block.type === 'sealed' ? '' : block.text),
    countText,
  );
}

/** The part of a request that is not messages. */
export function weightOfFrame(system: string | undefined, tools: readonly ToolSpec[]): Weight {
  return add(weightOfSystem(system ?? ''), weightOfTools(tools));
}

const weightOfSystem = once((system) => weightOfText(system));
const weightOfTools = onceFor((tools: readonly ToolSpec[]) => weightOfText(JSON.stringify(tools)));

function weightOfText(text: string, countText: CountText = textTokens): Weight {
  return { tokens: countText(text) + frameTokens, bytes: jsonBytes(text) + frameBytes, images: 0 };
}
