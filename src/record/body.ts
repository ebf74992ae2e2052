// A body as it is kept: the elements of its lists one by one, media by their hash, cache marks apart, so that the next
// request is a few elements more. Spelled again, it is the very bytes that were sent.
import type { Asset, AssetId } from '../content/block.ts';
import { deeperThan, isRecord, ownValue, parsed } from '../content/json.ts';
import type { Json } from '../content/json.ts';
import { digest, utf8Length } from '../content/text.ts';
import type { Skeleton } from '../wire/body.ts';
import { cutAtSlots, cutBody, isSlot, joinedParts, slot, slotKey } from '../wire/json-slots.ts';
import type { CutJson } from '../wire/json-slots.ts';

/** A medium in a kept body: what its base64 stands for. */
export type KeptAsset = { $asset: AssetId; size: number; mediaType: string; prefix?: string };

/** A piece of text that is not spelled as we would: words, or a medium in them. */
export type KeptPiece = string | KeptAsset;

/** An element of a list: its value, or its text where another program spelled it differently, with what stands before. */
export type KeptElement = { is: Json } | { text: readonly KeptPiece[] };

/** Where a cache mark stands: in which value, at which place among its keys; or, as an item of its own, in which list. */
export type KeptMark = readonly [path: readonly (string | number)[], place: number, key: string, mark: Json];

/** A request's body as it is kept: the same bytes again, with media as the names of their assets. */
export type KeptBody = {
  /** The fields in the order they are written. */
  order: readonly string[];
  /** Fields that are no list. */
  head: Readonly<Record<string, Json>>;
  /** Every list of the body; its elements as JSON text of a `KeptElement`. */
  lists: Readonly<Record<string, readonly string[]>>;
  marks: readonly KeptMark[];
  /** The text around the lists, where another program spelled it differently. */
  frame?: readonly string[];
};

/** What elements of the turn before became, by the very objects. */
export type KnownElements = Map<object, string>;

const markKeys = new Set(['cache_control', 'prompt_cache_breakpoint']);

/** A mark that is an item of its own in a list. */
const markItem = 'cachePoint';

function isMarkItem(item: unknown): item is { [markItem]: unknown } {
  return isRecord(item) && markItem in item && Object.keys(item).length === 1;
}
const escaped = /^\$+asset$/;

/** Keeps a body whose media are slots. Elements that `known` holds are not looked at again, if no mark is in them. */
export function keptBody(skeleton: unknown, known: KnownElements = new Map()): KeptBody {
  if (isTooDeep(skeleton, known)) return textBody(skeleton);
  const marks: KeptMark[] = [];
  const [head, lists]: [Record<string, Json>, Record<string, string[]>] = [{}, {}];
  const order: string[] = [];
  for (const [field, value] of Object.entries(isRecord(skeleton) ? skeleton : {})) {
    if (isLeftOut(value)) continue;
    order.push(field);
    if (!Array.isArray(value)) head[field] = kept(value, [field], marks);
    else lists[field] = eachUnmarked(value, [field], marks, (one, at) => keptElement(one, [field, at], marks, known));
  }
  const topMarks = order.filter((field) => markKeys.has(field) && field in head);
  for (const field of topMarks) marks.push([[], order.indexOf(field), field, head[field] ?? null]);
  const isMark = (field: string): boolean => topMarks.includes(field);
  return {
    order: order.filter((field) => !isMark(field)),
    head: Object.fromEntries(Object.entries(head).filter(([field]) => !isMark(field))),
    lists,
    marks,
  };
}

/** What is nested deeper is kept as its text: whoever walks it, here or later, would run out of stack. */
const mostLevels = 500;

export function isNestedTooDeeply(value: unknown): boolean {
  return deeperThan(value, mostLevels);
}

function isTooDeep(skeleton: unknown, known: KnownElements): boolean {
  const isKnown = (item: unknown): boolean => typeof item === 'object' && item !== null && known.has(item);
  return Object.values(isRecord(skeleton) ? skeleton : {}).some((value) =>
    Array.isArray(value)
      ? value.some((item: unknown) => !isKnown(item) && isNestedTooDeeply(item))
      : isNestedTooDeeply(value),
  );
}

