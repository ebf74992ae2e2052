// A refused request and the provider's complaint about it → what to change, or nothing. A place named in the complaint
// points at one medium; without one, the suspects are the media that this model has not accepted yet. The history itself
// is never edited, each medium goes one rung down at a time, and the same trouble is not repaired twice in a turn.
import type { AssetId } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import type { Transcript } from '../message/message.ts';
import { pair } from '../message/pair.ts';
import type { Budget } from '../window/budget.ts';
import { mediaOf } from '../window/draft.ts';
import { sentAssets } from '../window/ledger.ts';
import type { Ledger } from '../window/ledger.ts';
import type { Plan, PlanItem } from '../window/planned.ts';
import type { Capabilities, ProfileOverrides } from '../window/profile.ts';
import type { Totals } from '../window/totals.ts';
import { assetsIn } from '../wire/body.ts';
import { wires } from '../wire/wires.ts';
import type { Complaint } from './complaint.ts';

export type Repair = {
  /** One sentence for the person. */
  why: string;
  /** Which trouble this answers: the same one is not answered again. */
  cause: string;
  lower?: ReadonlySet<AssetId>;
  dropThinking?: number | true;
  budget?: Budget;
  /** What the complaint taught about the model. */
  profile?: ProfileOverrides;
};

/** A request as it was refused. */
export type Refused = {
  plan: Plan;
  /** What this request decided, and what the last accepted one had. */
  ledger: Ledger;
  accepted: Ledger | undefined;
  totals: Totals;
  transcript: Transcript;
  skeleton: unknown;
  bytes: number;
};

/** All repairs of one turn together. */
const maxRepairs = 6;

export function repairFor(complaint: Complaint, refused: Refused, before: readonly Repair[]): Repair | undefined {
  if (before.length >= maxRepairs) return undefined;
  const repair = choose(complaint, refused, before);
  return repair && before.every(({ cause }) => cause !== repair.cause) ? repair : undefined;
}

function choose(complaint: Complaint, refused: Refused, before: readonly Repair[]): Repair | undefined {
  switch (complaint.code) {
    case 'media':
      return complaint.unable
        ? withoutKind(complaint.unable, complaint, refused)
        : lowerMedia(complaint, refused, before);
    case 'signature':
      return withoutThinking(complaint, refused, before);
    case 'context':
      return smaller('tokens', refused.totals.used.tokens * shareOf(complaint.message), complaint, before);
    case 'too-large':
      return smaller('bytes', refused.bytes * step, complaint, before);
    default:
      return undefined;
  }
}

export const capabilities: Record<NonNullable<Complaint['unable']>, keyof Capabilities> = {
  image: 'vision',
  document: 'nativePdf',
  audio: 'audioInput',
  video: 'videoInput',
};

/** The model takes no such thing: from now on it gets the next best. */
function withoutKind(kind: keyof typeof capabilities, { message }: Complaint, { plan }: Refused): Repair | undefined {
  if (!shownMedia(plan).some((medium) => medium.type === kind)) return undefined;
  return {
    why: `${plan.profile.model} takes no ${kind}: ${message}`,
    cause: `unable ${kind}`,
    profile: { capabilities: { [capabilities[kind]]: false } },
  };
}

function lowerMedia(complaint: Complaint, refused: Refused, before: readonly Repair[]): Repair | undefined {
  const { plan, accepted } = refused;
  const count = shownMedia(plan).filter((medium) => medium.type === 'image').length;
  const most = mostImages(complaint.message, count);
  if (most !== undefined && most < count) {
    return { why: complaint.message, cause: `images ${most}`, budget: { images: most } };
  }
  const owners = ownersOf(refused);
  const sent = [...owners.keys()];
  const named = complaint.path === undefined ? [] : namedAssets(complaint.path, refused.skeleton);
  const known = new Set(sentAssets(accepted, plan.profile.model));
  const fresh = sent.filter((id) => !known.has(id));
  const guilty = named.length > 0 ? named : fresh.length > 0 ? fresh : sent;
  const lower = new Set(guilty.flatMap((id) => [...(owners.get(id) ?? [])]));
  if (lower.size === 0) return undefined;
  // A medium that was refused again one rung lower is another trouble than before.
  const rung = before.filter((repair) => [...lower].some((id) => repair.lower?.has(id))).length;
  return { why: complaint.message, cause: `media ${[...lower].join(' ')} ${rung}`, lower };
}

