// An engine that keeps what the steps of a run give as JSON, and gives it again.
import type { StepHook } from '../../src/agent/durable.ts';

export function engine(kept: Map<string, string> = new Map()): StepHook {
  return async (name, work) => {
    const known = kept.get(name);
    if (known !== undefined) return JSON.parse(known) as Awaited<ReturnType<typeof work>>;
    const value = await work();
    kept.set(name, JSON.stringify(value));
    return value;
  };
}
