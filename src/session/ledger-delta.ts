// A ledger grows with its conversation; stored is only what is new about it. A chain of deltas gives it back.
import type { Ledger, LedgerEntry, LedgerItem } from '../window/ledger.ts';
import type { LedgerDelta } from './entry.ts';

type Head = Omit<LedgerEntry, 'items'>;

/** What of a ledger its predecessor does not hold. */
export function deltaOf(before: LedgerEntry | undefined, ledger: Ledger): LedgerDelta {
  const model = ledger.current;
  const { items = [], ...head } = ledger.entries[model] ?? {};
  const old: Partial<Head> = before ? headOf(before) : {};
  const dropped = Object.keys(old).some((key) => !Object.hasOwn(head, key));
  const differs = items.findIndex((item, at) => !isSame(before?.items[at], item));
  const keep = dropped ? 0 : differs < 0 ? items.length : differs;
  const changed = Object.entries(head).filter(
    ([key, value]) => keep === 0 || JSON.stringify(old[key as keyof Head]) !== JSON.stringify(value),
  );
  return { model, keep, items: items.slice(keep), ...(changed.length > 0 && { head: Object.fromEntries(changed) }) };
}

function headOf({ items: _items, ...head }: LedgerEntry): Head {
  return head;
}

/** The planner hands on the decisions that still hold, so looking at the reference settles it nearly always. */
function isSame(old: LedgerItem | undefined, item: LedgerItem): boolean {
  if (!old || old.digest !== item.digest) return false;
  const { decisions, ...rest } = item;
  const { decisions: oldDecisions, ...oldRest } = old;
  if (decisions !== oldDecisions && JSON.stringify(decisions) !== JSON.stringify(oldDecisions)) return false;
  return JSON.stringify(rest) === JSON.stringify(oldRest);
}

/** The entry after a chain of deltas, oldest first. A chain whose beginning is lost gives nothing. */
export function replay(deltas: readonly LedgerDelta[]): LedgerEntry | undefined {
  let head: Partial<Head> = {};
  const items: LedgerItem[] = [];
  for (const delta of deltas) {
    if (delta.keep > items.length) return undefined;
    head = delta.keep === 0 ? (delta.head ?? {}) : { ...head, ...delta.head };
    items.length = delta.keep;
    for (const item of delta.items) items.push(item);
  }
  return head.profile === undefined ? undefined : { ...(head as Head), items };
}
