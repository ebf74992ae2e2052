// Questions to the person before a call runs: one at a time, in the order of the calls.
import type { CallBlock } from '../content/block.ts';

/** For this call, for as long as the chat is open, or always in this folder. */
export type Scope = 'once' | 'chat' | 'project';

/** What has been allowed, and by whom it is kept. */
export type Rights = {
  /** What a call needs and nobody has allowed yet: the name of its tool, or `host localhost:5173`. */
  missing: (call: CallBlock) => string[];
  allow: (rights: readonly string[], scope: Scope, call: CallBlock) => void;
  /** What was allowed for this call alone ends with it. */
  ended: (call: CallBlock) => void;
};

export type Approval = {
  ask: (call: CallBlock) => Promise<boolean>;
  /** The call the person is asked about now. */
  current: () => CallBlock | undefined;
  /** What she should know before she answers, a sentence each. */
  warnings: () => string[];
  settle: (verdict: boolean, scope?: Scope) => void;
  ended: Rights['ended'];
  /** All questions are answered with no, when the run was stopped. */
  dismiss: () => void;
};

export function approvals({ missing, allow, ended }: Rights, changed: () => void): Approval {
  let waiting: { call: CallBlock; answer: (verdict: boolean) => void }[] = [];
  /** A call that its provider has doubts about is asked for each time, whatever was allowed before. */
  const isAsked = (call: CallBlock): boolean => missing(call).length > 0 || (call.doubts ?? []).length > 0;
  return {
    ask: (call) => {
      if (!isAsked(call)) return Promise.resolve(true);
      return new Promise((resolve) => {
        waiting.push({ call, answer: resolve });
        changed();
      });
    },
    current: () => waiting[0]?.call,
    warnings: () => (waiting[0] ? warningsOf(waiting[0].call, missing(waiting[0].call)) : []),
    settle: (verdict, scope = 'once') => {
      const [first, ...rest] = waiting;
      if (!first) return;
      if (verdict) allow(missing(first.call), scope, first.call);
      first.answer(verdict);
      // What was waiting for the same right needs no question any more.
      waiting = rest.filter(({ call, answer }) => {
        if (isAsked(call)) return true;
        answer(true);
        return false;
      });
      changed();
    },
    ended,
    dismiss: () => {
      for (const { answer } of waiting) answer(false);
      waiting = [];
    },
  };
}

/** What would be allowed besides the call itself, and why its provider wants a person to look at it. */
function warningsOf({ doubts = [] }: CallBlock, rights: readonly string[]): string[] {
  const hosts = rights.flatMap((right) => (right.startsWith('host ') ? [right.slice('host '.length)] : []));
  return [
    ...(hosts.length === 0 ? [] : [`It reaches ${hosts.join(', ')} on this machine.`]),
    ...doubts.map((doubt) => `Its provider wants you to look first: ${doubt}`),
  ];
}
