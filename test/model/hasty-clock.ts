// A clock that stands still but for the waits between two tries, which are over at once. A longer time, as limits have
// it, passes when a test says so: however slow the machine is, no limit is reached by itself. With 0, no time passes by itself.
import type { Clock } from '../../src/model/http/clock.ts';

export type HastyClock = Clock & { pass: (ms: number) => void };

/** No wait between two tries is longer, no limit is shorter. */
const longestWait = 61_000;

export function hastyClock(longest: number = longestWait): HastyClock {
  let now = Date.now();
  const timers = new Set<{ at: number; act: () => void }>();
  const pass = (ms: number): void => {
    const end = now + ms;
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
      if (!next) break;
      timers.delete(next);
      now = next.at;
      next.act();
    }
    now = end;
  };
  return {
    now: () => now,
    pass,
    after: (ms, act) => {
      const timer = { at: now + ms, act };
      timers.add(timer);
      if (ms <= longest) setImmediate(() => timers.has(timer) && pass(timer.at - now));
      return () => void timers.delete(timer);
    },
  };
}
