// What every reader needs besides the bytes: where assets go, the ceilings, the caller's wish to stop, and whom to tell
// how far a reading is that takes long.
import { sharedAssets } from '../asset/memory.ts';
import type { AssetStore } from '../asset/store.ts';
import type { Refusal } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import type { Limits } from './limits.ts';
import { grouped, withLimits } from './limits.ts';

/** What all work on media may be told. */
export type MediaOptions = {
  assets?: AssetStore;
  limits?: Partial<Limits>;
  signal?: AbortSignal;
  /** Told how far a reading is that takes longer than a second. */
  onProgress?: OnProgress;
};

export type Context = { assets: AssetStore; limits: Limits; signal?: AbortSignal; tell?: OnProgress };

/** Options as a caller writes them, with every default filled in. */
export function contextOf({ assets = sharedAssets(), limits: own, signal, onProgress }: MediaOptions): Context {
  const limits = withLimits(own);
  const tell = onProgress && paced(onProgress, limits.quietMs, limits.quietMs / 5);
  return { assets, limits, ...(signal !== undefined && { signal }), ...(tell !== undefined && { tell }) };
}

/** The bounds of one job in a child process, and who is told how far it is. */
export type JobRules = {
  name: string;
  timeoutMs: number;
  /** how long it may wait for others, and for whom it is: whoever has nothing at work comes first */
  waitMs: number;
  owner: object;
  maxBytes: number;
  /** what is done, and what to do when it takes too much; a file is read */
  work?: { verb: string; next: string };
  signal?: AbortSignal;
  progress?: { tell: OnProgress; gapMs: number };
};

/** The bounds of one job: its own time, the common memory, the caller's signal. */
export function rulesFor(name: string, timeoutMs: number, context: Context): JobRules {
  const { limits, signal, tell } = context;
  const bounds = { timeoutMs, waitMs: limits.waitMs, maxBytes: limits.childBytes };
  const rules = { name, ...bounds, owner: context, ...(signal !== undefined && { signal }) };
  return tell === undefined ? rules : { ...rules, progress: { tell, gapMs: limits.quietMs / 5 } };
}

/** The one sentence for files that are too long, whatever they are. */
export function tooLarge(what: string, size: number, limit: number, next: string): { ok: false; refusal: Refusal } {
  return refuse('too-large', `${what}, ${grouped(size)} bytes`, next, `${grouped(limit)} bytes`);
}

/** `3 of 20 pages drawn`: `what` names the things that are counted and what is done to them. */
export type Progress = { done: number; of: number; what: string };

/** Is told how far a long reading has come. */
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
