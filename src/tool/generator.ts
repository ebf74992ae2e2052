// A tool that works in steps: each yield is progress, and the result is what it returns, or else what it yielded last.

export type AnyGenerator = Generator | AsyncGenerator;

/** What can be gone through but is no generator, such as a stream or the keys of a map, is a result like any other. */
export function isGenerator(value: unknown): value is AnyGenerator {
  const has = (key: PropertyKey): boolean => typeof (value as Record<PropertyKey, unknown>)[key] === 'function';
  if (typeof value !== 'object' || value === null) return false;
  return has('next') && has('return') && has('throw') && (has(Symbol.asyncIterator) || has(Symbol.iterator));
}

/** Goes through all steps, or until somebody stops them, which gives nothing. */
export async function lastYielded(
  steps: AnyGenerator,
  told: (step: unknown) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<unknown> {
  let last: unknown;
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return value ?? last;
    last = value;
    await told(value);
    if (!signal?.aborted) continue;
    await steps.return(undefined);
    return undefined;
  }
}
