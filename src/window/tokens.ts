// What things cost, estimated from what will really be sent: pictures by the vendor's own formula, documents by the
// page, sound by the second, text by its kinds of characters. Unknown sizes are taken as large, never as free.
import { base64Length } from '../content/base64.ts';
import type { Detail } from '../content/block.ts';
import type { Shown } from './planned.ts';
import type { ImageTokens, TokenRule } from './profile.ts';

/** The tokens of one planned block. */
export function tokensOf(block: Shown, rule: TokenRule): number {
  switch (block.type) {
    case 'text':
      return textTokens(block.text);
    case 'image':
      return imageTokens(rule.image, block.width || 1024, block.height || 1024, block.detail);
    case 'document':
      return (block.pages ?? Math.max(1, Math.ceil(block.asset.size / 50_000))) * rule.page;
    case 'audio':
      return Math.ceil((block.seconds || 60) * rule.audioSecond);
    case 'video':
      return Math.ceil((block.seconds || 60) * rule.videoSecond);
  }
}

/** The bytes a block takes in a request body. */
export function bytesOf(block: Shown): number {
  return block.type === 'text'
    ? new TextEncoder().encode(JSON.stringify(block.text)).length
    : base64Length(block.asset.size);
}

export function imageTokens(rule: ImageTokens, width: number, height: number, detail?: Detail): number {
  switch (rule.by) {
    case 'patches':
      return patchTokens(width, height, rule);
    case 'budget':
      return budgetTokens(
        width,
        height,
        rule.factor,
        detail === 'original' || detail === 'auto' ? rule.original : rule.high,
      );
    case 'tiles':
      return tileTokens(width, height, rule, detail);
    case 'gemini-tiles':
      return width <= 384 && height <= 384 ? 258 : 258 * Math.ceil(width / 768) * Math.ceil(height / 768);
    case 'flat':
      return rule.tokens;
  }
}

/** The largest size of the same shape that keeps both the edge and the token cap, in patches. */
function patchTokens(
  width: number,
  height: number,
  rule: { patch: number; maxEdge: number; maxTokens: number },
): number {
  const cost = (scale: number): number =>
    Math.ceil((width * scale) / rule.patch) * Math.ceil((height * scale) / rule.patch);
  const whole = Math.min(1, rule.maxEdge / Math.max(width, height));
  if (cost(whole) <= rule.maxTokens) return cost(whole);
  let low = 0;
  let high = whole;
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (cost(middle) <= rule.maxTokens) low = middle;
    else high = middle;
  }
  return cost(low);
}

/** Patches of 32 px, shrunk to a budget so that whole patches fit both ways. */
function budgetTokens(width: number, height: number, factor: number, budget: number): number {
  const patches = Math.ceil(width / 32) * Math.ceil(height / 32);
  if (patches <= budget) return Math.ceil(factor * patches);
  const ratio = Math.sqrt((budget * 1024) / (width * height));
  const across = (width * ratio) / 32;
  const down = (height * ratio) / 32;
  const fitted = ratio * Math.min(Math.floor(across) / across, Math.floor(down) / down);
  const shrunk = Math.ceil((width * fitted) / 32 - 1e-9) * Math.ceil((height * fitted) / 32 - 1e-9);
  return Math.ceil(factor * Math.min(shrunk, budget));
}

/** Fit into 2048 px, short side to 768 px, then tiles of 512 px. */
function tileTokens(width: number, height: number, rule: { base: number; tile: number }, detail?: Detail): number {
  if (detail === 'low') return rule.base;
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const short = Math.min(1, 768 / (Math.min(width, height) * fit));
  const across = Math.ceil((width * fit * short) / 512);
  const down = Math.ceil((height * fit * short) / 512);
  return rule.base + rule.tile * across * down;
}

/** An estimate for text of any kind. Letters are cheap, digits and punctuation dear, other scripts nearly one each. */
export function textTokens(text: string): number {
  let letters = 0;
  let digits = 0;
  let marks = 0;
  let spaces = 0;
  let others = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) letters++;
    else if (code >= 48 && code <= 57) digits++;
    else if (code <= 32) spaces++;
    else if (code < 128) marks++;
    else others++;
  }
  return Math.ceil(letters / 4.6 + digits / 2.2 + marks / 1.7 + spaces / 12 + others / 1.4);
}
