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
  if (message.role !== 'tool') return unstorable(message, 'message', []);
  const { details: _details, ...rest } = message;
  return unstorable(rest, 'message', []);
}

/** The first such place and what stands there; the way to it is put together only where there is one. */
function unstorable(value: unknown, place: string, above: object[]): string | undefined {
  const found = firstIn(value, above);
  return found === undefined ? undefined : `${place}${found}, which`;
}

function firstIn(value: unknown, above: object[]): string | undefined {
  if (typeof value === 'bigint') return ' is a BigInt';
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : ` is ${value}`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.includes(value)) return ' holds itself';
  above.push(value);
  const found = Array.isArray(value) ? firstOfList(value, above) : firstOfRecord(value, above);
  above.pop();
  return found;
}

function firstOfList(list: readonly unknown[], above: object[]): string | undefined {
  for (let at = 0; at < list.length; at++) {
    const [item, kind] = [list[at], typeof list[at]];
    const isNothing = kind === 'undefined' || kind === 'function' || kind === 'symbol';
    const found = isNothing ? ` is ${kind}` : firstIn(item, above);
    if (found !== undefined) return `[${at}]${found}`;
  }
  return undefined;
}

function firstOfRecord(record: object, above: object[]): string | undefined {
  const made = Object.getPrototypeOf(record) as { constructor?: { name?: string } } | null;
  const kind = made === Object.prototype ? 'Object' : made?.constructor?.name;
  if (kind !== undefined && kind !== 'Object') return ` is a ${kind}`;
  for (const key of Object.keys(record)) {
    const item = (record as Record<string, unknown>)[key];
    const found = typeof item === 'string' ? undefined : firstIn(item, above);
    if (found !== undefined) return `.${key}${found}`;
  }
  return undefined;
}
