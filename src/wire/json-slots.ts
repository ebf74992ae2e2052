// A slot is what stands in a request's JSON where the base64 of an asset will be.
// A body whose media are still slots → its JSON text, cut at the slots, and how long all of it will be. The text of a
// message is kept beside the message, so that a turn spells what is new.
import { base64Length } from '../content/base64.ts';
import type { Asset } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import { utf8Length } from '../content/text.ts';
import { noMemo } from './item-memo.ts';
import type { ItemMemo } from './item-memo.ts';

export const slotKey: unique symbol = Symbol('slot');

export type Slot = { [slotKey]: Asset; prefix: string };

/** Stands for the base64 of an asset wherever the wire's types want a string. */
export function slot(asset: Asset, prefix = ''): string {
  const value: Slot = { [slotKey]: asset, prefix };
  return value as unknown as string; // the one place where a slot passes for the string it will become
}

/** Stands for the data URI of an asset. */
export function dataUri(asset: Asset): string {
  return slot(asset, `data:${asset.mediaType};base64,`);
}

export function isSlot(value: unknown): value is Slot {
  return typeof value === 'object' && value !== null && slotKey in value;
}

/** The assets that stand in a part of a skeleton. */
export function assetsIn(part: unknown): Asset[] {
  if (isSlot(part)) return [part[slotKey]];
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(assetsIn) : [];
}

export type JsonSegment = string | Slot;

/** JSON text cut at its slots, in the spelling of `JSON.stringify`, and how many bytes all of it comes to. */
export type CutJson = { parts: readonly JsonSegment[]; length: number };

/** Messages that stood in the body of the turn before are not looked at again: only what is new has to be spelled. */
export function cutBody(body: unknown, memo: ItemMemo = noMemo): CutJson[] {
  if (!isRecord(body) || typeof body['toJSON'] === 'function') return [cutAtSlots(body)];
  const out: CutJson[] = [];
  let own: JsonSegment[] = [];
  /** What is cut already stands behind all that was not. */
  const add = (cut: CutJson): void => {
    if (own.length > 0) out.push(measured(own));
    own = [];
    out.push(cut);
  };
  let before = '{';
  for (const [key, item] of Object.entries(body)) {
    if (isLeftOut(item)) continue;
    own.push(`${before}${JSON.stringify(key.toWellFormed())}:`);
    before = ',';
    if (!Array.isArray(item)) {
      own.push(...partsOf(item));
      continue;
    }
    own.push('[');
    for (const [at, one] of (item as unknown[]).entries()) {
      if (at > 0) add(commaCut);
      if (isRecord(one)) add(memo.spelled(one, () => cutAtSlots(one)));
      else own.push(...partsOf(isLeftOut(one) ? null : one));
    }
    own.push(']');
  }
  own.push(before === '{' ? '{}' : '}');
  return [...out, measured(own)];
}

const commaCut: CutJson = { parts: [','], length: 1 };

function measured(given: readonly JsonSegment[]): CutJson {
  const parts = joinedParts([{ parts: given }]);
  return { parts, length: parts.reduce((sum, part) => sum + lengthOf(part), 0) };
}

/** Everything in one list, texts that stand together as one. */
export function joinedParts(all: readonly Pick<CutJson, 'parts'>[]): JsonSegment[] {
  const parts: JsonSegment[] = [];
  let text = '';
  for (const cut of all) {
    for (const part of cut.parts) {
      if (typeof part === 'string') text += part;
      else {
        parts.push(text, part);
        text = '';
      }
    }
  }
  return [...parts, text];
}

/** What JSON has no word for. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function';
}

/** A value as JSON text, cut at its slots. */
export function cutAtSlots(value: unknown): CutJson {
  return measured(partsOf(value));
}

function partsOf(value: unknown): JsonSegment[] {
  if (typeof value === 'string') return [JSON.stringify(value.toWellFormed())];
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value) ?? 'null'];
  const parts: JsonSegment[] = [];
  const keys = new Map<string, string>(); // a long list spells the same few thousands of times
  let text = '';
  const keyText = (key: string): string => {
    const known = keys.get(key) ?? `${JSON.stringify(key.toWellFormed())}:`;
    keys.set(key, known);
    return known;
  };
  const visit = (now: unknown): void => {
    if (typeof now === 'string') text += JSON.stringify(now.toWellFormed());
    else if (isSlot(now)) {
      parts.push(text + JSON.stringify(now.prefix).slice(0, -1), now);
      text = '"';
    } else if (Array.isArray(now)) {
      text += '[';
      for (let index = 0; index < now.length; index++) {
        const item: unknown = now[index];
        if (index > 0) text += ',';
        visit(isLeftOut(item) ? null : item);
      }
      text += ']';
    } else if (isRecord(now) && typeof now['toJSON'] !== 'function') {
      let comma = '';
      text += '{';
      for (const key of Object.keys(now)) {
        const item = now[key];
        if (isLeftOut(item)) continue;
        text += comma + keyText(key);
        visit(item);
        comma = ',';
      }
      text += '}';
    } else text += JSON.stringify(now) ?? 'null';
  };
  visit(value);
  return [...parts, text];
}

function lengthOf(part: JsonSegment): number {
  return typeof part === 'string' ? utf8Length(part) : base64Length(part[slotKey].size);
}
