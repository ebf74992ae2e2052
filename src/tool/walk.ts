// One quick walk over a value a tool returned: a copy as plain JSON, and a slot wherever a medium could hide. Nothing
// is decoded here. Getters and `toJSON` that throw, cycles and depth become words. A value of too many parts is not
// walked to its end.
import type { MediaInput } from '../content/input.ts';
import { isMedia } from '../content/block.ts';
import { attempt, fieldsOf, hasEntries, isRecord, isShared, notThere, toJsonText } from '../content/json.ts';
import { mediaKindOf, parseBlock } from '../content/parse.ts';
import { errorText } from '../content/words.ts';
import { hasLetters } from './base64-runs.ts';
import { mayHoldBuffer } from './json-buffers.ts';
import { isResponse } from './streams.ts';

/** Where a value stands: the nearest field name above it, and all that it lies in; `files` when those named in it may be opened. */
export type ValuePlace = { key: string; above: readonly unknown[]; files?: boolean };

/** Something that could hold a medium. */
export type Holding =
  | { type: 'string' | 'text'; text: string }
  | { type: 'bytes'; value: object }
  | { type: 'block' | 'file'; block: MediaInput; value: object };

/** Something to look into, and where to put what comes out. */
export type MediumPlace = ValuePlace & Holding & { put: (value: unknown) => void };

/** `named` when the name of a field could hold a medium: names are not looked into. */
export type WalkedValue = { root: { value?: unknown }; slots: MediumPlace[]; named: boolean };

/** Field names under which tools hand over a medium as base64. */
export const mediaFields: ReadonlySet<string> = new Set([
  'base64',
  'image',
  'screenshot',
  'base64_image',
  'base64Image',
  'data',
  'blob',
  'file_data',
]);

/** No medium has fewer letters as base64. */
const shortestMedium = 24;

export const maxDepth = 100;
export const maxParts = 1_000_000;

/** Whether a text could have a medium in it: as base64, or as bytes that went through JSON. */
export function mayHoldMedia(text: string, fewestLetters: number = shortestMedium): boolean {
  return hasLetters(text, fewestLetters) || mayHoldBuffer(text);
}

/** Copies a value; undefined when it has too many parts. `asFields` takes a record as one even if it looks like more. */
export function walk(value: unknown, place: ValuePlace, asFields = false): WalkedValue | undefined {
  const above = [...place.above];
  const root: WalkedValue['root'] = {};
  const slots: MediumPlace[] = [];
  let [parts, named] = [0, false];

  const visit = (item: unknown, key: string, holder: object, at: string | number, fields = false): void => {
    parts++;
    if (typeof item !== 'object' || item === null) {
      if (typeof item === 'string' && isCandidate(item, key)) later({ type: 'string', text: item }, key, holder, at);
      else put(holder, at, plainLeaf(item));
      return;
    }
    if (above.includes(item)) return put(holder, at, '[circular]');
    if (!fields && isBytes(item)) return later({ type: 'bytes', value: item }, key, holder, at);
    if (above.length > maxDepth) {
      const text = toJsonText(item);
      parts += text.length >> 3; // it may hold much
      return later({ type: 'text', text }, key, holder, at);
    }
    above.push(item);
    inside(item, key, holder, at, fields);
    above.pop();
  };

  const inside = (object: object, key: string, holder: object, at: string | number, fields: boolean): void => {
    if (Array.isArray(object) || object instanceof Set || isNumbers(object)) {
      const out: unknown[] = [];
      put(holder, at, out);
      for (const element of object) {
        if (parts > maxParts) return;
        visit(element, key, out, out.length);
      }
      return;
    }
    const absent = notThere(object);
    if (absent !== undefined) return put(holder, at, absent);
    if (object instanceof Error) {
      return later({ type: 'text', text: errorText(object) }, key, holder, at);
    }
    const plain = attempt(() => ('toJSON' in object && typeof object.toJSON === 'function' ? object.toJSON() : object));
    if (plain !== object) return visit(plain, key, holder, at);
    const block = fields ? undefined : mediaIn(object);
    if (block) return later({ type: 'block', block, value: object }, key, holder, at);
    const file = place.files && !fields && handsOver(object, key, above) ? fileIn(object) : undefined;
    if (file) return later({ type: 'file', block: file, value: object }, key, holder, at);
    const out: Record<string, unknown> = {};
    put(holder, at, out);
    const known = hasEntries(object) ? new Map(fieldsOf(object)) : undefined;
    for (const field of known?.keys() ?? Object.keys(object)) {
      if (parts > maxParts) return;
      const inner = known ? known.get(field) : fieldOf(object, field);
      if (inner !== undefined) enter(inner, field, out);
    }
  };

  const enter = (item: unknown, field: string, holder: object): void => {
    named ||= isCandidate(field, '');
    visit(item, field, holder, field);
  };

  const later = (found: Holding, key: string, holder: object, at: string | number): void => {
    put(holder, at, null); // keeps the order of the fields
    const around = found.type === 'block' || found.type === 'file' ? above.slice(0, -1) : [...above]; // without itself: it may be looked into as fields
    slots.push({ ...found, key, above: around, put: (filled) => put(holder, at, filled) });
  };

  visit(value, place.key, root, 'value', asFields);
  return parts > maxParts ? undefined : { root, slots, named };
}

