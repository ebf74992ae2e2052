// A body against the one before it in its lane: runs of elements that stood there, and those that are new. An eviction
// in the middle costs one element, a turn costs what it added.
import { ownValue } from '../content/json.ts';
import type { Json } from '../content/json.ts';
import type { KeptBody, KeptElement, KeptMark } from './body.ts';

/** So many elements of the list before, from there. */
export type KeptRun = readonly [from: number, count: number];

/** A list against the one before it. */
export type Delta<Element> = readonly (KeptRun | Element)[];

/** What one body has that the one before it had not. */
export type BodyDelta = {
  /** The fields, when they are others or in another order. */
  order?: readonly string[];
  /** Those that changed. */
  head?: Readonly<Record<string, Json>>;
  lists?: Readonly<Record<string, Delta<KeptElement>>>;
  /** All that there are. */
  marks?: readonly KeptMark[];
  /** Null: there is none any more. */
  frame?: readonly string[] | null;
};

/** What changed since `before`; all of it, where there is none. */
export function bodyDelta(before: KeptBody | undefined, now: KeptBody): BodyDelta {
  const head = Object.entries(now.head).filter(([field, value]) => !isSame(ownValue(before?.head, field), value));
  const lists = Object.entries(now.lists).flatMap(([field, texts]): [string, Delta<KeptElement>][] => {
    const old = ownValue(before?.lists, field);
    if (old && old.length === texts.length && old.every((text, at) => text === texts[at])) return [];
    return [[field, listDelta(old ?? [], texts) as Delta<KeptElement>]];
  });
  return {
    ...(!isSame(before?.order, now.order) && { order: now.order }),
    ...(head.length > 0 && { head: Object.fromEntries(head) }),
    ...(lists.length > 0 && { lists: Object.fromEntries(lists) }),
    ...(now.marks.length > 0 && { marks: now.marks }),
    ...(!isSame(before?.frame, now.frame) && { frame: now.frame ?? null }),
  };
}

/** The body that a delta was made of. */
export function replayed(before: KeptBody | undefined, delta: BodyDelta): KeptBody {
  const order = delta.order ?? before?.order ?? [];
  const heads = { ...before?.head, ...delta.head };
  const lists = Object.fromEntries(
    order.flatMap((field): [string, readonly string[]][] => {
      const [changed, old] = [ownValue(delta.lists, field), ownValue(before?.lists, field)];
      if (ownValue(delta.head, field) !== undefined) return [];
      if (changed) return [[field, replayedList(old ?? [], changed)]];
      return old ? [[field, old]] : [];
    }),
  );
  const frame = delta.frame === undefined ? before?.frame : (delta.frame ?? undefined);
  return {
    order,
    head: Object.fromEntries(
      order.flatMap((field): [string, Json][] => {
        const value = Object.hasOwn(lists, field) ? undefined : ownValue<Json>(heads, field);
        return value === undefined ? [] : [[field, value]];
      }),
    ),
    lists,
    marks: delta.marks ?? [],
    ...(frame && { frame }),
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Texts of JSON against those before: the longest runs in order, what is new in between. */
export function listDelta(before: readonly string[], now: readonly string[]): Delta<unknown> {
  let places: Map<string | undefined, number[]> | undefined;
  const out: ([number, number] | object)[] = [];
  let last: [number, number] | undefined;
  let open = false;
  for (const text of now) {
    const next = last ? last[0] + last[1] : 0;
    let from = before[next] === text ? next : -1;
    if (from < 0) {
      places ??= Map.groupBy(before.keys(), (at) => before[at]);
      const found = places.get(text);
      from = found?.find((at) => at >= next) ?? found?.[0] ?? -1;
    }
    if (open && last && from === last[0] + last[1]) last[1]++;
    else if (from >= 0) out.push((last = [from, 1]));
    else out.push(JSON.parse(text) as object);
    open = from >= 0;
  }
  return out;
}

/** The texts that a delta was made of; an element that is not there any more is none. */
export function replayedList(before: readonly string[], delta: Delta<unknown>): string[] {
  return delta.flatMap((part) => (isRun(part) ? before.slice(part[0], part[0] + part[1]) : [JSON.stringify(part)]));
}

function isRun(part: unknown): part is KeptRun {
  return Array.isArray(part) && part.length === 2 && part.every((each) => typeof each === 'number');
}