/** All of a body as one text with its media: the only element of a list without a name. */
function textBody(skeleton: unknown): KeptBody {
  const text = joinedParts(cutBody(skeleton)).map((part): KeptPiece =>
    typeof part === 'string' ? part : keptAsset(part[slotKey], ''),
  );
  return { order: [''], head: {}, lists: { '': [JSON.stringify({ text })] }, marks: [], frame: ['', ''] };
}

/** The items of a list as they are kept, marks among them apart. */
function eachUnmarked<Kept>(
  items: readonly unknown[],
  path: readonly (string | number)[],
  marks: KeptMark[],
  keep: (item: unknown, at: number) => Kept,
): Kept[] {
  return items.flatMap((item, at) => {
    if (!isMarkItem(item)) return [keep(item, at)];
    marks.push([path, at, markItem, kept(item[markItem], [], [])]);
    return [];
  });
}

function keptElement(
  element: unknown,
  path: readonly [string, number],
  marks: KeptMark[],
  known: KnownElements,
): string {
  const isObject = typeof element === 'object' && element !== null;
  const before = isObject ? known.get(element) : undefined;
  if (before !== undefined) return before;
  const count = marks.length;
  const text = JSON.stringify({ is: kept(isLeftOut(element) ? null : element, path, marks) });
  if (isObject && marks.length === count) known.set(element, text);
  return text;
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function';
}

function kept(value: unknown, path: readonly (string | number)[], marks: KeptMark[]): Json {
  if (isSlot(value)) return keptAsset(value[slotKey], value.prefix);
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value))
    return eachUnmarked(value, path, marks, (item, at) => kept(isLeftOut(item) ? null : item, [...path, at], marks));
  if (!isRecord(value)) return (JSON.parse(JSON.stringify(value) ?? 'null') as Json) ?? null;
  if (typeof value['toJSON'] === 'function') return kept(JSON.parse(JSON.stringify(value)), path, marks);
  const fields: [string, Json][] = [];
  let place = 0;
  for (const [key, item] of Object.entries(value)) {
    if (isLeftOut(item)) continue;
    if (markKeys.has(key)) marks.push([path, place++, key, kept(item, [...path, key], [])]);
    else {
      const name = key.toWellFormed();
      fields.push([escaped.test(name) ? `$${name}` : name, kept(item, [...path, key], marks)]);
      place++;
    }
  }
  return Object.fromEntries(fields);
}

export function keptAsset({ id, size, mediaType }: Asset, prefix: string): KeptAsset {
  return { $asset: id, size, mediaType, ...(prefix !== '' && { prefix }) };
}

function isKeptAsset(value: object): value is KeptAsset {
  return '$asset' in value && typeof value.$asset === 'string';
}

/** The value with slots where media were, as it stood before it was kept. */
function unkept(value: Json): unknown {
  if (Array.isArray(value)) return value.map(unkept);
  if (!isRecord(value)) return value;
  if (isKeptAsset(value)) return slotOf(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [escaped.test(key) ? key.slice(1) : key, unkept(item)]),
  );
}

function slotOf({ $asset: id, size, mediaType, prefix = '' }: KeptAsset): string {
  return slot({ id, size, mediaType }, prefix);
}

/** The elements of a list, read from their text. */
export function elementsOf(texts: readonly string[]): KeptElement[] {
  return texts.map((text) => JSON.parse(text) as KeptElement);
}

/** The body with its marks in place and slots where media go: what `stream` writes. */
export function skeletonOf(body: KeptBody): Skeleton<unknown> {
  const fields = Object.fromEntries(
    body.order.map((field): [string, unknown] => {
      const texts = ownValue(body.lists, field);
      return [field, texts ? elementsOf(texts).map(elementValue) : unkept(ownValue(body.head, field) ?? null)];
    }),
  );
  const skeleton = body.marks.reduce<unknown>((whole, mark) => withMark(whole, mark), fields);
  const foreign = body.frame !== undefined || Object.values(body.lists).some((texts) => texts.some(isForeign));
  return foreign ? { skeleton, cuts: foreignCuts(body, skeleton) } : { skeleton };
}

const isForeign = (text: string): boolean => text.startsWith('{"text":');