/** `A maximum of 100 images`, `At most 1 image(s)`, `too many images: 103 > 100`. */
export function mostImages(message: string, count: number): number | undefined {
  const [, first, second] =
    /(?:at most|maximum of|max(?:imum)?(?: is)?|up to|limit of|exceeds the limit of)\s+(\d+)\s+(?:images?|pictures?)/i.exec(
      message,
    ) ??
    /too many images.{0,60}?>\s*(\d+)/i.exec(message) ??
    /(?:supports|allows?) (?:only )?(one|\d+) images?/i.exec(message) ??
    [];
  const named = first ?? second;
  if (named !== undefined) return named === 'one' ? 1 : Number(named);
  return /too many images/i.test(message) ? Math.max(1, Math.floor(count * step)) : undefined;
}

function withoutThinking(
  complaint: Complaint,
  { plan, skeleton }: Refused,
  before: readonly Repair[],
): Repair | undefined {
  const why = `its thinking was not accepted any more: ${complaint.message}`;
  if (!plan.items.some(isSealed)) return undefined;
  const at = complaint.path === undefined ? undefined : itemAt(complaint.path, plan, skeleton);
  const first = before.every(({ dropThinking }) => dropThinking === undefined);
  if (at === undefined || !first) return { why, cause: 'signature', dropThinking: true };
  return { why, cause: `signature ${at}`, dropThinking: at };
}

function isSealed(item: PlanItem): boolean {
  return item.role === 'assistant' && item.content.some((block) => block.type === 'thinking' || block.seal);
}

/** How much of a request that was too heavy is left. */
const step = 0.7;

function smaller(
  unit: 'tokens' | 'bytes',
  size: number,
  { message, code }: Complaint,
  before: readonly Repair[],
): Repair | undefined {
  const times = before.filter(({ budget }) => budget?.[unit] !== undefined).length;
  if (times >= 2) return undefined;
  return { why: message, cause: `${code} ${times}`, budget: { [unit]: Math.max(1, Math.floor(size)) } };
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

/** What share of the tokens may stay: by the provider's own count where it gives one. */
function shareOf(message: string): number {
  const forward = counted.map((row) => row.exec(message)).find((found) => found !== null);
  const backward = countedLast.exec(message);
  const [actual, limit] = backward
    ? [number(backward[2]), number(backward[1])]
    : [number(forward?.[1]), number(forward?.[2])];
  return actual > limit && limit > 0 ? Math.min(0.9, (limit / actual) * 0.9) : step;
}

type Medium = { type: 'image' | 'document' | 'audio' | 'video'; asset: { id: AssetId } };

function shownMedia({ items }: Plan): Medium[] {
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

/** Which media of the conversation stand behind each asset that was sent: itself, or what it was made of. */
function ownersOf({ ledger, plan, transcript }: Refused): Map<AssetId, Set<AssetId>> {
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
function namedAssets(path: string, skeleton: unknown): AssetId[] {
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

/** The item of a plan that a place of the request belongs to: the first with which the list becomes long enough. */
function itemAt(path: string, plan: Plan, skeleton: unknown): number | undefined {
  const [, list = '', index = ''] = /^(\w+)(?:\.|\[)(\d+)/.exec(path) ?? [];
  if (!isRecord(skeleton) || !Array.isArray(skeleton[list])) return undefined;
  const lengthWith = (count: number): number => {
    const part: unknown = wires[plan.profile.wire].encode({ ...plan, items: plan.items.slice(0, count) }).skeleton;
    const items = isRecord(part) ? part[list] : undefined;
    return Array.isArray(items) ? items.length : 0;
  };
  let [low, high] = [0, plan.items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lengthWith(middle + 1) > Number(index)) high = middle;
    else low = middle + 1;
  }
  return low < plan.items.length ? low : undefined;
}
