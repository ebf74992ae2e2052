// A crowd does not hold up those who came before it: only so many go on in one turn of the event loop, and what is under
// way (streams, timers, other connections) has its turn in between.

/** Resolves when it is one's turn; at once where there is no crowd. */
export type FairTurn = () => Promise<void>;

/** Those who come, those whose request has come, and the words of answers under way. */
export type CrowdTurns = Record<'comes' | 'begins' | 'speaks', FairTurn>;

/** To begin costs the most, to say a word the least: of each so many that streams and timers are never late. */
export function openCrowdTurns(): CrowdTurns {
  const inNextTurn = openNextTurn();
  const turns = (perTurn: number): FairTurn => openFairTurns(perTurn, inNextTurn);
  return { comes: turns(16), begins: turns(4), speaks: turns(32) };
}

/** Acts in the next turn of the event loop; all that is asked for in one turn costs one wait. */
function openNextTurn(): (act: () => void) => void {
  let acts: (() => void)[] = [];
  return (act) => {
    if (acts.push(act) > 1) return;
    setImmediate(() => {
      const now = acts;
      acts = [];
      for (const one of now) one();
    });
  };
}

/** So many go on in one turn. */
export function openFairTurns(perTurn: number, inNextTurn: (act: () => void) => void = setImmediate): FairTurn {
  const waiting: (() => void)[] = [];
  let free = perTurn;
  const turn = (): void => {
    const going = waiting.splice(0, perTurn);
    free = perTurn - going.length;
    if (going.length > 0) inNextTurn(turn);
    for (const go of going) go();
  };
  return () => {
    if (free === perTurn) inNextTurn(turn);
    if (free === 0) return new Promise((resolve) => void waiting.push(resolve));
    free--;
    return Promise.resolve();
  };
}
