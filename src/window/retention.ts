// How many pictures a conversation keeps in sight. The newest stay; older ones go in batches, because each batch moves
// the prefix and everything after the edit is paid for again. How large a batch is best follows from the prices.
import { kindOfMedium, mediumId } from '../content/block.ts';
import type { Item } from '../message/pair.ts';
import type { Draft } from './draft.ts';
import { mediaOf } from './draft.ts';
import type { Decision } from './decide.ts';
import { isPicture } from './plan-types.ts';
import type { MediaPolicy } from './plan-types.ts';
import type { Profile } from './profile.ts';

/** Tokens of a step beside its picture, as a part of the picture's own: some text, a call. */
const besides = 0.13;

/**
 * The batch that costs least. Per step, pictures waiting to go cost a cached read each, `read × batch / 2` on average;
 * a batch makes the kept pictures and their texts be written again, `(write - read) × (keep - 1) / batch` per step. The
 * sum is least where both are equal.
 */
export function batchFor(keep: number, { prices }: Profile): number {
  const read = prices ? prices.read / prices.input : 0.1;
  const write = prices ? prices.write / prices.input : 1.25;
  if (read <= 0) return largestBatch;
  const best = Math.sqrt((2 * (write - read) * Math.max(0, keep - 1) * (1 + besides)) / read);
  return Math.min(largestBatch, Math.max(1, Math.round(best)));
}

const largestBatch = 32;

/** What has to go so that the newest pictures alone stay, and why. */
export type Surplus = {
  /** The index of the draft, and of the medium in it. */
  media: [number, number][];
  why: string;
};

/** Nothing until a whole batch can go. Pages of one document stay or go together; the newest one stays. */
export function surplus(drafts: readonly Draft[], policy: MediaPolicy, profile: Profile): Surplus {
  const keep = policy.imagesToKeep;
  if (keep === undefined) return { media: [], why: '' };
  const batch = policy.strict ? 1 : Math.max(1, policy.batch ?? batchFor(keep, profile));
  const old: [number, number][] = [];
  let [kept, total] = [0, 0];
  for (let index = drafts.length - 1; index >= 0; index--) {
    const { decisions, cut } = drafts[index] as Draft;
    if (cut === 'text' || cut === 'all') continue;
    for (let at = decisions.length - 1; at >= 0; at--) {
      const count = picturesOf(decisions[at] as Decision);
      if (count === 0) continue;
      total += count;
      if (kept + count > keep && (kept > 0 || keep === 0 || old.length > 0)) old.push([index, at]);
      else kept += count;
    }
  }
  const why = `the newest ${keep} pictures are kept, older ones go ${batch === 1 ? 'one by one' : `${batch} at a time`}`;
  return { media: total < keep + batch ? [] : old.toReversed(), why };
}

/** How many pictures a decision shows; pieces of one are one. */
export function picturesOf({ blocks, place, action }: Decision): number {
  if (place === 'words') return 0;
  if (action === 'tiles') return 1;
  let count = 0;
  for (const block of blocks) if (isPicture(block)) count++;
  return count;
}

/** Where the newest picture stands that is really shown, so that it is never among the first to go. */
export function newestPicture(drafts: readonly Draft[]): [number, number] | undefined {
  for (let index = drafts.length - 1; index >= 0; index--) {
    const at = drafts[index]?.decisions.findLastIndex((decision) => picturesOf(decision) > 0) ?? -1;
    if (at >= 0) return [index, at];
  }
  return undefined;
}

/** The last picture before an item of the conversation, for telling whether anything has changed since. */
export function pictureBefore(items: readonly Item[], index: number): string | undefined {
  for (let at = Math.min(index, items.length) - 1; at >= 0; at--) {
    const found = lastPicture(items[at] as Item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The last picture of an item. */
export function lastPicture(item: Item): string | undefined {
  const found = mediaOf(item).findLast(({ block }) => kindOfMedium(block) === 'image');
  return found && mediumId(found.block);
}
