// A planner remembers what it worked out for the turn before, so that the next one costs what is new and not what is
// old. Only time depends on it: a planner gives what `plan` gives, whatever was changed in place meanwhile.
import { isStill, snapshotOf } from '../content/snapshot.ts';
import type { Snapshot } from '../content/snapshot.ts';
import type { Message, Transcript } from '../message/message.ts';
import type { Ledger } from './ledger.ts';
import { planFrom } from './plan.ts';
import type { PlanInput, PlanResult, Worked } from './plan.ts';

/** Plans the requests of one conversation, one after the other. */
export type Planner = { plan: (input: PlanInput) => PlanResult };

type Seen = { message: Message; snapshot?: Snapshot };

/** `messages`: those whose turn was over. */
type Memo = { ledger: Ledger; messages: Seen[]; frame: Snapshot; model: string; worked: Worked };

/** `owned`: nobody else holds the messages that it is given, so the same object says the same. */
export function openPlanner({ owned = false }: { owned?: boolean } = {}): Planner {
  let memo: Memo | undefined;
  return {
    plan(input) {
      const known = memo && memo.ledger === input.ledger && memo.model === input.profile.model ? memo : undefined;
      const frame = known && isStill(known.frame, frameOf(input.transcript)) ? known.worked.frame : undefined;
      const turns = known && frame && isPlain(input) && stillThere(known.messages, input.transcript.messages);
      const { result, worked } = planFrom(input, { frame, turns: turns ? known?.worked : undefined });
      if (result.plan && worked)
        memo = {
          ledger: result.ledger,
          messages: seenIn(input.transcript.messages, worked.paired.mark.messages, turns ? known : undefined, owned),
          frame: frame && known ? known.frame : snapshotOf(frameOf(input.transcript)),
          model: input.profile.model,
          worked,
        };
      return result;
    },
  };
}

function frameOf({ system, tools }: Transcript): unknown[] {
  return [system, tools];
}

/** Whether nothing is asked for that makes decisions of earlier turns change. */
function isPlain({ gone, lower, dropThinking, uploads, ledger, profile }: PlanInput): boolean {
  const sameAccount = ledger?.entries[profile.model]?.account === uploads?.account;
  return !lower?.size && dropThinking === undefined && !gone?.size && !uploads?.stale.size && sameAccount;
}

/** Whether a conversation begins with these messages, each the same object that says the same. */
function stillThere(seen: readonly Seen[], messages: readonly Message[]): boolean {
  for (let index = 0; index < seen.length; index++) {
    const { message, snapshot } = seen[index] as Seen;
    if (message !== messages[index] || (snapshot && !isStill(snapshot, message, 'details'))) return false;
  }
  return true;
}

function seenIn(messages: readonly Message[], count: number, known: Memo | undefined, owned: boolean): Seen[] {
  const seen = known ? known.messages.slice(0, count) : [];
  for (let index = seen.length; index < count; index++) {
    const message = messages[index] as Message;
    seen.push(owned ? { message } : { message, snapshot: snapshotOf(message, 'details') });
  }
  return seen;
}
