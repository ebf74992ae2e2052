// Targets that failed a moment ago: others of their route are asked first, so that not every request waits for them anew.
import type { AnswerTarget } from './settings.ts';

export type Rests = {
  /** The targets of a route, those that rest last. */
  awakeFirst: (targets: readonly AnswerTarget[]) => AnswerTarget[];
  /** This one failed in a way that may pass. */
  tired: (target: AnswerTarget) => void;
};

const restMs = 30_000;
const mostResting = 1000;

export function openRests(now: () => number): Rests {
  const until = new Map<string, number>();
  const rests = (target: AnswerTarget): boolean => (until.get(nameOf(target)) ?? 0) > now();
  return {
    awakeFirst: (targets) => [...targets.filter((one) => !rests(one)), ...targets.filter(rests)],
    tired(target) {
      until.delete(nameOf(target));
      until.set(nameOf(target), now() + restMs);
      const [oldest] = until.keys();
      if (until.size > mostResting && oldest !== undefined) until.delete(oldest);
    },
  };
}

function nameOf({ choice, profile }: AnswerTarget): string {
  return `${profile.model} ${choice.baseUrl ?? ''}`;
}
