// A log whose answers come late and out of order, as over a network.
import type { Claims, EntryLog } from '../../src/session/log/port.ts';

/** Each call reaches the log after a while, or its answer comes after a while; the later ones may be quicker. */
export function lateLog(log: EntryLog, where: 'calls' | 'answers', seed = 1): EntryLog {
  let state = seed;
  const turns = (): number => (state = (state * 48_271) % 2_147_483_647) % 7;
  const aWhile = async (): Promise<void> => {
    for (let left = turns(); left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
  };
  const slowed = <Methods extends object>(methods: Methods): Methods =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]: [string, (...given: unknown[]) => Promise<unknown>]) => [
        name,
        async (...given: unknown[]): Promise<unknown> => {
          if (where === 'calls') await aWhile();
          try {
            return await method(...given);
          } finally {
            if (where === 'answers') await aWhile();
          }
        },
      ]),
    ) as Methods;
  const { claims, requests, descriptions, uploads, ...rest } = log;
  return {
    ...slowed(rest),
    watch: (...given) => log.watch(...given),
    claims: slowed<Claims>(claims),
    ...(requests && { requests }),
    ...(uploads && { uploads: slowed(uploads) }),
    ...(descriptions && { descriptions: slowed(descriptions) }),
  };
}
