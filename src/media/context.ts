// What every reader needs besides the bytes: where assets go, the ceilings, and the caller's wish to stop.
import { sharedAssets } from '../asset/memory.ts';
import type { AssetStore } from '../asset/store.ts';
import type { Refusal } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import type { Rules } from './child/pool.ts';
import type { Limits } from './limits.ts';
import { grouped, withLimits } from './limits.ts';
import type { OnProgress } from './progress.ts';
import { paced } from './progress.ts';

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

/** The bounds of one job: its own time, the common memory, the caller's signal. */
export function rulesFor(name: string, timeoutMs: number, { limits, signal, tell }: Context): Rules {
  const rules = { name, timeoutMs, maxBytes: limits.childBytes, ...(signal !== undefined && { signal }) };
  return tell === undefined ? rules : { ...rules, progress: { tell, gapMs: limits.quietMs / 5 } };
}

/** The one sentence for files that are too long, whatever they are. */
export function tooLarge(what: string, size: number, limit: number, next: string): { ok: false; refusal: Refusal } {
  return refuse('too-large', `${what}, ${grouped(size)} bytes`, next, `${grouped(limit)} bytes`);
}
