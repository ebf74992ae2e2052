// What a call does to the world, as MCP's hints say it, in both directions.
import { isRecord } from '../content/json.ts';
import type { Effect } from '../tool/tool.ts';

export type Hints = { readOnlyHint?: boolean; idempotentHint?: boolean };

/** What a server's hints say; nothing when they promise nothing. */
export function effectOf(annotations: unknown): Effect | undefined {
  const { readOnlyHint, idempotentHint } = isRecord(annotations) ? annotations : {};
  return readOnlyHint === true ? 'read' : idempotentHint === true ? 'idempotent' : undefined;
}

/** The hints for our own clients. */
export function hintsOf(effect: Effect | undefined): Hints | undefined {
  if (effect === 'read') return { readOnlyHint: true };
  return effect === 'idempotent' ? { readOnlyHint: false, idempotentHint: true } : undefined;
}
