// Wakes those who look at a session when something may have been appended: at once for what this program appends, and by
// asking now and then for what others do.

const pollMs = 250;

export type Watchers = { wake: () => void; watch: (signal: AbortSignal) => AsyncIterable<void>; close: () => void };

/** `read` gives another number when somebody else has written. */
export function watching(read: () => number = () => 0): Watchers {
  /** What cannot be read at the moment is as another version: whoever looks asks, and is told why. */
  const version = (): number => {
    try {
      return read();
    } catch {
      return NaN;
    }
  };
  const waiting = new Set<() => void>();
  const over = new AbortController();
  const wake = (): void => {
    for (const tell of waiting) tell();
  };
  return {
    wake,
    close: () => {
      over.abort();
      wake();
    },
    async *watch(signal) {
      let [seen, woken] = [version(), false];
      let resume: (() => void) | undefined;
      const isOver = (): boolean => signal.aborted || over.signal.aborted;
      const onWake = (): void => {
        woken = true;
        resume?.();
      };
      waiting.add(onWake);
      signal.addEventListener('abort', onWake);
      const timer = setInterval(() => {
        const now = over.signal.aborted ? seen : version();
        if (!Object.is(now, seen)) onWake();
        seen = now;
      }, pollMs);
      timer.unref();
      try {
        for (;;) {
          if (!woken && !isOver()) await new Promise<void>((resolve) => (resume = resolve));
          woken = false;
          if (isOver()) return;
          yield;
        }
      } finally {
        clearInterval(timer);
        waiting.delete(onWake);
        signal.removeEventListener('abort', onWake);
      }
    },
  };
}
