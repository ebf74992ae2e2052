/** Runs one work after the other, in the order in which they were handed over, whatever becomes of each. */
export type InTurn = <T>(work: () => T | Promise<T>) => Promise<T>;

/** A queue of its own. */
export function inTurns(): InTurn {
  let line: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = line.then(work);
    line = turn.catch(() => undefined); // whoever handed it over is told; the next one has its turn all the same
    return turn;
  };
}
