// The ledger: what was decided for all that was already sent, so that the next request only appends. Plain JSON, one
// entry per model; whoever keeps the messages keeps it beside them. What does not match any more is a checkpoint.
import type { AssetId, MediumId } from '../content/block.ts';
import { wording } from '../content/words.ts';
import { canonicalJson, isRecord } from '../content/json.ts';
import { digest } from '../content/text.ts';
import type { Item } from '../message/pair.ts';
import type { Transcript } from '../message/message.ts';
import type { Estimate, LearnedLimits } from './budget.ts';
import type { Cut } from './write-item.ts';
import type { Decision, Floors } from './decide.ts';
import type { Shown, UploadPolicy } from './plan-types.ts';
import type { Profile } from './profile.ts';
import type { CheckpointReason } from './receipt.ts';
import { goesUnseen, sightedProfile, withUnseen } from './unseen.ts';
import type { Unseen } from './unseen.ts';

export type LedgerItem = { digest: string; decisions: Decision[]; cut?: Cut; keep?: number; unbound?: true };

export type LedgerEntry = {
  wording: number;
  shape: number;
  profile: Profile;
  system: string;
  tools: string;
  items: LedgerItem[];
  /** Media that the provider refused, with the highest rung they may still have. */
  floors?: { [id: MediumId]: number };
  /** How much less than the profile says the provider takes, as its complaints taught. */
  limits?: LearnedLimits;
  /** The provider was asked to leave out thinking that is bound to another prefix. */
  dropUnbound?: true;
  /** How media went that the model did not see. */
  unseen?: Unseen;
  /** Whose ids uploaded media have in it. */
  account?: string;
  estimate: Estimate;
};

/** Goes up when the fields of a profile or what a wire writes for the same plan change: old ledgers then begin anew. */
export const shape = 9;

/** What was decided for all that was already sent. Plain JSON: store it beside the messages, and do not look inside. */
export type Ledger = { version: 1; current: string; entries: { [model: string]: LedgerEntry } };

/** What still holds of a ledger, and why the rest does not. */
export type Recall = {
  profile: Profile;
  items: LedgerItem[];
  /** How many items the last request had, whether they still hold or not. */
  sent: number;
  floors: Floors;
  limits: LearnedLimits;
  dropUnbound: boolean;
  unseen: Unseen;
  estimate?: Estimate;
  reasons: CheckpointReason[];
};

/** What stands before the messages of a request: its digests. */
export type FrameDigests = { system: string; tools: string };

export function frameDigests({ system = '', tools = [] }: Transcript): FrameDigests {
  return { system: digest(system), tools: digest(canonicalJson(tools)) };
}

export function recall(
  ledger: Ledger | undefined,
  profile: Profile,
  frame: FrameDigests,
  items: readonly Item[],
  /** How many items are known to be as they were. */
  same = 0,
  gone: ReadonlySet<AssetId> = new Set(),
  uploads?: UploadPolicy,
): Recall {
  const anew = { profile, items: [], sent: 0, floors: new Map(), limits: {}, dropUnbound: false, unseen: {} };
  if (!ledger) return { ...anew, reasons: [] };
  if (!isRecord(ledger) || ledger.version !== 1 || !isRecord(ledger.entries)) {
    return { ...anew, reasons: ['upgraded'] };
  }
  const changed: CheckpointReason[] = ledger.current === profile.model ? [] : ['model-changed'];
  const entry = ledger.entries[profile.model];
  if (!entry) return { ...anew, reasons: changed };
  if (!isEntry(entry)) return { ...anew, reasons: ['upgraded'] };
  const sent = entry.items.length;
  const broken = brokenBy(entry, frame, profile);
  const floors = new Map(Object.entries(entry.floors ?? {}) as [MediumId, number][]);
  const { estimate, limits = {}, dropUnbound = false } = entry;
  const unseen = broken === 'model-changed' ? {} : (entry.unseen ?? {});
  // Whoever states something else about the model begins anew with what it takes.
  const known = broken === 'model-changed' ? {} : limits;
  const seeing = (one: Profile): Profile => (entry.unseen ? sightedProfile(one, unseen) : one);
  const anyway = { sent, floors, dropUnbound, unseen };
  if (broken) return { ...anyway, profile: seeing(profile), items: [], limits: known, reasons: [...changed, broken] };
  const edited = editedAt(entry.items, items, same);
  const lost = gone.size === 0 ? -1 : entry.items.findIndex((item) => itemAssets(item).some((id) => gone.has(id)));
  const foreign = entry.account === uploads?.account ? -1 : entry.items.findIndex((item) => filesOf(item).length > 0);
  const stale = uploads?.stale.size
    ? entry.items.findIndex((item) => filesOf(item).some((file) => uploads.stale.has(file)))
    : -1;
  const cuts: [number, CheckpointReason][] = [
    [edited, 'history-edited'],
    [lost, 'quarantine'],
    [foreign, 'account-changed'],
    [stale, 'reference-expired'],
    [entry.unseen ? entry.items.findIndex((item) => goesUnseen(item, unseen)) : -1, 'unseen'],
  ];
  const kept = Math.min(...cuts.map(([index]) => index).filter((index) => index >= 0), entry.items.length);
  const reason = cuts.flatMap(([index, why]) => (index === kept ? [why] : [])).slice(0, 1);
  return {
    ...anyway,
    profile: seeing(entry.profile),
    items: entry.items.slice(0, kept),
    limits,
    estimate,
    reasons: [...changed, ...reason],
  };
}

