// A status of 200 does not say that a model has seen what was sent. Where the provider counts tokens by kind and counts none of a
// kind that stood in the request, the model saw nothing of it: from then on, that kind goes another way.
import type { AssetId, MediaKind } from '../content/block.ts';
import { mediaKinds } from '../content/block.ts';
import type { Usage } from '../message/message.ts';
import type { Decision } from './decide.ts';
import type { Plan } from './plan-types.ts';
import type { Profile } from './profile.ts';
import type { Receipt } from './receipt.ts';
import type { Carrier, MediumRule, Placement } from './rules.ts';
import { insideMedia, kindOfShown, shownMedia } from './shown.ts';
import type { ShownMedia } from './shown.ts';

/** How a kind of media went when nothing of it was seen: by an id, by an address, or as it is inside a result. */
type UnseenWay = 'file' | 'url' | 'inside';

/** The ways that showed nothing, by the kind of medium. */
export type Unseen = { readonly [Kind in MediaKind]?: readonly UnseenWay[] };

/** What providers may count a kind as: pages of a document are pictures to some of them. */
const countedAs: Record<MediaKind, readonly MediaKind[]> = {
  image: ['image'],
  document: ['document', 'image'],
  audio: ['audio'],
  video: ['video'],
};

/** A medium that was sent, and the way it went if there is another one. */
export type SentWay = { kind: MediaKind; way?: UnseenWay | undefined; asset?: AssetId };

/** The media of a plan, each with the way it goes. */
export function sentWays(plan: Pick<Plan, 'items'>): SentWay[] {
  const inside = new Set(insideMedia(plan));
  return shownMedia(plan).map((one) => ({
    kind: kindOfShown(one),
    way: wayOf(one, inside.has(one)),
    ...('asset' in one && { asset: one.asset.id }),
  }));
}

/** What of a request its answer counts nothing of: the kinds with the ways they went, and a receipt for each. */
export function unseenIn(plan: Plan, usage: Usage | undefined): { unseen: Unseen; receipts: Receipt[] } | undefined {
  return unseenOf(sentWays(plan), usage, plan.profile);
}

/** The same for media whose ways were kept. */
export function unseenOf(
  sent: readonly SentWay[],
  usage: Usage | undefined,
  profile: Profile,
): { unseen: Unseen; receipts: Receipt[] } | undefined {
  const { media } = usage ?? {};
  if (!media) return undefined;
  const blind = mediaKinds.flatMap((kind) => {
    const those = sent.filter((one) => one.kind === kind);
    const isCounted = countedAs[kind].some((as) => (media[as] ?? 0) > 0);
    return those.length === 0 || isCounted ? [] : [{ kind, those }];
  });
  if (blind.length === 0) return undefined;
  const unseen = blind.map(({ kind, those }) => [kind, [...new Set(those.flatMap(({ way }) => way ?? []))]]);
  return {
    unseen: Object.fromEntries(unseen) as Unseen,
    receipts: blind.map(({ kind, those }) => receiptOf(kind, those, profile)),
  };
}

/** How a medium went, if there is another way. */
function wayOf(one: ShownMedia, isInside: boolean): UnseenWay | undefined {
  const carrier = carrierOf(one);
  if (carrier !== 'inline') return carrier;
  return isInside ? 'inside' : undefined;
}

/** How a medium of a plan travels. */
export function carrierOf(one: ShownMedia): Carrier {
  if (!one.at) return 'inline';
  return 'url' in one.at ? 'url' : 'file';
}

function receiptOf(kind: MediaKind, those: readonly SentWay[], { id }: Profile): Receipt {
  const another = those.some(({ way }) => way !== undefined);
  const next = another ? 'it goes another way from the next request on' : 'there is no other way to send it';
  const sent = those.flatMap(({ asset }) => asset ?? []);
  return {
    action: 'unseen',
    subject: `${those.length} ${kind}`,
    why: `${id} answered and counts no tokens of this kind: it has not seen it; ${next}`,
    ...(sent.length > 0 && { sent }),
  };
}

/** The ways of both. */
export function withUnseen(known: Unseen, more: Unseen): Unseen {
  const rows = mediaKinds.flatMap((kind) => {
    const ways = new Set([...(known[kind] ?? []), ...(more[kind] ?? [])]);
    return ways.size === 0 ? [] : [[kind, [...ways]] as const];
  });
  return Object.fromEntries(rows);
}

/** A profile without the ways that showed nothing. */
export function sightedProfile(profile: Profile, unseen: Unseen): Profile {
  const media = { ...profile.media };
  for (const kind of mediaKinds) {
    const ways = unseen[kind];
    if (ways && ways.length > 0) media[kind] = sightedRule(media[kind], ways);
  }
  return { ...profile, media };
}

function sightedRule(rule: MediumRule, ways: readonly UnseenWay[]): MediumRule {
  const { url, file } = rule.carriers;
  const outside = (place: Placement): Placement => (place === 'inside' && ways.includes('inside') ? 'after' : place);
  return {
    ...rule,
    result: outside(rule.result),
    errorResult: outside(rule.errorResult),
    carriers: {
      ...(url && !ways.includes('url') && { url }),
      ...(file && !ways.includes('file') && { file }),
    },
  };
}

/** Whether what was decided for an item goes a way that showed nothing. */
export function goesUnseen({ decisions }: { decisions: readonly Decision[] }, unseen: Unseen): boolean {
  return decisions.some(({ blocks, place }) =>
    blocks
      .filter((block) => block.type !== 'text')
      .some((one) => {
        const way = wayOf(one, place === 'inside');
        return way !== undefined && unseen[kindOfShown(one)]?.includes(way);
      }),
  );
}
