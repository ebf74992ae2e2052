// What a provider refused, and how the plan gives way: media go one rung down their ladder and stay there, thinking is
// no longer sent back. The history itself is never changed.
import type { AssetId, MediaBlock } from '../content/block.ts';
import type { Item } from '../message/pair.ts';
import { altered, mediaOf } from './draft.ts';
import type { PlanContext, Draft } from './draft.ts';
import { decide, rungOf } from './decide.ts';
import type { Decision, Floors, MediaSlot } from './decide.ts';
import type { LedgerItem } from './ledger.ts';

type Standing = { block: MediaBlock; slot: MediaSlot; decision: Decision | undefined };

/** The floors after these assets were refused where they stood. Asks the context for what it must know to tell where. */
export function lowerFloors(
  refused: ReadonlySet<AssetId>,
  items: readonly Item[],
  known: readonly LedgerItem[],
  context: PlanContext,
): Floors {
  const floors = new Map(context.floors);
  for (const asset of refused) {
    const standing = items.flatMap((item, index) => standingOf(item, known[index], asset));
    const rungs = standing.flatMap(({ block, slot, decision }) => {
      const now = decision ?? decide(block, slot, context);
      return now ? [rungOf(block, now, floors.get(asset) ?? 0)] : [];
    });
    if (rungs.length > 0) floors.set(asset, Math.min(...rungs) + 1);
  }
  return floors;
}

function standingOf(item: Item, known: LedgerItem | undefined, asset: AssetId): Standing[] {
  return mediaOf(item).flatMap(({ block, slot }, at) =>
    block.asset.id === asset ? [{ block, slot, decision: known?.decisions[at] }] : [],
  );
}

/** The remembered decisions of an item, with those about refused media taken anew; the same list when there are none. */
export function decideAgain(
  item: Item,
  decisions: Decision[],
  refused: ReadonlySet<AssetId>,
  context: PlanContext,
): Decision[] {
  const media = mediaOf(item);
  if (!media.some(({ block }) => refused.has(block.asset.id))) return decisions;
  return decisions.map((decision, at) => {
    const medium = media[at];
    const stands = decision.place !== 'words' || decision.action === 'text';
    if (!medium || !stands || !refused.has(medium.block.asset.id)) return decision;
    return decide(medium.block, medium.slot, context) ?? decision;
  });
}

/** Thinking that may not go back, from one item of the conversation to another. */
export function unbind(drafts: readonly Draft[], from: number, to: number): Draft[] {
  return drafts.map((draft, index) => (index >= from && index < to ? altered(draft, { unbound: true }) : draft));
}
