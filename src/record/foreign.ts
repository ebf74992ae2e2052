// The text of a body that another program wrote → the body as it is kept. What is spelled as we would is kept as its
// value, the rest as its text, so that the very bytes come back; long base64 becomes media either way.
import type { Asset } from '../content/block.ts';
import { decodeBase64, encodeBase64 } from '../content/base64.ts';
import { fewAtOnce } from '../content/few-at-once.ts';
import { isRecord, parsed } from '../content/json.ts';
import { slot } from '../wire/json-slots.ts';
import { isNestedTooDeeply, keptAsset, keptBody } from './body.ts';
import type { KeptBody, KeptElement, KeptPiece } from './body.ts';

/** Stores bytes that stood in a body. */
export type PutMedium = (bytes: Uint8Array) => Promise<Asset>;

/** Media that were put before, by the digest of their base64: a conversation sends the same ones with every turn. */
export type PutBefore = { get: (key: string) => Asset | undefined; set: (key: string, asset: Asset) => void };

/** What is no JSON object is kept as one text. Without `put`, base64 stays in the texts. */
export async function foreignBody(text: string, put?: PutMedium, before?: PutBefore): Promise<KeptBody> {
  const whole: KeptBody = { order: [], head: {}, lists: {}, marks: [], frame: [text] };
  const cut = cutLists(text);
  if (!cut) return whole;
  const long = new Map<string, LongString[][]>();
  for (const { field, elements } of cut.lists) {
    if (long.has(field)) return whole; // the same field twice
    long.set(
      field,
      elements.map(([from, to]) => (put ? longStrings(text.slice(from, to)) : [])),
    );
  }
  const letters = new Set([...long.values()].flat(2).map(({ base64 }) => base64));
  const media = put ? await mediaIn(letters, put, before) : new Map<string, Asset>();
  const lists = new Map(
    cut.lists.map(({ field, elements }): [string, Piece[][]] => [
      field,
      elements.map(([from, to], at) => piecesOf(text.slice(from, to), long.get(field)?.[at] ?? [], media)),
    ]),
  );
  const frame = cut.frame.map(([from, to]) => text.slice(from, to));
  return bodyFrom(frame, lists) ?? whole;
}

/** Text, or a medium in it. */
type Piece = string | { asset: Asset };

function bodyFrom(frame: readonly string[], lists: ReadonlyMap<string, Piece[][]>): KeptBody | undefined {
  const outer = parsed(frame.join(''));
  if (!isRecord(outer) || isNestedTooDeeply(outer)) return undefined;
  const named = Object.keys(outer).filter((field) => lists.has(field));
  if (named.join('\n') !== [...lists.keys()].join('\n')) return undefined; // names that are numbers change places
  const values = new Map([...lists].map(([field, elements]) => [field, elements.map(valueOf)]));
  const isOurs = [...values.values()].every((elements) => elements.every((element) => element !== undefined));
  if (isOurs && JSON.stringify(outer) === frame.join('')) {
    const fields = Object.entries(outer).map(([field, value]) => [field, values.get(field) ?? value]);
    return keptBody(Object.fromEntries(fields));
  }
  const kept = keptBody(Object.fromEntries(Object.entries(outer).filter(([field]) => !lists.has(field))));
  const texts = [...lists].map(([field, elements]): [string, string[]] => [field, elements.map(textElement)]);
  const marked = new Set(kept.marks.map(([, , key]) => key));
  return {
    ...kept,
    order: Object.keys(outer).filter((field) => !marked.has(field)),
    lists: Object.fromEntries(texts),
    marks: [],
    frame,
  };
}

function textElement(pieces: readonly Piece[]): string {
  const element: KeptElement = {
    text: pieces.map((piece): KeptPiece => (typeof piece === 'string' ? piece : keptAsset(piece.asset, ''))),
  };
  return JSON.stringify(element);
}

/** The value of an element that is spelled as we would, behind a comma or nothing. */
function valueOf(pieces: readonly Piece[], at: number): unknown {
  const lead = at > 0 ? ',' : '';
  const [first, ...rest] = pieces;
  if (typeof first !== 'string' || !first.startsWith(lead)) return undefined;
  const own: Piece[] = [first.slice(lead.length), ...rest];
  const text = own.map((piece, index) => (typeof piece === 'string' ? piece : `\\u0001${index}`)).join('');
  const value = parsed(text);
  if (value === undefined || isNestedTooDeeply(value) || JSON.stringify(value) !== text) return undefined;
  return filled(value, own);
}

