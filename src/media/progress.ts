// How far a reading is that takes long: words about it are held back until it does, and then told a few times each second.

/** `3 of 20 pages drawn`: `what` names the things that are counted and what is done to them. */
export type Progress = { done: number; of: number; what: string };

export type OnProgress = (told: Progress) => void;

export function progressWords({ done, of, what }: Progress): string {
  return `${done} of ${of} ${what}`;
}

/** Passes on nothing before `quietMs` are over, and then one word in every `gapMs`. A listener's fault is its own. */
export function paced(listener: OnProgress, quietMs: number, gapMs: number): OnProgress {
  let next = performance.now() + quietMs;
  return (told) => {
    const now = performance.now();
    if (now < next) return;
    next = now + gapMs;
    try {
      listener(told);
    } catch {
      // The file is read all the same.
    }
  };
}
