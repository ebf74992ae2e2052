// Events from several places at once, read one after the other.

type Channel<Value> = {
  /** Resolves when the value was read and its reader has come back for the next one, or is gone. */
  push: (value: Value) => Promise<void>;
  close: () => void;
  read: () => AsyncGenerator<Value>;
};

function nobodyWaits(): void {
  // the reader is busy with an earlier value
}

export function channel<Value>(): Channel<Value> {
  let waiting: { value: Value; done: () => void }[] = [];
  let closed = false;
  let wake: () => void = nobodyWaits;
  const close = (): void => {
    closed = true;
    wake();
  };
  return {
    push: (value) => {
      if (closed) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ value, done: resolve });
      wake();
      return promise;
    },
    close,
    read: async function* () {
      try {
        for (;;) {
          const [next] = waiting;
          if (next) {
            yield next.value;
            waiting.shift();
            next.done();
            continue;
          }
          if (closed) return;
          const { promise, resolve } = Promise.withResolvers<void>();
          wake = resolve;
          await promise;
        }
      } finally {
        close();
        for (const { done } of waiting) done();
        waiting = [];
      }
    },
  };
}