/** What is no object, as JSON can hold it. */
export function plainLeaf(item: unknown): unknown {
  switch (typeof item) {
    case 'bigint':
      return item.toString();
    case 'number':
      return Number.isFinite(item) ? item : String(item);
    case 'symbol':
    case 'function':
      return `[${typeof item}]`;
    default:
      return item ?? null;
  }
}

/** Whether a string has to be looked into. */
export function isCandidate(text: string, key: string): boolean {
  if (text.length < shortestMedium) return false;
  if (mediaFields.has(key) || text.startsWith('data:')) return true;
  return mayHoldMedia(text, 60) || text.includes(';base64,') || (opensJson(text) && mayHoldMedia(text));
}

/** Whether a text begins as a JSON object or array does. */
export function opensJson(text: string): boolean {
  const first = text.trimStart()[0];
  return first === '{' || first === '[';
}

/** A typed array of numbers that are no bytes, such as samples or a vector. */
export function isNumbers(value: object): value is object & Iterable<number | bigint> {
  return ArrayBuffer.isView(value) && !isBytes(value);
}

function isBytes(value: object): boolean {
  return (
    value instanceof Uint8Array ||
    value instanceof Uint8ClampedArray ||
    value instanceof DataView ||
    value instanceof ArrayBuffer ||
    isShared(value) ||
    value instanceof Blob ||
    isResponse(value) ||
    isJsonBuffer(value)
  );
}

/** Whether a value is a `Buffer` that went through JSON. */
export function isJsonBuffer(value: object): boolean {
  const written = value as { type?: unknown; data?: unknown };
  return 'type' in value && attempt(() => written.type === 'Buffer' && Array.isArray(written.data)) === true;
}

/** A path or a URL inside data is only words: whoever wrote the data must not choose what is opened here. */
export function mediaIn(value: object): MediaInput | undefined {
  if (!('type' in value || 'inlineData' in value || 'inline_data' in value)) return undefined;
  const parsed = attempt(() => parseBlock(value));
  return isRecord(parsed) && isMedia(parsed as { type: string }) && 'data' in parsed
    ? (parsed as MediaInput)
    : undefined;
}

/** Field names under which tools hand over files by reference. */
const fileFields: ReadonlySet<string> = new Set(
  'image images picture pictures screenshot screenshots document documents audio video videos attachment attachments media'.split(
    ' ',
  ),
);

const typeFields = ['media_type', 'mediaType', 'mime_type', 'mimeType'];

/** Whether a record may be a file that is handed over. In a list of its own it says nothing else: others are lists of what there is. */
function handsOver(object: object, key: string, above: readonly unknown[]): boolean {
  if (fileFields.has(key)) return true;
  return (
    key === '' &&
    above.length > 1 &&
    Object.keys(object).every((field) => ['path', 'name', ...typeFields].includes(field))
  );
}

/** The file that a record names by its `path` and a media type; a path alone is data. */
export function fileIn(value: object): MediaInput | undefined {
  if (!('path' in value) || !typeFields.some((field) => field in value)) return undefined;
  const path = fieldOf(value, 'path');
  const mediaType = typeFields.map((field) => fieldOf(value, field)).find((field) => typeof field === 'string');
  return typeof path === 'string' && mediaType !== undefined
    ? { type: mediaKindOf(mediaType), path, mediaType }
    : undefined;
}

/** What else such a record says. */
export function besideFile(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([field]) => field !== 'path' && !typeFields.includes(field)));
}

function fieldOf(value: object, field: string): unknown {
  try {
    return (value as Record<string, unknown>)[field];
  } catch {
    return '[unreadable]';
  }
}

/** Sets a field as a field, whatever its name. */
function put(holder: object, at: string | number, value: unknown): void {
  if (at === '__proto__') {
    Object.defineProperty(holder, at, { value, enumerable: true, configurable: true, writable: true });
  } else (holder as Record<string | number, unknown>)[at] = value;
}
