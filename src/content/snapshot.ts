// What a value says at one moment, as one flat list. Programs change their objects in place: whoever remembers something
// about a value keeps a snapshot beside it and asks later whether it is still the same.

export type Snapshot = readonly unknown[];

const open = Symbol('{');
const close = Symbol('}');
const openList = Symbol('[');
const closeList = Symbol(']');

/** Deeper than this, and for everything that is no plain data, only the same object counts as equal. */
const maxDepth = 100;

/** Takes a snapshot. The field `opaque` of the value itself, which may be huge or cyclic, is kept as the object it is. */
export function snapshotOf(value: unknown, opaque?: string): Snapshot {
  const list: unknown[] = [];
  flatten(value, list, maxDepth, opaque);
  return list;
}

/** Whether a value still says what it said when the snapshot was taken. */
export function isStill(snapshot: Snapshot, value: unknown, opaque?: string): boolean {
  return compare(snapshot, 0, value, maxDepth, opaque) === snapshot.length;
}

/** The same data in objects of its own; `opaque` and what is no plain data are taken over as they are. */
export function copyOf<Value>(value: Value, opaque?: string): Value {
  return copied(value, maxDepth, opaque) as Value;
}

function copied(value: unknown, depth: number, opaque?: string): unknown {
  if (depth > 0 && Array.isArray(value)) return value.map((item) => copied(item, depth - 1));
  if (depth === 0 || !isPlain(value)) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(fields.map(([key, item]) => [key, key === opaque ? item : copied(item, depth - 1)]));
}

function flatten(value: unknown, list: unknown[], depth: number, opaque?: string): void {
  if (Array.isArray(value) && depth > 0) {
    list.push(openList);
    for (let at = 0; at < value.length; at++) flatten(value[at], list, depth - 1);
    list.push(closeList);
  } else if (isPlain(value) && depth > 0) {
    list.push(open);
    for (const key in value) {
      list.push(key);
      if (key === opaque) list.push(value[key]);
      else flatten(value[key], list, depth - 1);
    }
    list.push(close);
  } else list.push(value);
}

/** Where the list goes on after what is equal to the value; -1 when it differs. */
function compare(list: Snapshot, from: number, value: unknown, depth: number, opaque?: string): number {
  let at = from;
  if (depth > 0 && Array.isArray(value)) {
    if (list[at++] !== openList) return -1;
    for (let index = 0; index < value.length; index++) {
      at = compare(list, at, value[index], depth - 1);
      if (at < 0) return -1;
    }
    return list[at] === closeList ? at + 1 : -1;
  }
  if (depth > 0 && isPlain(value)) {
    if (list[at++] !== open) return -1;
    for (const key in value) {
      if (list[at++] !== key) return -1;
      const item = value[key];
      if (key === opaque || typeof item === 'string') at = list[at] === item ? at + 1 : -1;
      else at = compare(list, at, item, depth - 1);
      if (at < 0) return -1;
    }
    return list[at] === close ? at + 1 : -1;
  }
  return Object.is(list[at], value) ? at + 1 : -1;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
