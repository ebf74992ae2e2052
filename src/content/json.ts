// Plain JSON values, and the two questions everyone asks of an unknown value.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A value we may look into by key: an object that is neither an array nor null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON text of anything at all: cycles, bigints and what JSON cannot hold become words instead of an exception. */
export function toJsonText(value: unknown, indent?: number): string {
  const open: unknown[] = [];
  const replace = function (this: unknown, _key: string, item: unknown): unknown {
    while (open.length > 0 && open.at(-1) !== this) open.pop();
    if (typeof item === 'bigint') return item.toString();
    if (typeof item === 'function' || typeof item === 'symbol') return `[${typeof item}]`;
    if (item instanceof Map) return Object.fromEntries(item);
    if (item instanceof Set) return [...item];
    if (item instanceof Error) return `${item.name}: ${item.message}`;
    if (typeof item !== 'object' || item === null) return item;
    if (open.includes(item)) return '[circular]';
    open.push(item);
    return item;
  };
  try {
    return JSON.stringify(value, replace, indent) ?? `[${typeof value}]`;
  } catch {
    return '[unreadable value]'; // code of the value's own that throws, or nesting without end
  }
}
