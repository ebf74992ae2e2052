// What is handed over to be stored → where it holds something that could not be read back as it is.
import { SightlineError } from '../content/refusal.ts';
import type { EntryInput } from './entry.ts';

/** Refuses an entry that would come back as another one; JSON would change or drop some of it without a word. */
export function checkStorable(entry: EntryInput): void {
  if (entry.type === 'ledger') return; // our own
  const found = entry.type === 'message' ? ofMessage(entry) : unstorable(entry, entry.type, []);
  if (!found) return;
  const next = 'Store it as text, a number or a plain object.';
  throw new SightlineError('input', `${found} could not be read back from the session. ${next}`);
}

/** A tool's details are written in words of their own, whatever they hold. */
function ofMessage({ message }: EntryInput & { type: 'message' }): string | undefined {
  const { details: _details, ...rest } = message as typeof message & { details?: unknown };
  return unstorable(rest, 'message', []);
}

/** The first such place and what stands there. */
function unstorable(value: unknown, place: string, above: readonly object[]): string | undefined {
  if (typeof value === 'bigint') return `${place} is a BigInt, which`;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${place} is ${value}, which`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.includes(value)) return `${place} holds itself, which`;
  const inside = [...above, value];
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      const found = ['undefined', 'function', 'symbol'].includes(typeof item)
        ? `${place}[${at}] is ${typeof item}, which`
        : unstorable(item, `${place}[${at}]`, inside);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const kind = (Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null)?.constructor?.name;
  if (kind !== undefined && kind !== 'Object') return `${place} is a ${kind}, which`;
  for (const [key, item] of Object.entries(value)) {
    const found = unstorable(item, `${place}.${key}`, inside);
    if (found !== undefined) return found;
  }
  return undefined;
}
