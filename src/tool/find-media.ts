// Media hidden in structured values: any depth, any of the field names people use, JSON inside strings, bytes, Blobs.
// The value comes back as plain JSON with a note in each medium's place, and the media in the order of the value.
// The value given is never changed, and nothing in it makes this throw.
import type { MediaBlock } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { decodeBase64, parseDataUri } from '../content/base64.ts';
import { foundNote } from '../content/words.ts';
import type { Intake } from '../content/intake.ts';
import type { MediaInput } from '../content/input.ts';
import { isRecord, toJsonText } from '../content/json.ts';
import { mediaKindOf } from '../content/parse.ts';
import type { Refusal } from '../content/refusal.ts';
import { resolveBlock } from '../content/intake.ts';
import { checkText, isKnown, keptOrTold, notShown } from './check.ts';
import { hasDigits, isCertain, looksLikeMedia } from './base64-runs.ts';
import type { ValuePlace, MediumPlace } from './walk.ts';
import { isNumbers, maxDepth, mayHoldMedia, mediaFields, opensJson, walk } from './walk.ts';
import { walkJson } from './walk-json.ts';

/** A longer text is not taken apart as JSON; media in it are found as in any other text. */
const maxJson = 16 * 1024 * 1024;

/** `whole` when every word of the value has been looked at, the names of its fields included. */
export type Search = { value: unknown; media: MediaBlock[]; refused: Refusal[]; whole: boolean };

/** Lifts every medium out of a value; the notes count on from `ordinal`. Of what was just parsed (`over` is `walkJson`) most is shared. */
export async function findMedia(
  value: unknown,
  intake: Intake,
  ordinal = 1,
  over: typeof walk = walk,
): Promise<Search> {
  const media: MediaBlock[] = [];
  const refused: Refusal[] = [];
  let whole = true;
  const note = (block: MediaBlock): string => foundNote(block, ordinal + media.push(block) - 1);

  const search = async (item: unknown, place: ValuePlace, step: typeof walk, asFields = false): Promise<unknown> => {
    const walked = step(item, place, asFields);
    if (!walked) return visitText(quickJson(item));
    whole &&= !walked.named;
    for (const slot of walked.slots) slot.put(await look(slot, step));
    return walked.root.value;
  };

  const look = (slot: MediumPlace, step: typeof walk): Promise<unknown> => {
    switch (slot.type) {
      case 'string':
        return lookAtString(slot.text, slot);
      case 'text':
        return visitText(slot.text);
      case 'bytes':
        return lookAtBytes(slot.value, slot, step);
      case 'block':
        return lookAtBlock(slot.block, slot.value, slot, step);
    }
  };

  const lookAtString = async (text: string, { key, above }: ValuePlace): Promise<unknown> => {
    const body = parseDataUri(text)?.data ?? text;
    if (body !== text || looksLikeMedia(text) || mediaFields.has(key)) {
      const bytes = decodeBase64(body);
      const read = bytes && (await intake.check(bytes));
      if (read?.ok && isMedia(read.value)) return note(read.value);
      if (bytes && read && !read.ok && isMeant(text, read.refusal)) return refuseBytes(bytes, read.refusal);
      // On one line there is nothing in it but what has just been checked.
      if (bytes && !/\s/.test(body)) return text;
    }
    const inner = above.length > maxDepth || !mayHoldMedia(text) ? undefined : parseJson(text);
    if (inner !== undefined) {
      const before = media.length + refused.length;
      const visited = await search(inner, { key, above: [...above, text] }, walkJson);
      if (media.length + refused.length > before) return visited;
    }
    return visitText(text);
  };

  const visitText = async (text: string): Promise<string> => {
    const guarded = await checkText(text, intake, ordinal + media.length);
    media.push(...guarded.media);
    refused.push(...guarded.refused);
    return guarded.text;
  };

  const lookAtBytes = async (given: object, place: ValuePlace, step: typeof walk): Promise<unknown> => {
    const bytes = await bytesIn(given);
    if (!bytes) return search(given, place, step, true);
    const read = await intake.check(bytes);
    if (read.ok && isMedia(read.value)) return note(read.value);
    const text = plainText(bytes);
    if (text !== undefined) return visitText(text);
    if (!read.ok && isKnown(read.refusal)) return refuseBytes(bytes, read.refusal);
    return keptOrTold(bytes, intake);
  };

  const refuseBytes = (bytes: Uint8Array, refusal: Refusal): Promise<string> => {
    refused.push(refusal);
    return notShown(refusal, bytes, intake);
  };

  const lookAtBlock = async (
    block: MediaInput,
    given: object,
    place: ValuePlace,
    step: typeof walk,
  ): Promise<unknown> => {
    const read = await resolveBlock(block, intake, 'tool');
    return read.ok && isMedia(read.value) ? note(read.value) : search(given, place, step, true);
  };

  const found = await search(value, { key: '', above: [] }, over);
  return { value: found, media, refused, whole };
}

