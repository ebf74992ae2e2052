// Reading JSON of somebody else's, field by field, so that what was not understood can be told from what was.
import { canonicalJson, isRecord } from '../content/json.ts';

/** An object as JSON gave it, before anybody looked into it. */
export type Fields = Record<string, unknown>;

/** Where something stands in a value: the keys and places that lead to it. */
export type Path = readonly (string | number)[];

export function at(value: unknown, path: Path): unknown {
  let found = value;
  for (const key of path) found = (found as Record<string | number, unknown> | null | undefined)?.[key];
  return found;
}

/** The same value with something else at the end of a path that exists. */
export function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? replaced(item, rest, by) : item));
  return isRecord(value) ? { ...value, [key]: replaced(value[key], rest, by) } : value;
}

/** A list as it is; one thing where a list should be is a list of one. */
export function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

export function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** A list of texts; one alone is a list of one. */
export function textList(value: unknown): string[] | undefined {
  const texts = list(value);
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts : undefined;
}

/** The same record without the fields that are undefined. */
export function definedOnly<Given extends object>(
  fields: Given,
): { [Name in keyof Given]?: Exclude<Given[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Given]?: Exclude<Given[Name], undefined>;
  };
}

/** Whether a value says the same as what we would write, whatever the order of its keys. */
export function same(value: unknown, ours: unknown): boolean {
  return canonicalJson(value) === canonicalJson(ours);
}

/** What a field means here, or nearly. Only one that we would write in just this way is taken; any other also stays. */
export function takeNearest<Value>(
  fields: Taker,
  name: string,
  read: (value: unknown) => Value | undefined,
  write: (meant: Value, value: unknown) => unknown,
): Value | undefined {
  let meant: Value | undefined;
  fields.take(name, (value) => {
    meant = read(value);
    return meant !== undefined && same(value, write(meant, value)) ? meant : undefined;
  });
  return meant;
}

/** The fields of a record with their names in camelCase; what they hold is left alone. */
export function spelt(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [camelCase(key), item]));
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Fields taken out one by one. A field that its reader does not understand stays, and what stays is told by `rest`. */
export type Taker = {
  take: <Value>(name: string, read: (value: unknown) => Value | undefined) => Value | undefined;
  /** The fields inside a field. What is not taken of them stays in it. */
  inside: (name: string) => Taker;
  rest: () => Fields;
};

export function taker(value: unknown): Taker {
  const left = new Map(Object.entries(isRecord(value) ? value : {}));
  const inner = new Map<string, Taker>();
  return {
    inside: (name) => {
      const one = taker(left.get(name));
      if (isRecord(left.get(name))) inner.set(name, one);
      return one;
    },
    take: (name, read) => {
      const found = left.has(name) ? read(left.get(name)) : undefined;
      if (found !== undefined) left.delete(name);
      return found;
    },
    rest: () => {
      for (const [name, one] of inner) {
        const rest = one.rest();
        if (Object.keys(rest).length > 0) left.set(name, rest);
        else left.delete(name);
      }
      return Object.fromEntries(left);
    },
  };
}