function elementValue(element: KeptElement): unknown {
  return unkept(plainElement(element));
}

/** The values of a list's elements, whoever spelled them, without marks. */
export function plainElements(texts: readonly string[]): Json[] {
  return elementsOf(texts).map(plainElement);
}

/** A foreign element is read with a word for each of its media, which then takes their place. */
function plainElement(element: KeptElement): Json {
  if ('is' in element) return element.is;
  const media = new Map<string, KeptAsset>();
  const text = element.text
    .map((piece, at) => {
      if (typeof piece === 'string') return piece;
      media.set(`\u0001${at}`, piece);
      return `\\u0001${at}`;
    })
    .join('')
    .replace(/^[\s,]+/, '');
  const value = parsed(text);
  return value === undefined || isNestedTooDeeply(value) ? text : withMedia(kept(value, [], []), media);
}

function withMedia(value: Json, media: ReadonlyMap<string, KeptAsset>): Json {
  if (typeof value === 'string') {
    const at = value.indexOf('\u0001');
    const found = at < 0 ? undefined : media.get(value.slice(at));
    if (!found) return value;
    return at === 0 ? found : { ...found, prefix: value.slice(0, at) };
  }
  if (Array.isArray(value)) return value.map((item: Json) => withMedia(item, media));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withMedia(item, media)]));
}

function withMark(value: unknown, [path, place, key, mark]: KeptMark): unknown {
  const [first, ...rest] = path;
  if (first === undefined) {
    if (Array.isArray(value)) return value.toSpliced(place, 0, { [key]: mark });
    const fields = isRecord(value) ? Object.entries(value) : [];
    return Object.fromEntries([...fields.slice(0, place), [key, mark], ...fields.slice(place)]);
  }
  if (Array.isArray(value))
    return value.map((item: unknown, at) => (at === first ? withMark(item, [rest, place, key, mark]) : item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => [
      field,
      field === first ? withMark(item, [rest, place, key, mark]) : item,
    ]),
  );
}

/** The text of a body that another program wrote, cut at its slots. */
function foreignCuts({ order, lists, frame = [] }: KeptBody, skeleton: unknown): CutJson[] {
  const cuts: CutJson[] = [];
  const listFields = order.filter((field) => Object.hasOwn(lists, field));
  for (const [at, text] of frame.entries()) {
    cuts.push(textCut(text));
    const field = listFields[at];
    if (field === undefined) continue;
    const values = isRecord(skeleton) ? (skeleton[field] as unknown[]) : [];
    for (const [index, element] of elementsOf(lists[field] ?? []).entries()) {
      if ('text' in element)
        cuts.push(...element.text.map((piece) => (typeof piece === 'string' ? textCut(piece) : slotCut(piece))));
      else cuts.push(...(index > 0 ? [textCut(',')] : []), cutAtSlots(values[index]));
    }
  }
  return cuts;
}

function textCut(text: string): CutJson {
  return { parts: [text], length: utf8Length(text) };
}

/** The piece before it holds the quote and what stands in front of the base64. */
function slotCut(piece: KeptAsset): CutJson {
  const [, ...parts] = cutAtSlots(slotOf({ ...piece, prefix: '' })).parts;
  return { parts: parts.slice(0, 1), length: Math.ceil(piece.size / 3) * 4 };
}

/** Every medium of a body, as often as it stands there. */
export function assetsInBody(body: KeptBody): KeptAsset[] {
  return [...Object.values(body.lists).flatMap(elementsOf), ...Object.values(body.head)].flatMap(keptAssetsIn);
}

export function keptAssetsIn(value: unknown): KeptAsset[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isKeptAsset(value)) return [value];
  return Object.values(value).flatMap(keptAssetsIn);
}

/** Names the whole body: what its media are is in their hashes. */
export function bodyDigest({ order, head, lists, marks, frame }: KeptBody, known?: Map<string, string>): string {
  const of = (text: string): string => {
    const before = known?.get(text) ?? digest(text);
    known?.set(text, before);
    return before;
  };
  const listed = Object.entries(lists).map(([field, texts]) => [field, ...texts.map(of)]);
  return digest(JSON.stringify([order, head, listed, marks, frame ?? null]));
}
