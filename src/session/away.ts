// How long one waits for a store that is away: a database, a bucket.

type Patience = {
  answered: () => void;
  /** Asked after each try that failed, with why; `from` is when the wait began, by the same clock. */
  isOver: (error: unknown, from: number, tries: number) => boolean;
};

/** One that was waited for in vain is asked again, but not waited for, until it answers: work of many steps waits once, not
 * with each of them. What will not pass is an answer, too. */
export function patience(
  ms: number,
  isPassing: (error: unknown) => boolean,
  now: () => number = () => performance.now(),
): Patience {
  let awaySince: number | undefined;
  const answered = (): void => {
    awaySince = undefined;
  };
  return {
    answered,
    isOver: (error, from, tries) => {
      if (!isPassing(error)) {
        answered();
        return true;
      }
      awaySince ??= now();
      return now() - (tries > 1 ? Math.min(from, awaySince) : from) > ms;
    },
  };
}
