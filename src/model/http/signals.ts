// Signals that abort together.

/** A signal that aborts with the first of others until it is let go, or by itself. */
export type JoinedSignal = { signal: AbortSignal; abort: (reason?: unknown) => void; release: () => void };

/** What comes of something that knows no signal; rejects with the reason of the abort as soon as nobody waits for it any more. */
export async function orAborted<Value>(signal: AbortSignal, going: Value | Promise<Value>): Promise<Value> {
  if (!(going instanceof Promise)) return going;
  const over = Promise.withResolvers<never>();
  const stop = (): void => over.reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([going, over.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

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
