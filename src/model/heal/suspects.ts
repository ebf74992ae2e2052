// Which media of a refused request may have caused the complaint. A place named in it may lead to one; without such, the
// suspects are the media that this model has not accepted yet, and when it has accepted them all, every one.
import type { AssetId } from '../../content/block.ts';
import { isMedia } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import type { Transcript } from '../../message/message.ts';
import { pair } from '../../message/pair.ts';
import { mediaOf } from '../../window/draft.ts';
import { sentAssets } from '../../window/ledger.ts';
import type { Ledger } from '../../window/ledger.ts';
import type { Plan, PlannedMedia } from '../../window/plan-types.ts';
import type { Totals } from '../../window/budget.ts';
import { assetsIn } from '../../wire/json-slots.ts';

/** A request as it was refused. */
export type RefusedRequest = {
  plan: Plan;
  /** What this request decided, and what the last accepted one had. */
  ledger: Ledger;
  accepted: Ledger | undefined;
  totals: Totals;
  transcript: Transcript;
  skeleton: unknown;
  bytes: number;
};

/** The medium of the conversation that a place of the request leads to; a place that shows several accuses none. */
export function namedMedium(path: string | undefined, refused: RefusedRequest): AssetId | undefined {
  const named = path === undefined ? [] : owning(assetsAt(path, refused.skeleton), ownersOf(refused));
  return named.length === 1 ? named[0] : undefined;
}

/** The media that may be to blame when no place is named: pictures in their order, then what is dearer to show. */
export function suspects(refused: RefusedRequest): AssetId[] {
  const owners = ownersOf(refused);
  const sent = [...owners.keys()];
  const known = new Set(sentAssets(refused.accepted, refused.plan.profile.model));
  const fresh = sent.filter((id) => !known.has(id));
  const blocks = refused.transcript.messages.flatMap(({ content }) => content.filter(isMedia));
  const sizes = new Map(blocks.map(({ type, asset }) => [asset.id, type === 'image' ? 0 : asset.size]));
  const size = (id: AssetId): number => sizes.get(id) ?? 0;
  return owning(fresh.length > 0 ? fresh : sent, owners).toSorted((one, other) => size(one) - size(other));
}

/** The media of a request, in whatever form. */
export function shownMedia({ items }: Plan): PlannedMedia[] {
  return items
    .flatMap((item) =>
      item.role === 'assistant'
        ? []
        : item.role === 'user'
          ? item.content
          : [...item.results.flatMap(({ content }) => content), ...item.after],
    )
    .filter((block) => block.type !== 'text');
}

/** Those of them that stand inside results. */
export function insideMedia({ items }: Plan): PlannedMedia[] {
  return items
    .flatMap((item) => (item.role === 'batch' ? item.results.flatMap(({ content }) => content) : []))
    .filter((block) => block.type !== 'text');
}

type Owners = ReadonlyMap<AssetId, ReadonlySet<AssetId>>;

function owning(sent: readonly AssetId[], owners: Owners): AssetId[] {
  return [...new Set(sent.flatMap((id) => [...(owners.get(id) ?? [])]))];
}

/** Which media of the conversation stand behind each asset that was sent: itself, or what it was made of. */
function ownersOf({ ledger, plan, transcript }: RefusedRequest): Owners {
  const owners = new Map<AssetId, Set<AssetId>>();
  const { items } = pair(transcript.messages);
  for (const [index, { decisions }] of (ledger.entries[plan.profile.model]?.items ?? []).entries()) {
    const item = items[index];
    for (const [at, { block }] of (item ? mediaOf(item) : []).entries()) {
      for (const shown of decisions[at]?.blocks ?? []) {
        if (shown.type !== 'text')
          owners.set(shown.asset.id, (owners.get(shown.asset.id) ?? new Set()).add(block.asset.id));
      }
    }
  }
  return owners;
}

/** The assets at a place of the request. Names of types between the steps, as Anthropic writes them, lead nowhere. */
function assetsAt(path: string, skeleton: unknown): AssetId[] {
  const steps = path.match(/\w+/g) ?? [];
  let found = skeleton;
  for (const name of steps) {
    if (Array.isArray(found)) {
      if (!/^\d+$/.test(name)) continue;
      found = found[Number(name)];
    } else if (isRecord(found)) {
      const key = Object.keys(found).find((one) => plain(one) === plain(name));
      if (key !== undefined) found = found[key];
    }
  }
  return found === skeleton ? [] : assetsIn(found).map(({ id }) => id);
}

/** `inlineData` and `inline_data` are one name. */
function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
