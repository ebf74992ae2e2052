// Time, as sending needs it; tests have their own.

/** The time, so that a test need not wait for it. */
export type Clock = {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Acts later, unless what it gives back is called before. */
  after: (ms: number, act: () => void) => () => void;
};

const longest = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, Math.min(ms, longest));
    return () => clearTimeout(timer);
  },
};

/** Waits, or stops waiting when it is cancelled; it never throws. */
export function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener('abort', done);
  });
}
