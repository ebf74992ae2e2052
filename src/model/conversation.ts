// What one conversation remembers between its requests: which messages were found in order, what the planner worked out.
// Only time depends on it; after a restart or an edit everything is worked out again.
import type { CheckedRow } from '../message/check-transcript.ts';
import type { Ledger } from '../window/ledger.ts';
import { openPlanner } from '../window/planner.ts';
import type { Planner } from '../window/planner.ts';

export type Conversation = {
  planner: Planner;
  rows: readonly CheckedRow[];
};

const conversations = new WeakMap<Ledger, Conversation>();

/** The conversation that a ledger belongs to: the one that made it, or a new one. */
export function conversationOf(ledger: Ledger | undefined): Conversation {
  return (ledger && conversations.get(ledger)) ?? { planner: openPlanner(), rows: [] };
}

/** Whoever comes back with this ledger goes on with this conversation. */
export function goesOn(conversation: Conversation, ledger: Ledger): void {
  conversations.set(ledger, conversation);
}
