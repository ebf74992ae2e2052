// A request that was too much → how much less it may be: in tokens, in bytes, in pictures. What a complaint taught about
// the provider's limits holds for the rest of the conversation.
import type { Complaint } from './complaint.ts';
import type { Repair, Repairs } from './repair-types.ts';
import { shownMedia } from '../../window/shown.ts';
import type { RefusedRequest } from './suspects.ts';

/** How much of a request that was too heavy is left. */
const step = 0.7;

export function fewerImages({ message }: Complaint, { plan }: RefusedRequest): Repair | undefined {
  const count = shownMedia(plan).filter((medium) => medium.type === 'image').length;
  const named = mostImages(message, count);
  if (named === undefined || count === 0) return undefined;
  // A provider that complains about no more than it allows counts something else as well.
  const most = named < count ? named : Math.floor(count * step);
  return { why: message, limits: { images: most } };
}

const mostNamed = [
  /(?:at most|maximum of|max(?:imum)?(?: is)?|up to|limit of|exceeds the limit of)\s+(\d+)\s+(?:images?|pictures?)/i,
  /too (?:many images|much media).{0,60}?>\s*(\d+)/i, // too many images and documents: 103 + 1 > 100
  /too many images.{0,40}?\bmax\w*(?: allowed)?(?: is)?:?\s+(\d+)/i, // too many images in the message, max allowed is 16
  /\b\d+ images?,? exceed\w*.{0,20}?\b(?:limit|maximum)(?: of)?\s+(\d+)/i, // 52 images, exceeding the maximum of 50
  /\bimage count \d+ exceeds.{0,20}?\b(?:limit|maximum)(?: of)?\s+(\d+)/i,
  /(?:supports|allows?) (?:only )?(one|\d+) images?/i,
];

/** How many pictures the provider says that it takes. */
export function mostImages(message: string, count: number): number | undefined {
  const named = mostNamed.map((row) => row.exec(message)?.[1]).find((found) => found !== undefined);
  if (named !== undefined) return named === 'one' ? 1 : Number(named);
  return /too many images/i.test(message) ? Math.max(1, Math.floor(count * step)) : undefined;
}

/** How many pictures may stay, if turns show more than the provider says that it takes. */
export function fewerThan(shown: readonly { images: number }[], { message }: Complaint): number | undefined {
  const count = shown.reduce((sum, { images }) => sum + images, 0);
  const most = mostImages(message, count);
  return most !== undefined && most < count ? most : undefined;
}

export function fewerTokens(
  { message }: Complaint,
  { plan, ledger, totals }: RefusedRequest,
  before: Repairs,
): Repair | undefined {
  const times = before.filter(({ budget }) => budget?.tokens !== undefined).length;
  if (times >= 2) return undefined;
  const said = countIn(message);
  const share = said ? Math.min(0.9, (said.limit / said.actual) * 0.9) : step;
  // Both counts are kept: the provider's own, and ours, which may be far from it.
  const estimate = atLeastOne((ledger.entries[plan.profile.model]?.estimate.tokens ?? totals.used.tokens) * share);
  return {
    why: message,
    budget: { tokens: atLeastOne(totals.used.tokens * share) },
    limits: { estimate, ...(said && { contextTokens: said.limit }) },
  };
}

export function fewerBytes({ message }: Complaint, { bytes }: RefusedRequest, before: Repairs): Repair | undefined {
  const times = before.filter(({ limits }) => limits?.bytes !== undefined).length;
  if (times >= 2) return undefined;
  return { why: message, limits: { bytes: atLeastOne(bytes * step) } };
}

function atLeastOne(size: number): number {
  return Math.max(1, Math.floor(size));
}

const counted = [
  /([\d,]+)\s*tokens?\s*>\s*([\d,]+)/i, // 210000 tokens > 200000 maximum
  /token count \(?([\d,]+)\)?.*?exceeds.*?\(?([\d,]{4,})/i,
  /contains ([\d,]+) tokens.*?([\d,]{4,})/i,
];
const countedLast = /maximum (?:context|prompt) length (?:is|of) ([\d,]+).*?([\d,]{4,})/i;

function number(text: string | undefined): number {
  return Number(text?.replaceAll(',', ''));
}

/** What the provider itself counted, and how much it takes, where it says so. */
function countIn(message: string): { actual: number; limit: number } | undefined {
  const forward = counted.map((row) => row.exec(message)).find((found) => found !== null);
  const backward = countedLast.exec(message);
  const [actual, limit] = backward
    ? [number(backward[2]), number(backward[1])]
    : [number(forward?.[1]), number(forward?.[2])];
  return actual > limit && limit > 0 ? { actual, limit } : undefined;
}
