// What a provider refused, and how the plan gives way: media go one rung down their ladder and stay there, thinking is
// no longer sent back. The history itself is never changed.
import type { CarriedBlock, MediumId } from '../content/block.ts';
import { mediumId } from '../content/block.ts';
import type { Item } from '../message/pair.ts';
import { altered, mediaOf } from './draft.ts';
import type { PlanContext, Draft } from './draft.ts';
import { decideMedium } from './carrier.ts';
import { rungOf, stands } from './decide.ts';
import type { Decision, Floors, MediaSlot } from './decide.ts';
import type { LedgerItem } from './ledger.ts';

type Standing = { block: CarriedBlock; slot: MediaSlot; decision: Decision | undefined };

/** The floors after these assets were refused where they stood. Asks the context for what it must know to tell where. */
export function lowerFloors(
  refused: ReadonlySet<MediumId>,
  items: readonly Item[],
  known: readonly LedgerItem[],
  context: PlanContext,
): Floors {
  const floors = new Map(context.floors);
  for (const id of refused) {
    const standing = items.flatMap((item, index) => standingOf(item, known[index], id));
    const rungs = standing.flatMap(({ block, slot, decision }) => {
      const now = decision ?? decideMedium(block, slot, context);
      return now ? [rungOf(block, now, floors.get(id) ?? 0)] : [];
    });
    if (rungs.length > 0) floors.set(id, Math.min(...rungs) + 1);
  }
  return floors;
}

function standingOf(item: Item, known: LedgerItem | undefined, id: MediumId): Standing[] {
  return mediaOf(item).flatMap(({ block, slot }, at) =>
    mediumId(block) === id ? [{ block, slot, decision: known?.decisions[at] }] : [],
  );
}

/** The remembered decisions of an item, with those about refused media taken anew; the same list when there are none. */
export function decideAgain(
  item: Item,
  decisions: Decision[],
  refused: ReadonlySet<MediumId>,
  context: PlanContext,
): Decision[] {
  const media = mediaOf(item);
  if (!media.some(({ block }) => refused.has(mediumId(block)))) return decisions;
  return decisions.map((decision, at) => {
    const medium = media[at];
    if (!medium || !refused.has(mediumId(medium.block)) || !(stands(decision) || decision.again)) return decision;
    const now = decideMedium(medium.block, medium.slot, context);
    if (!now) return decision;
    return decision.again && stands(now) ? { ...decision, again: now } : now; // what is not shown is nothing to point to
  });
}

/** Thinking that may not go back, from one item of the conversation to another. */
export function unbind(drafts: readonly Draft[], from: number, to: number): Draft[] {
  return drafts.map((draft, index) => (index >= from && index < to ? altered(draft, { unbound: true }) : draft));
}
