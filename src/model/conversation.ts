// What one conversation remembers between its requests: which messages were found in order, what the planner worked out
// and the wire wrote, which assets are stored. Only time depends on it; after a restart or an edit everything is worked
// out again.
import type { AssetStore } from '../asset/store.ts';
import type { CheckedRow } from '../message/check-transcript.ts';
import type { Ledger } from '../window/ledger.ts';
import { profileFor, statedBy } from '../window/profile.ts';
import type { Profile, ProfileOverrides } from '../window/profile.ts';
import { openPlanner } from '../window/planner.ts';
import type { Planner } from '../window/planner.ts';
import { freshEyes } from './eyes.ts';
import { nothingFound } from './renditions.ts';
import type { FoundAssets } from './renditions.ts';
import type { EyesState } from './eyes.ts';
import { openItemMemo } from '../wire/item-memo.ts';
import type { ItemMemo } from '../wire/item-memo.ts';

export type Conversation = {
  /** What its model takes, as it was last asked for. */
  profile?: Profile;
  planner: Planner;
  items: ItemMemo;
  rows: readonly CheckedRow[];
  eyes: EyesState;
  found: FoundAssets & { assets: AssetStore };
};

const conversations = new WeakMap<Ledger, Conversation>();

/** The conversation that a ledger belongs to: the one that made it, or a new one. */
export function conversationOf(ledger: Ledger | undefined, assets: AssetStore): Conversation {
  const known = ledger && conversations.get(ledger);
  if (known && known.found.assets === assets) return known;
  const found = { assets, ...nothingFound() };
  return known
    ? { ...known, found }
    : { planner: openPlanner({ owned: true }), items: openItemMemo(), rows: [], eyes: freshEyes(), found };
}

/** What a model takes: the same object, as long as a conversation asks for the same. */
export function profileIn(conversation: Conversation, model: string, overrides?: ProfileOverrides): Profile {
  const { profile: known } = conversation;
  if (known?.model === model && known.stated === statedBy(overrides)) return known;
  return (conversation.profile = profileFor(model, overrides));
}

/** Whoever comes back with this ledger goes on with this conversation. */
export function goesOn(conversation: Conversation, ledger: Ledger): void {
  conversations.set(ledger, conversation);
}
