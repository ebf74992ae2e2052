// Signals that abort together.

/** A signal that aborts with the first of others until it is let go, or by itself. */
export type JoinedSignal = { signal: AbortSignal; abort: (reason?: unknown) => void; release: () => void };

/** Aborts with the first of these. `AbortSignal.any` would leave something behind at the one that lives longest. */
export function firstToAbort(...signals: readonly AbortSignal[]): JoinedSignal {
  const joined = new AbortController();
  const abort = ({ target }: { target: EventTarget | null }): void => joined.abort((target as AbortSignal).reason);
  for (const signal of signals) {
    if (signal.aborted) joined.abort(signal.reason);
    else signal.addEventListener('abort', abort);
  }
  return {
    signal: joined.signal,
    abort: (reason) => joined.abort(reason),
    release: () => {
      for (const signal of signals) signal.removeEventListener('abort', abort);
    },
  };
}
