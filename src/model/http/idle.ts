// How long the other side may be silent: every chunk, sent or received, is a sign of life.
import type { Clock } from './clock.ts';
import { firstToAbort } from './signals.ts';

export type Idle = {
  /** Aborts when nothing came for too long, or with the caller's own. */
  signal: AbortSignal;
  /** Whether nothing came for too long. */
  over: () => boolean;
  /** The same chunks; each is a sign of life. */
  observe: <Chunk>(chunks: AsyncIterable<Chunk> | Iterable<Chunk>) => AsyncGenerator<Chunk, void>;
  alive: () => void;
  /** Stops watching; what is still under way is closed unless the exchange is over. */
  end: (over: boolean) => void;
};

export function watchIdle({ clock, idleMs, signal }: { clock: Clock; idleMs: number; signal: AbortSignal }): Idle {
  const joined = firstToAbort(signal);
  let isSilent = false;
  let last = clock.now();
  const check = (): void => {
    const left = last + idleMs - clock.now();
    if (left > 0) return void (cancel = clock.after(left, check));
    isSilent = true;
    joined.abort(new DOMException('idle', 'TimeoutError'));
  };
  let cancel = clock.after(idleMs, check);
  const alive = (): void => {
    last = clock.now();
  };
  return {
    signal: joined.signal,
    over: () => isSilent,
    alive,
    observe: (chunks) => observed(chunks, alive),
    end: (over) => {
      cancel();
      if (!over) joined.abort();
      joined.release();
    },
  };
}

async function* observed<Chunk>(
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>,
  alive: () => void,
): AsyncGenerator<Chunk, void> {
  for await (const chunk of chunks) {
    alive();
    yield chunk;
  }
}

export function silentFor(ms: number): string {
  return `Nothing came for ${Math.round(ms / 1000)} seconds.`;
}
