// Small changes to a body, each giving a copy: the tests spoil a good body at one place.

import { isObject } from './json.ts';
import type { Json, JsonObject } from './json.ts';

export type Edit = (body: JsonObject) => JsonObject;

/** The value at a JSON pointer replaced, or taken out where the value is undefined. */
export function changed(body: JsonObject, pointer: string, value: Json | undefined): JsonObject {
  const copy = structuredClone(body);
  const { parent, last } = target(copy, pointer);
  if (Array.isArray(parent)) parent.splice(Number(last), 1, ...(value === undefined ? [] : [value]));
  else if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

/** One field spelt differently. */
export function respelt(body: JsonObject, pointer: string, spelling: string): JsonObject {
  const { parent, last } = target(body, pointer);
  const value = Array.isArray(parent) ? undefined : parent[last];
  const stem = pointer.slice(0, pointer.lastIndexOf('/'));
  return changed(changed(body, pointer, undefined), `${stem}/${spelling}`, value);
}

export function set(pointer: string, value: Json): Edit {
  return (body) => changed(body, pointer, value);
}

export function drop(pointer: string): Edit {
  return (body) => changed(body, pointer, undefined);
}

/** One more item where the pointer says, before the item that is there; `-` is the end. */
export function insert(pointer: string, value: Json): Edit {
  return (body) => {
    const copy = structuredClone(body);
    const { parent, last } = target(copy, pointer);
    if (!Array.isArray(parent)) throw new Error(`The body has no array around ${pointer}`);
    parent.splice(last === '-' ? parent.length : Number(last), 0, value);
    return copy;
  };
}

function target(body: JsonObject, pointer: string): { parent: Json[] | JsonObject; last: string } {
  const steps = pointer.split('/').slice(1);
  const last = steps.pop() ?? '';
  let node: Json | undefined = body;
  for (const step of steps) {
    if (Array.isArray(node)) node = node[Number(step)];
    else node = isObject(node) ? node[step] : undefined;
  }
  if (!Array.isArray(node) && !isObject(node)) throw new Error(`The body has nothing at ${pointer}`);
  return { parent: node, last };
}
