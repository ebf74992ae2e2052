// Questions to the person before a call runs: one at a time, in the order of the calls.
import type { CallBlock } from '../content/block.ts';

export type Approval = {
  ask: (call: CallBlock) => Promise<boolean>;
  /** The call the person is asked about now. */
  current: () => CallBlock | undefined;
  settle: (verdict: boolean, always?: boolean) => void;
  /** All questions are answered with no, when the run was stopped. */
  dismiss: () => void;
};

export function approvals(asksFirst: (call: CallBlock) => boolean, changed: () => void): Approval {
  const allowed = new Set<string>();
  let waiting: { call: CallBlock; answer: (verdict: boolean) => void }[] = [];
  return {
    ask: (call) => {
      if (allowed.has(call.name) || !asksFirst(call)) return Promise.resolve(true);
      return new Promise((resolve) => {
        waiting.push({ call, answer: resolve });
        changed();
      });
    },
    current: () => waiting[0]?.call,
    settle: (verdict, always = false) => {
      const [first, ...rest] = waiting;
      if (!first) return;
      if (always) allowed.add(first.call.name);
      first.answer(verdict);
      // What was waiting for the same tool needs no question any more.
      waiting = rest.filter(({ call, answer }) => {
        if (!allowed.has(call.name)) return true;
        answer(true);
        return false;
      });
      changed();
    },
    dismiss: () => {
      for (const { answer } of waiting) answer(false);
      waiting = [];
    },
  };
}
