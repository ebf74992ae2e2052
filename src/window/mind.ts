// What a plan worked out, kept beside its ledger while both live, so that the next turn costs what is new and not what
// is old. Only a shortcut: without it, after a restart or an edit, everything is worked out again with the same result.
// Messages are taken as unchanged while they are the same objects.
import type { Message } from '../message/message.ts';
import type { Paired } from '../message/pair.ts';
import type { Draft } from './draft.ts';
import type { Ledger } from './ledger.ts';
import type { PlanInput } from './plan.ts';
import type { Whole } from './assemble.ts';

type Mind = { paired: Paired; drafts: readonly Draft[]; messages: readonly Message[]; whole: Whole };

const minds = new WeakMap<Ledger, Mind>();

export function keepInMind(ledger: Ledger, mind: Mind): void {
  minds.set(ledger, { ...mind, messages: mind.messages.slice(0, mind.paired.mark.messages) });
}

/** What is still known of the turn before, when nothing that it rests on has changed. */
export function mindOf({ ledger, transcript, gone, lower, dropThinking, profile }: PlanInput): Mind | undefined {
  const mind = ledger && minds.get(ledger);
  if (!mind || ledger.current !== profile.model || lower?.size || dropThinking !== undefined || gone?.size)
    return undefined;
  for (let index = 0; index < mind.messages.length; index++)
    if (mind.messages[index] !== transcript.messages[index]) return undefined;
  return mind;
}
