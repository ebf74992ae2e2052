// Plain JSON values, and the questions everyone asks of an unknown value.

/** Any value that JSON can write. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A value we may look into by key: an object that is neither an array nor null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands under a name that somebody else chose, which may be `toString`. */
export function ownValue<Value>(table: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A whole number from 0 on. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Whether a value is nested deeper than so many levels; goes no deeper itself, so depth does no harm. */
export function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const item of Object.values(value)) if (deeperThan(item, levels - 1)) return true;
  return false;
}

/** The value that a text spells, or nothing where it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The numbers that Python writes and JSON does not have, and what shows whether one stands in a string. */
const notOfJson = /\\.|"|-?\b(?:NaN|Infinity)\b/gs;

/** The value that a text spells as JSON or as Python writes it: numbers that JSON does not have become words. */
export function parsedFromPython(text: string): unknown {
  const value = parsed(text);
  if (value !== undefined || !/\b(?:NaN|Infinity)\b/.test(text)) return value;
  let inString = false;
  const words = text.replaceAll(notOfJson, (found) => {
    if (found === '"') inString = !inString;
    return inString || found === '"' || found.startsWith('\\') ? found : `"${found}"`;
  });
  return parsed(words);
}

/** JSON text of anything at all: what JSON cannot hold becomes words instead of an exception. */
export function toJsonText(value: unknown, indent?: number): string {
  if (value === undefined || typeof value === 'symbol') return String(value);
  return JSON.stringify(plain(value, [], { left: mostWritten }), undefined, indent);
}

const maxDepth = 200;

/** How many parts of a value are written, where every 128 letters of a text count as one. A value in which the same parts stand again
 * and again, as YAML makes it of aliases, would otherwise have no end. */
const mostWritten = 2_000_000;

type Room = { left: number };

/** Stands for what is still to come inside a value: JSON would write `{}`, as if nothing had been there, or how a stream works. */
export function notThere(value: object): string | undefined {
  if (value instanceof Promise) return '[a promise that was not awaited]';
  const can = (name: string): boolean => typeof attempt(() => (value as Record<string, unknown>)[name]) === 'function';
  const isRunning = (Symbol.iterator in value || Symbol.asyncIterator in value) && can('next');
  const isStream = value instanceof ReadableStream || can('pipe');
  return isRunning || isStream ? '[a stream that was not read]' : undefined;
}

/** The value as plain JSON, whatever its own code does. */
function plain(value: unknown, above: readonly object[], room: Room): Json {
  if (room.left <= 0) return '[too large to be written whole]';
  room.left -= 1 + (typeof value === 'string' ? value.length / 128 : 0);
  switch (typeof value) {
    case 'string':
      return value.toWellFormed();
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'bigint':
      return value.toString();
    case 'undefined':
      return null;
    case 'symbol':
    case 'function':
      return `[${typeof value}]`;
    case 'object':
      return value === null ? null : plainObject(value, above, room);
  }
}

function plainObject(value: object, above: readonly object[], room: Room): Json {
  if (above.includes(value)) return '[circular]';
  if (above.length >= maxDepth) return '[nested too deeply]';
  const path = [...above, value];
  const given = attempt(() => ('toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value));
  if (given !== value) return plain(given, path, room);
  const absent = notThere(value);
  if (absent !== undefined) return absent;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || isShared(value))
    return `[${String(attempt(() => value.byteLength))} bytes]`;
  if (Array.isArray(value) || value instanceof Set)
    return Array.from(asFarAs(room, value as Iterable<unknown>), (item) => plain(item, path, room));
  const fields = asFarAs(room, fieldsOf(value));
  return Object.fromEntries(Array.from(fields, ([key, item]) => [key.toWellFormed(), plain(item, path, room)]));
}

/** Those for which there is room, and one more that will say that there was none. */
function* asFarAs<Item>(room: Room, items: Iterable<Item>): Generator<Item> {
  for (const item of items) {
    const isLast = room.left <= 0;
    yield item;
    if (isLast) return;
  }
}

/** Memory of several threads; browsers have it only on pages that are alone in their process. */
export function isShared(value: unknown): value is SharedArrayBuffer {
  return typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer;
}

/** Whether what a value holds stands in entries, and not in its own fields. Forms and headers say what they are: to name their
 * classes makes Node load its whole `fetch`. */
export function hasEntries(
  value: object,
): value is ReadonlyMap<unknown, unknown> | FormData | URLSearchParams | Headers {
  const said = String(attempt(() => Object.prototype.toString.call(value)));
  return Symbol.iterator in value && /^\[object (?:Map|FormData|URLSearchParams|Headers)]$/.test(said);
}

/** The fields of an object or a map that hold something. One whose getter throws holds a word that says so. */
export function fieldsOf(value: object): [string, unknown][] {
  const fields: [string, unknown][] = hasEntries(value)
    ? entriesOf(value)
    : Object.keys(value).map((key) => [key, attempt(() => (value as Record<string, unknown>)[key])]);
  return fields.filter(([, item]) => item !== undefined);
}

/** What a form says several times under one name is a list. */
function entriesOf(value: Iterable<[unknown, unknown]>): [string, unknown][] {
  const found = new Map<string, unknown[]>();
  for (const [key, item] of value) {
    const name = typeof key === 'string' ? key : toJsonText(key);
    const items = found.get(name);
    if (items) items.push(item);
    else found.set(name, [item]);
  }
  return Array.from(found, ([name, items]) => [name, items.length > 1 ? items : items[0]]);
}

/** What a value's own code answers, or a word in its place when that code throws. */
export function attempt(answer: () => unknown): unknown {
  try {
    return answer();
  } catch {
    return '[unreadable]';
  }
}

/** JSON text in which the order of keys does not count: databases give them back in an order of their own. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if ('toJSON' in value && typeof value.toJSON === 'function') return JSON.stringify(value) ?? 'null';
  let fields = '';
  for (const key of Object.keys(value).toSorted()) {
    const item = (value as Record<string, unknown>)[key];
    if (item === undefined || typeof item === 'function') continue;
    fields += `${fields === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(item)}`;
  }
  return `{${fields}}`;
}
