// Media hidden in structured values: any depth, any of the field names people use, JSON inside strings, bytes, Blobs.
// The value comes back as plain JSON with a note in each medium's place, and the media in the order of the value.
// The value given is never changed, and nothing in it makes this throw.
import type { MediaBlock } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { parseDataUri } from '../content/base64.ts';
import { errorText, foundNote, unshownFile, unshownNote } from '../content/words.ts';
import type { Intake } from '../content/intake.ts';
import type { MediaInput } from '../content/input.ts';
import { attempt, fieldsOf, hasEntries, isRecord, isShared, notThere, toJsonText } from '../content/json.ts';
import { safeName } from '../content/text.ts';
import type { Refusal } from '../content/refusal.ts';
import { resolveBlock } from '../content/intake.ts';
import { checkText, isKnown, keptInWords, notShown } from './check.ts';
import { bytesOfLetters, hasDigits, isCertain, looksLikeMedia } from './base64-runs.ts';
import { bytesOfResponse, isResponse } from './streams.ts';
import type { ValuePlace, MediumPlace } from './walk.ts';
import {
  besideFile,
  fileIn,
  isJsonBuffer,
  isNumbers,
  maxDepth,
  mayHoldMedia,
  mediaFields,
  opensJson,
  plainLeaf,
  walk,
} from './walk.ts';
import { walkJson } from './walk-json.ts';

/** A longer text is not taken apart as JSON; media in it are found as in any other text. */
const maxJson = 16 * 1024 * 1024;

/** `whole` when every word of the value has been looked at, the names of its fields included; `unshown` are words for files that
 * it names and that are not shown. */
export type Search = { value: unknown; media: MediaBlock[]; refused: Refusal[]; unshown: string[]; whole: boolean };

/** Lifts every medium out of a value; the notes count on from `ordinal`. Of what was just parsed (`over` is `walkJson`) most is
 * shared. Files that it hands over by reference are opened where `files` says so. */
