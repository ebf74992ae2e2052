// Which media of a refused request may have caused the complaint. A place named in it may lead to one; without such, the
// suspects are the media that this model has not accepted yet, and when it has accepted them all, every one.
import type { MediumId } from '../../content/block.ts';
import { isMedia, mediumId } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import type { Transcript } from '../../message/message.ts';
import { pair } from '../../message/pair.ts';
import { mediaOf } from '../../window/draft.ts';
import { placeOf, sentPlaces } from '../../window/ledger.ts';
import type { Ledger } from '../../window/ledger.ts';
import type { Plan } from '../../window/plan-types.ts';
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
export function namedMedium(path: string | undefined, refused: RefusedRequest): MediumId | undefined {
  const owners = ownersOf(refused);
  const named = path === undefined ? [] : owning(placesAt(path, refused.skeleton), owners);
  return named.length === 1 ? named[0] : undefined;
}

/** The media that lie elsewhere: those that this model has not taken yet, else all of them. Nobody here has seen them. */
export function lyingElsewhere(refused: RefusedRequest): MediumId[] {
  const { fresh, sent, owners } = sentIn(refused);
  const newest = owning(fresh.filter(isElsewhere), owners).filter(isElsewhere);
  return newest.length > 0 ? newest : owning(sent.filter(isElsewhere), owners).filter(isElsewhere);
}

/** What was sent by its address or its id. */
function isElsewhere(place: string): boolean {
  return !place.startsWith('sha256:');
}

function sentIn(refused: RefusedRequest): { sent: string[]; fresh: string[]; owners: Owners } {
  const owners = ownersOf(refused);
  const sent = [...owners.keys()];
  const known = new Set(sentPlaces(refused.accepted, refused.plan.profile.model));
  return { sent, fresh: sent.filter((place) => !known.has(place)), owners };
}

/** The media that may be to blame when no place is named: what nobody has looked at alone, else pictures in their order, then
 * what is dearer to show. */
export function suspects(refused: RefusedRequest): MediumId[] {
  const { sent, fresh, owners } = sentIn(refused);
  const unchecked = owning(fresh.filter(isElsewhere), owners).filter(isElsewhere);
  if (unchecked.length > 0) return unchecked;
  const blocks = refused.transcript.messages.flatMap(({ content }) => content.filter(isMedia));
  const sizes = new Map<MediumId, number>(
    blocks.map(({ type, asset }) => [asset.id, type === 'image' ? 0 : asset.size]),
  );
  const size = (id: MediumId): number => sizes.get(id) ?? 0;
  return owning(fresh.length > 0 ? fresh : sent, owners).toSorted((one, other) => size(one) - size(other));
}

/** By the asset, the address or the id that was sent. */
type Owners = ReadonlyMap<string, ReadonlySet<MediumId>>;

function owning(sent: readonly string[], owners: Owners): MediumId[] {
  return [...new Set(sent.flatMap((id) => [...(owners.get(id) ?? [])]))];
}

/** Which media of the conversation stand behind each that was sent: itself, or what it was made of. */
function ownersOf({ ledger, plan, transcript }: RefusedRequest): Owners {
  const owners = new Map<string, Set<MediumId>>();
  const { items } = pair(transcript.messages);
  for (const [index, { decisions }] of (ledger.entries[plan.profile.model]?.items ?? []).entries()) {
    const item = items[index];
    for (const [at, { block }] of (item ? mediaOf(item) : []).entries()) {
      for (const shown of decisions[at]?.blocks ?? []) {
        const place = placeOf(shown);
        if ('asset' in shown && shown.at) owners.set(shown.at.file, new Set([mediumId(block)]));
        if (place !== undefined) owners.set(place, (owners.get(place) ?? new Set()).add(mediumId(block)));
      }
    }
  }
  return owners;
}

/** What was sent at a place of the request: assets, and words, which may be addresses or ids. Names of types between the steps, as Anthropic writes them, lead nowhere. */
function placesAt(path: string, skeleton: unknown): string[] {
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
  if (found === skeleton) return [];
  return [...assetsIn(found).map(({ id }) => id), ...wordsIn(found)];
}

/** Every text in a part of a request. */
function wordsIn(part: unknown): string[] {
  if (typeof part === 'string') return [part];
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(wordsIn) : [];
}

/** `inlineData` and `inline_data` are one name. */
function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
