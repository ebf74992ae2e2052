// A crowd does not hold up those who came before it: only so many go on in one turn of the event loop, and what is under
// way (streams, timers, other connections) has its turn in between.

/** Resolves when it is one's turn; at once where there is no crowd. */
export type FairTurn = () => Promise<void>;

/** Those who come, those whose request has come, and the words of answers under way. */
export type CrowdTurns = Record<'comes' | 'begins' | 'speaks', FairTurn>;

/** To begin costs the most, to say a word the least: of each so many that streams and timers are never late. */
export function openCrowdTurns(): CrowdTurns {
  return { comes: openFairTurns(16), begins: openFairTurns(4), speaks: openFairTurns(32) };
}

/** So many go on in one turn. */
export function openFairTurns(perTurn: number): FairTurn {
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
