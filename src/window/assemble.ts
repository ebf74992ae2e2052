// All items of a conversation as they will be sent, with their receipts. What was written for the turn before is taken
// over as far as it stands.
import type { AssetId } from '../content/block.ts';
import { afterResults, assistantFirst, goOn } from '../content/words.ts';
import { add } from './budget.ts';
import { noHead } from './evict.ts';
import type { Head } from './evict.ts';
import { leftOutLine, written } from './draft.ts';
import type { Draft } from './draft.ts';
import type { PlanItem } from './plan-types.ts';
import type { Profile } from './profile.ts';
import type { Receipt } from './receipt.ts';

export type Whole = {
  items: PlanItem[];
  receipts: Receipt[];
  /** Where each item of the conversation stands in the plan, or would. */
  places: number[];
  /** The first items, which will not change unless the prefix moves, and what they weigh. */
  head: Head;
  start: Start;
};

/** How far the lists are those of the head, its last item before anything stood behind it, and what the head shows. */
type Start = { items: number; last?: PlanItem | undefined; receipts: number; shown: ReadonlySet<AssetId> };

/** Writes everything. `settled`: how many of the items no message to come can change. */
export function writeAll(drafts: readonly Draft[], profile: Profile, settled: number, before?: Whole): Whole {
  const { items, receipts, places, head, start: begun } = before ? goOnFrom(before) : begin(drafts, profile);
  const shown = new Set(begun.shown);
  const write = (from: number, to: number, seen: Set<AssetId>): void => {
    for (let index = from; index < to; index++) {
      const { planned, receipts: told } = written(drafts[index] as Draft, profile);
      places.push(items.length);
      if (planned?.role === 'user') bridge(items, profile, receipts);
      if (planned) items.push(planned);
      for (const receipt of told) receipts.push(noticed(receipt, shown, seen));
      if (planned?.role === 'batch' && planned.after.length > 0) bridge(items, profile, receipts);
    }
  };
  write(head.count, settled, shown);
  const start: Start = { items: items.length, last: items.at(-1), receipts: receipts.length, shown };
  write(settled, drafts.length, new Set());
  if (profile.userLast && items.at(-1)?.role === 'assistant' && !isPaused(drafts.at(-1), profile)) {
    receipts.push({ action: 'repaired', subject: goOn, why: 'the conversation ended with the assistant' });
    items.push(userLine(goOn));
  }
  return { items, receipts, places, head: grown(head, drafts, settled, profile), start };
}

/** Its own model goes on with an answer that it paused when nothing is said after it. */
function isPaused(draft: Draft | undefined, { model }: Profile): boolean {
  const item = draft?.item;
  return item?.role === 'assistant' && item.stop === 'paused' && item.model === model;
}

/** Words between results that end the list and a user who speaks next, for servers that let none speak there. */
function bridge(items: PlanItem[], { dialect, id }: Profile, receipts: Receipt[]): void {
  const last = items.at(-1);
  if (!dialect.bridge || last?.role !== 'batch' || last.bridge !== undefined) return;
  items[items.length - 1] = { ...last, bridge: afterResults };
  receipts.push({ action: 'repaired', subject: afterResults, why: `${id} lets no user speak right after results` });
}

function grown(head: Head, drafts: readonly Draft[], count: number, profile: Profile): Head {
  const next: Head = { ...head, count };
  for (let index = head.count; index < count; index++) {
    const { weight, media, edge } = written(drafts[index] as Draft, profile);
    next.weight = add(next.weight, weight);
    next.media += media;
    next.edge = Math.max(next.edge, edge);
    if (weight.images > 0) next.picture ??= index;
  }
  return next;
}

function goOnFrom({ items, receipts, places, head, start }: Whole): Whole {
  return {
    items: start.last ? [...items.slice(0, start.items - 1), start.last] : [],
    receipts: receipts.slice(0, start.receipts),
    places: places.slice(0, head.count),
    head,
    start,
  };
}

/** What was left out altogether leaves one line where the conversation begins. */
function begin(drafts: readonly Draft[], profile: Profile): Whole {
  const items: PlanItem[] = [];
  const receipts: Receipt[] = [];
  const first = drafts.find((draft) => written(draft, profile).planned)?.item.role;
  const gone = drafts.filter(({ cut }) => cut === 'all');
  if (gone.length > 0) items.push(leftOutLine(gone));
  else if (first === 'assistant') {
    // Some APIs refuse a conversation that begins with the assistant; a few words before it are taken by all.
    receipts.push({ action: 'repaired', subject: assistantFirst, why: 'the conversation began with the assistant' });
    items.push(userLine(assistantFirst));
  }
  const start: Start = { items: 0, receipts: 0, shown: new Set() };
  return { items, receipts, places: [], head: noHead, start };
}

function userLine(text: string): PlanItem {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** A medium whose bytes already stand in the request is told as such. */
function noticed(receipt: Receipt, shown: ReadonlySet<AssetId>, seen: Set<AssetId>): Receipt {
  const { sent = [] } = receipt;
  if (sent.length > 0 && sent.every((asset) => shown.has(asset) || seen.has(asset)))
    return { ...receipt, repeated: true };
  for (const asset of sent) seen.add(asset);
  return receipt;
}
