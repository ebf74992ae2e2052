// What the input of a request may come to, before anybody has planned it: words by the planner's estimate, media by what
// a large one of their kind costs.
import { decodeBase64 } from '../content/base64.ts';
import type { Asset } from '../content/block.ts';
import { mediaTypeOf } from '../content/header-intake.ts';
import { longStrings } from '../fetch/body-outline.ts';
import type { Profile } from '../window/profile.ts';
import { textTokens, tokensOf } from '../window/tokens.ts';

/** The estimate for words is within a fifth. */
const margin = 1.25;
/** Pictures that are larger than this are made smaller before a model sees them. */
const edge = 2000;
const uriMark = ';base64,';

/** The most tokens that the text of a request is likely to have at this model; never more than it takes. */
export function inputTokens(text: string, { tokens: rule, contextTokens }: Profile): number {
  let sum = 0;
  let at = 0;
  for (const [start, end] of longStrings(text)) {
    const medium = mediumTokens(text.slice(start, end), rule);
    if (medium === undefined) continue;
    sum += textTokens(text.slice(at, start)) * margin + medium;
    at = end;
  }
  return Math.min(Math.ceil(sum + textTokens(text.slice(at)) * margin), contextTokens);
}

/** Undefined for what is no medium. */
function mediumTokens(text: string, rule: Profile['tokens']): number | undefined {
  const mark = text.slice(0, 200).indexOf(uriMark);
  const from = mark < 0 ? 0 : mark + uriMark.length;
  const head = decodeBase64(text.slice(from, from + 64));
  const mediaType = head && mediaTypeOf(head);
  const asset: Asset = { id: 'sha256:', size: Math.ceil(((text.length - from) * 3) / 4), mediaType: mediaType ?? '' };
  if (mediaType === 'application/pdf') return tokensOf({ type: 'document', asset }, rule);
  return mediaType?.startsWith('image/')
    ? tokensOf({ type: 'image', asset, width: edge, height: edge }, rule)
    : undefined;
}