export async function findMedia(
  value: unknown,
  intake: Intake,
  ordinal = 1,
  over: typeof walk = walk,
  files = false,
): Promise<Search> {
  const media: MediaBlock[] = [];
  const refused: Refusal[] = [];
  const unshown: string[] = [];
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
      case 'file':
        return lookAtFile(slot.block, slot.value, slot, step);
    }
  };

  const lookAtString = async (text: string, { key, above }: ValuePlace): Promise<unknown> => {
    const body = parseDataUri(text)?.data ?? text;
    if (body !== text || looksLikeMedia(text) || mediaFields.has(key)) {
      const bytes = bytesOfLetters(body)?.bytes;
      const read = bytes && (await intake.check(bytes));
      if (read?.ok && isMedia(read.value)) return note(calledBeside(read.value, { key, above }));
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
    let bytes: Uint8Array | undefined;
    try {
      bytes = await bytesIn(given);
    } catch (error) {
      const refusal = unreadBytes(error);
      refused.push(refusal);
      return unshownNote(refusal);
    }
    if (!bytes) return search(given, place, step, true);
    const read = await intake.check(bytes);
    if (read.ok && isMedia(read.value)) return note(calledBeside(read.value, place, given));
    const text = plainText(bytes);
    if (text !== undefined) return visitText(text);
    if (!read.ok && isKnown(read.refusal)) return refuseBytes(bytes, read.refusal);
    return keptInWords(bytes, intake);
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

  const lookAtFile: typeof lookAtBlock = async (file, given, place, step) => {
    const read = await resolveBlock(file, intake, 'tool');
    if (!read.ok || !isMedia(read.value)) {
      if (!read.ok) unshown.push(...fileNote(file, read.refusal));
      return search(given, place, step, true);
    }
    const shown = note(read.value);
    const others = besideFile(given);
    if (Object.keys(others).length === 0) return shown;
    const beside = await search(others, place, step, true);
    return isRecord(beside) ? { path: shown, ...beside } : { path: shown, beside };
  };

  const found = await search(value, { key: '', above: [], files }, over);
  return { value: found, media, refused, unshown, whole };
}

const nameFields = ['filename', 'file_name', 'fileName', 'name'];

/** A medium by the name of its file, or by the one that stands beside it where tools put their bytes. */
function calledBeside(block: MediaBlock, { key, above }: ValuePlace, given?: object): MediaBlock {
  const holder = above.at(-1);
  const fields = isRecord(holder) && (mediaFields.has(key) || key === 'content') ? nameFields : [];
  const names = fields.map((field) => attempt(() => (holder as Record<string, unknown>)[field]));
  const own = given instanceof Blob && 'name' in given ? given.name : undefined;
  const name = own ?? names.find((one) => typeof one === 'string' && /\.\w{1,5}$/.test(one));
  return typeof name === 'string' ? { ...block, asset: { ...block.asset, name: safeName(name) } } : block;
}

/** A short string that only happens to begin like a medium is a string. */
function isMeant(text: string, refusal: Refusal): boolean {
  return isKnown(refusal) && (refusal.code !== 'corrupt' || isCertain(text) || text.length > 1000);
}

/**
 * The file that a tool hands over by its `path` and a media type, and the fields beside these; where it cannot be shown, why. A
 * path alone, or one that leads to what is no medium, is data.
 */
export async function namedFile(
  value: Record<string, unknown>,
  intake: Intake,
): Promise<{ value: Record<string, unknown>; media: MediaBlock[]; unshown: string[] } | undefined> {
  const file = fileIn(value);
  if (!file) return undefined;
  const read = await resolveBlock(file, intake, 'tool');
  if (!read.ok) return { value, media: [], unshown: fileNote(file, read.refusal) };
  return isMedia(read.value) ? { value: besideFile(value), media: [read.value], unshown: [] } : undefined;
}

/** What stands for a file that is not shown; words of a program are data, and need none. */
function fileNote({ path = '' }: MediaInput, refusal: Refusal): string[] {
  return isKnown(refusal) ? [unshownFile(path, refusal)] : [];
}

/** More parts are left to `toJsonText`, which has an end: they may be few, each of which stands in the value again and again. */
const mostQuick = 8_000_000;

/** JSON of a value of very many parts, by the platform itself where that can write it. */
function quickJson(value: unknown): string {
  let parts = 0;
  const written = (_key: string, item: unknown): unknown => {
    if (++parts > mostQuick) throw new RangeError('It has too many parts.');
    if (typeof item === 'object' && item !== null) return writable(item);
    return item === undefined ? item : plainLeaf(item);
  };
  try {
    return JSON.stringify(value, written) ?? toJsonText(value);
  } catch {
    return toJsonText(value);
  }
}

/** What the platform would write as an empty object, or a number at a time, in a form that it can write. */
function writable(item: object): unknown {
  const absent = notThere(item);
  if (absent !== undefined) return absent;
  if (item instanceof Error) return errorText(item);
  if (hasEntries(item)) return Object.fromEntries(fieldsOf(item));
  if (item instanceof Set || isNumbers(item)) return Array.from<unknown>(item);
  if (item instanceof Blob || isResponse(item)) return '[bytes that were not read]';
  const bytes = viewOf(item);
  return bytes ? { type: 'Buffer', data: Array.from(bytes) } : item; // the guard of texts knows it
}

/** Bytes in the forms that turn up inside results, a Buffer that went through JSON among them. Shared ones are copied. */
export async function bytesIn(value: unknown): Promise<Uint8Array | undefined> {
  const bytes = viewOf(value);
  if (bytes) return isShared(bytes.buffer) ? new Uint8Array(bytes) : bytes;
  if (value instanceof Blob) return new Uint8Array(await value.arrayBuffer());
  if (!isRecord(value)) return undefined;
  if (isResponse(value)) return bytesOfResponse(value);
  if (!isJsonBuffer(value)) return undefined;
  const data = value['data'] as unknown[];
  return data.every((byte) => typeof byte === 'number') ? Uint8Array.from(data) : undefined;
}

/** Bytes that cannot be had: of a response that was read before, say, or of a file that has changed. */
function unreadBytes(error: unknown): Refusal {
  const why = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
  return { code: 'corrupt', what: `Its bytes could not be read: ${why}`, next: 'Return the bytes themselves.' };
}

/** Bytes that are in memory. Throws for those that went to another thread: what is left of them looks as if it were empty. */
function viewOf(value: unknown): Uint8Array | undefined {
  const isView = value instanceof Uint8Array || value instanceof Uint8ClampedArray || value instanceof DataView;
  const memory = isView ? value.buffer : value;
  if (!(memory instanceof ArrayBuffer) && !isShared(memory)) return undefined;
  if (memory instanceof ArrayBuffer && memory.detached)
    throw new Error('their memory was handed on to another thread, and is gone here');
  if (value instanceof Uint8Array) return value;
  return isView ? new Uint8Array(memory, value.byteOffset, value.byteLength) : new Uint8Array(memory);
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