/** Whoever stores JSON may lose some of it, or change it by hand. */
function isEntry(entry: unknown): boolean {
  return isRecord(entry) && isRecord(entry['profile']) && Array.isArray(entry['items']);
}

function editedAt(remembered: readonly LedgerItem[], items: readonly Item[], same: number): number {
  for (let index = same; index < remembered.length; index++) {
    const item = items[index];
    if (!item || digestOf(item) !== remembered[index]?.digest) return index;
  }
  return -1;
}

/** The assets that a remembered item sends. */
export function itemAssets({ decisions }: LedgerItem): AssetId[] {
  return decisions.flatMap(({ blocks }) => blocks.flatMap((block) => ('asset' in block ? [block.asset.id] : [])));
}

/** The ids under which an item sends media that were uploaded. */
function filesOf({ decisions }: LedgerItem): string[] {
  return decisions.flatMap(({ blocks }) => blocks.flatMap((one) => ('asset' in one && one.at ? [one.at.file] : [])));
}

/** Every id under which a conversation with this model has sent media that were uploaded. */
export function sentFiles(ledger: Ledger | undefined, model: string): string[] {
  return ledger?.entries?.[model]?.items?.flatMap(filesOf) ?? [];
}

/** What names a medium in a request: its asset, its address or its id; nothing for words. */
export function placeOf(block: Shown): string | undefined {
  if (block.type === 'text') return undefined;
  if (block.type !== 'remote') return block.asset.id;
  return 'url' in block.at ? block.at.url : block.at.file;
}

/** The same of all media that a conversation with this model has sent so far. */
export function sentPlaces(ledger: Ledger | undefined, model: string): string[] {
  const items = ledger?.entries?.[model]?.items ?? [];
  return items.flatMap(({ decisions }) =>
    decisions.flatMap(({ blocks }) => blocks.flatMap((one) => placeOf(one) ?? [])),
  );
}

/** Every asset that a conversation with this model has sent so far. */
export function sentAssets(ledger: Ledger | undefined, model: string): AssetId[] {
  return ledger?.entries?.[model]?.items?.flatMap(itemAssets) ?? [];
}

/** The window of a model as far as a conversation knows it: what the profile says, or less. */
export function contextTokensOf(profile: Profile, ledger: Ledger | undefined): number {
  const { limits = {}, estimate } = ledger?.entries?.[profile.model] ?? {};
  const { contextTokens = (limits.estimate ?? Infinity) * (estimate?.factor ?? 1) } = limits;
  return Math.floor(Math.min(profile.contextTokens, contextTokens));
}

function brokenBy(entry: LedgerEntry, frame: FrameDigests, profile: Profile): CheckpointReason | undefined {
  if (entry.wording !== wording || entry.shape !== shape) return 'upgraded';
  if (entry.profile.stated !== profile.stated) return 'model-changed';
  if (entry.system !== frame.system) return 'system-changed';
  if (entry.tools !== frame.tools) return 'tools-changed';
  return undefined;
}

type Kept = {
  items: LedgerItem[];
  floors: Floors;
  limits: LearnedLimits;
  dropUnbound: boolean;
  estimate: Estimate;
  unseen: Unseen;
  account?: string | undefined;
};

/** The ledger after a plan: this model's entry replaced, the others kept for the day the user switches back. */
export function record(
  ledger: Ledger | undefined,
  profile: Profile,
  frame: FrameDigests,
  { items, floors, limits, dropUnbound, unseen, estimate, account }: Kept,
): Ledger {
  const entry: LedgerEntry = {
    wording,
    shape,
    profile,
    ...frame,
    items,
    estimate,
    ...(floors.size > 0 && { floors: Object.fromEntries(floors) }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(dropUnbound && { dropUnbound }),
    ...(Object.keys(unseen).length > 0 && { unseen }),
    ...(account !== undefined && { account }),
  };
  const others = ledger && isRecord(ledger.entries) ? ledger.entries : {};
  return { version: 1, current: profile.model, entries: { ...others, [profile.model]: entry } };
}

/** The ledger after an answer that saw nothing of some media: they go another way from now on. */
export function notSeen(ledger: Ledger, model: string, unseen: Unseen): Ledger {
  const entry = ledger.entries[model];
  if (!entry) return ledger;
  const marked = { ...entry, unseen: withUnseen(entry.unseen ?? {}, unseen) };
  return { ...ledger, entries: { ...ledger.entries, [model]: marked } };
}

/** Changes when anything of an item that a model could see changes; the order of keys does not count. */
export function digestOf(item: Item): string {
  if (item.role !== 'batch') return digest(canonicalJson([item.role, item.content]));
  return digest(
    canonicalJson(item.results.map(({ callId, name, content, isError }) => [callId, name, content, isError ?? false])),
  );
}