/** Marks in the value become the media they stand for. */
function filled(value: unknown, pieces: readonly Piece[]): unknown {
  if (typeof value === 'string') {
    const at = value.indexOf('\u0001');
    const piece = at < 0 ? undefined : pieces[Number(value.slice(at + 1))];
    return typeof piece === 'object' ? slot(piece.asset, value.slice(0, at)) : value;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => filled(item, pieces));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, pieces)]));
}

/** What is shorter stays text. */
const shortest = 1024;
const uriMark = ';base64,';
const beginsAsBase64 = /^[A-Za-z0-9+/]{1000}/;

/** A string that may be a medium, and where its letters stand. */
type LongString = { base64: string; from: number; to: number };

function longStrings(text: string): LongString[] {
  const found: LongString[] = [];
  for (let open = text.indexOf('"'); open >= 0;) {
    const to = closingQuote(text, open);
    if (to < 0) break;
    if (to - open > shortest) {
      const mark = text.slice(open, open + 200).indexOf(uriMark);
      const from = mark < 0 ? open + 1 : open + mark + uriMark.length;
      if (to - from >= shortest && (to - from) % 4 === 0 && beginsAsBase64.test(text.slice(from, from + shortest)))
        found.push({ base64: text.slice(from, to), from, to });
    }
    open = text.indexOf('"', to + 1);
  }
  return found;
}

function piecesOf(text: string, long: readonly LongString[], media: ReadonlyMap<string, Asset>): Piece[] {
  const pieces: Piece[] = [];
  let copied = 0;
  for (const { base64, from, to } of long) {
    const asset = media.get(base64);
    if (!asset) continue;
    pieces.push(text.slice(copied, from), { asset });
    copied = to;
  }
  return [...pieces, text.slice(copied)];
}

/** So many digests are made in the same time, by other threads. */
const abreast = 8;

/** The media behind long strings; those that were never put are, one after the other. */
async function mediaIn(
  letters: ReadonlySet<string>,
  put: PutMedium,
  before: PutBefore | undefined,
): Promise<Map<string, Asset>> {
  const few = fewAtOnce(abreast);
  const keys = before && (await Promise.all([...letters].map((base64) => few(() => digestOf(base64)))));
  const media = new Map<string, Asset>();
  for (const [at, base64] of [...letters].entries()) {
    const key = keys?.[at];
    const known = key === undefined ? undefined : before?.get(key);
    const asset = known ?? (await mediumIn(base64, put));
    if (!asset) continue;
    media.set(base64, asset);
    if (key !== undefined && !known) before?.set(key, asset);
  }
  return media;
}

/** Only what is spelled as we spell it can be spelled again. */
async function mediumIn(base64: string, put: PutMedium): Promise<Asset | undefined> {
  const bytes = decodeBase64(base64);
  return bytes && encodeBase64(bytes) === base64 ? await put(bytes) : undefined;
}

async function digestOf(text: string): Promise<string> {
  return encodeBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

function closingQuote(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let back = at - 1;
    while (text.charCodeAt(back) === 0x5c) back--;
    if ((at - back) % 2 === 1) return at;
  }
  return -1;
}

type Span = readonly [from: number, to: number];
type CutLists = { frame: Span[]; lists: { field: string; elements: Span[] }[] };

/** Where the lists of a body begin and end, and each of their elements with what stands before it. */
function cutLists(text: string): CutLists | undefined {
  const [frame, lists]: [Span[], CutLists['lists']] = [[], []];
  let [depth, key, lastString, frameFrom, from]: [number, string, string, number, number] = [0, '', '', 0, -1];
  let elements: Span[] | undefined;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = closingQuote(text, at);
        if (end < 0) return undefined;
        if (depth === 1) lastString = text.slice(at, end + 1);
        at = end;
        break;
      }
      case 0x3a: // :
        if (depth === 1) key = String(parsed(lastString));
        break;
      case 0x2c: // ,
        if (elements && depth === 2) {
          elements.push([from, at]);
          from = at;
        }
        break;
      case 0x5b: // [
        if (depth === 1) {
          elements = [];
          lists.push({ field: key, elements });
          frame.push([frameFrom, at + 1]);
          from = at + 1;
        }
        depth++;
        break;
      case 0x7b: // {
        depth++;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        if (elements && depth === 1) {
          if (text.slice(from, at).trim() !== '') elements.push([from, at]);
          frameFrom = elements.length === 0 ? from : at;
          elements = undefined;
        }
    }
  }
  frame.push([frameFrom, text.length]);
  return depth === 0 ? { frame, lists } : undefined;
}
