/** Runs works in the order in which they were handed over, so many of them at a time. */
export type FewAtOnce = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** The others wait, and whoever is done hands its place to the first of them. */
export function fewAtOnce(most: number): FewAtOnce {
  const waiting: (() => void)[] = [];
  let free = most > 1 ? most : 1;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((enter) => void waiting.push(enter));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

/** What becomes of each, in their order. A few are worked on in the same time: while one picture is decoded in another process,
 * the next is read. */
export function abreast<Item, Result>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const inTurn = fewAtOnce(4);
  return Promise.all(items.map((item, at) => inTurn(() => work(item, at))));
}
