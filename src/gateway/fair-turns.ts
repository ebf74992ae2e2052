// A crowd does not hold up those who came before it: only so many go on in one turn of the event loop, and what is under
// way (streams, timers, other connections) has its turn in between.

/** Resolves when it is one's turn; at once where there is no crowd. */
export type FairTurn = () => Promise<void>;

const perTurn = 4;

export function openFairTurns(): FairTurn {
  const waiting: (() => void)[] = [];
  let free = perTurn;
  const turn = (): void => {
    const going = waiting.splice(0, perTurn);
    free = perTurn - going.length;
    if (going.length > 0) setImmediate(turn);
    for (const go of going) go();
  };
  return () => {
    if (free === perTurn) setImmediate(turn);
    if (free === 0) return new Promise((resolve) => void waiting.push(resolve));
    free--;
    return Promise.resolve();
  };
}
