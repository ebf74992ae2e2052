// What the input of a request may come to, before anybody has planned it: words by the planner's estimate, media by what
// a large one of their kind costs.
import { isMedia } from '../content/block.ts';
import type { Asset, MediaBlock } from '../content/block.ts';
import { inputBlocks } from '../content/input.ts';
import type { MessageInput } from '../message/message.ts';
import type { Profile } from '../window/profile.ts';
import { textTokens, tokensOf } from '../window/tokens.ts';
import type { BodyString, BodyStrings } from './strings.ts';

/** The estimate for words is within a fifth. */
const margin = 1.25;
/** Pictures that are larger than this are made smaller before a model sees them. */
const edge = 2000;

/** The most tokens that a request is likely to have at this model; never more than it takes. */
export function inputTokens(text: string, { all }: BodyStrings, { tokens: rule, contextTokens }: Profile): number {
  const strings = [...all.values()].map((string) => stringTokens(string, rule));
  const sum = strings.reduce((before, tokens) => before + tokens, textTokens(text) * margin);
  return Math.min(Math.ceil(sum), contextTokens);
}

/** The same for a conversation that is kept here. */
export function keptTokens(messages: readonly MessageInput[], { tokens: rule }: Profile): number {
  const blocks = messages.flatMap(({ content }) => inputBlocks(content));
  const media = blocks.filter((block): block is MediaBlock => isMedia(block) && 'asset' in block);
  const words = Math.ceil(textTokens(JSON.stringify(messages)) * margin);
  return media.reduce((sum, block) => sum + mediumTokens(block, rule), words);
}

function mediumTokens(block: MediaBlock, rule: Profile['tokens']): number {
  if (block.type !== 'image') return tokensOf(block, rule);
  const { type, asset, width, height } = block;
  return tokensOf({ type, asset, width, height }, rule);
}

/** What is no medium that is known here is counted as words of three letters a token. */
function stringTokens({ known, length }: BodyString, rule: Profile['tokens']): number {
  const mediaType = known?.mediaType ?? '';
  const asset: Asset = { id: 'sha256:', size: Math.floor((length * 3) / 4), mediaType };
  if (mediaType === 'application/pdf') return tokensOf({ type: 'document', asset }, rule);
  if (!mediaType.startsWith('image/')) return length / 3;
  return tokensOf({ type: 'image', asset, width: edge, height: edge }, rule);
}