/** A short string that only happens to begin like a medium is a string. */
function isMeant(text: string, refusal: Refusal): boolean {
  return isKnown(refusal) && (refusal.code !== 'corrupt' || isCertain(text) || text.length > 1000);
}

const typeFields = ['media_type', 'mediaType', 'mime_type', 'mimeType'];

/**
 * The file that a tool hands over by its `path` and a media type, and the fields beside these. A path alone, or one that
 * leads to nothing that can be shown, is data.
 */
export async function namedFile(
  { path, ...others }: Record<string, unknown>,
  intake: Intake,
): Promise<{ value: Record<string, unknown>; media: MediaBlock[] } | undefined> {
  const mediaType = typeFields.map((field) => others[field]).find((field) => typeof field === 'string');
  if (typeof path !== 'string' || mediaType === undefined) return undefined;
  const read = await resolveBlock({ type: mediaKindOf(mediaType), path, mediaType }, intake, 'tool');
  if (!read.ok || !isMedia(read.value)) return undefined;
  const beside = Object.entries(others).filter(([field]) => !typeFields.includes(field));
  return { value: Object.fromEntries(beside), media: [read.value] };
}

/** JSON of a value of very many parts, by the platform itself where that can write it. */
function quickJson(value: unknown): string {
  try {
    return JSON.stringify(value, numbersAsList) ?? toJsonText(value);
  } catch {
    return toJsonText(value);
  }
}

function numbersAsList(_key: string, item: unknown): unknown {
  return typeof item === 'object' && item !== null && isNumbers(item) ? Array.from(item) : item;
}

/** Bytes in the forms that turn up inside results, a Buffer that went through JSON among them. */
export async function bytesIn(value: unknown): Promise<Uint8Array | undefined> {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value instanceof DataView || value instanceof Uint8ClampedArray) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  if (value instanceof Blob) return new Uint8Array(await value.arrayBuffer());
  if (value instanceof Response) return value.bodyUsed ? undefined : new Uint8Array(await value.arrayBuffer());
  if (!isRecord(value) || value['type'] !== 'Buffer' || !Array.isArray(value['data'])) return undefined;
  const data: unknown[] = value['data'];
  return data.every((byte) => typeof byte === 'number') ? Uint8Array.from(data) : undefined;
}

/** Bytes that are plain text, such as the output of a program; undefined for anything binary. */
export function plainText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // eslint-disable-next-line no-control-regex -- control characters are what tells binary from text
    return /[\u0000-\u0008\u000e-\u001a]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Whether a number in it has more digits than JavaScript can count: such JSON is better left as it is written. Most has no
 * row of so many digits anywhere, which is known soon; a long picture has, but hardly a place where a number could begin. */
function hasLargeNumber(text: string): boolean {
  const middle = text.length >> 1;
  const isDense = /[:[,]/.test(text.slice(middle, middle + 1000));
  return (!isDense || hasDigits(text, 16)) && /[:[,]\s*-?\d{16,}/.test(text);
}

/** A string that is a JSON object or array, parsed; anything else is undefined. */
export function parseJson(text: string): unknown {
  if (!opensJson(text) || text.length > maxJson || hasLargeNumber(text)) return undefined;
  try {
    return JSON.parse(text.trimStart()); // a byte order mark at its beginning goes as white space does
  } catch {
    return undefined;
  }
}
