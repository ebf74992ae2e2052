// The ledger: what was decided for all that was already sent, so that the next request only appends. Plain JSON, one
// entry per model; whoever keeps the messages keeps it beside them. What does not match any more is a checkpoint.
import type { AssetId } from '../content/block.ts';
import { wording } from '../content/describe.ts';
import { canonicalJson, isRecord } from '../content/json.ts';
import { digest } from '../content/text.ts';
import type { Item } from '../message/pair.ts';
import type { Transcript } from '../message/message.ts';
import type { Cut } from './item.ts';
import type { Decision } from './ladder.ts';
import type { Profile } from './profile.ts';
import type { CheckpointReason } from './receipt.ts';

export type LedgerItem = { digest: string; decisions: Decision[]; cut?: Cut; unbound?: true };

export type LedgerEntry = {
  wording: number;
  shape: number;
  profile: Profile;
  system: string;
  tools: string;
  items: LedgerItem[];
};

/** Goes up when the fields of a profile or what a wire writes for the same plan change: old ledgers then begin anew. */
export const shape = 1;

export type Ledger = { version: 1; current: string; entries: { [model: string]: LedgerEntry } };

/** What still holds of a ledger, and why the rest does not. */
export type Recall = {
  profile: Profile;
  items: LedgerItem[];
  /** How many items the last request had, whether they still hold or not. */
  sent: number;
  reasons: CheckpointReason[];
};

export function recall(
  ledger: Ledger | undefined,
  profile: Profile,
  transcript: Transcript,
  digests: readonly string[],
  gone: ReadonlySet<AssetId> = new Set(),
): Recall {
  const anew = { profile, items: [], sent: 0 };
  if (!ledger) return { ...anew, reasons: [] };
  if (!isRecord(ledger) || ledger.version !== 1 || !isRecord(ledger.entries)) {
    return { ...anew, reasons: ['upgraded'] };
  }
  const changed: CheckpointReason[] = ledger.current === profile.model ? [] : ['model-changed'];
  const entry = ledger.entries[profile.model];
  if (!entry) return { ...anew, reasons: changed };
  const sent = entry.items.length;
  const broken = brokenBy(entry, transcript, profile);
  if (broken) return { profile, items: [], sent, reasons: [...changed, broken] };
  const edited = entry.items.findIndex((item, index) => digests[index] !== item.digest);
  const lost = entry.items.findIndex((item) => assetsOf(item).some((id) => gone.has(id)));
  const kept = Math.min(...[edited, lost, entry.items.length].filter((index) => index >= 0));
  const reason: CheckpointReason[] =
    kept === entry.items.length ? [] : [kept === edited ? 'history-edited' : 'quarantine'];
  return { profile: entry.profile, items: entry.items.slice(0, kept), sent, reasons: [...changed, ...reason] };
}

/** The assets that a remembered item sends. */
function assetsOf(item: LedgerItem): AssetId[] {
  return item.decisions.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'text' ? [] : [block.asset.id])),
  );
}

/** Every asset that a conversation with this model has sent so far. */
export function sentAssets(ledger: Ledger | undefined, model: string): AssetId[] {
  return ledger?.entries?.[model]?.items?.flatMap(assetsOf) ?? [];
}

function brokenBy(entry: LedgerEntry, transcript: Transcript, profile: Profile): CheckpointReason | undefined {
  if (entry.wording !== wording || entry.shape !== shape) return 'upgraded';
  if (entry.profile.stated !== profile.stated) return 'model-changed';
  if (entry.system !== digest(transcript.system ?? '')) return 'system-changed';
  if (entry.tools !== digest(canonicalJson(transcript.tools ?? []))) return 'tools-changed';
  return undefined;
}

/** The ledger after a plan: this model's entry replaced, the others kept for the day the user switches back. */
export function record(
  ledger: Ledger | undefined,
  profile: Profile,
  transcript: Transcript,
  items: LedgerItem[],
): Ledger {
  const entry: LedgerEntry = {
    wording,
    shape,
    profile,
    system: digest(transcript.system ?? ''),
    tools: digest(canonicalJson(transcript.tools ?? [])),
    items,
  };
  const others = ledger && isRecord(ledger.entries) ? ledger.entries : {};
  return { version: 1, current: profile.model, entries: { ...others, [profile.model]: entry } };
}

/** Changes when anything of an item that a model could see changes; the order of keys does not count. */
export function digestOf(item: Item): string {
  if (item.role !== 'batch') return digest(canonicalJson([item.role, item.content]));
  return digest(
    canonicalJson(item.results.map(({ callId, name, content, isError }) => [callId, name, content, isError ?? false])),
  );
}
