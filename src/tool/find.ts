// Media hidden in structured values: any depth, any of the field names people use, JSON inside strings, bytes, Blobs.
// The value comes back as plain JSON with a note in each medium's place, and the media in the order of the value.
// The value given is never changed, and nothing in it (getters, cycles, `toJSON` that throws) makes this throw.
import type { MediaBlock } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { decodeBase64, parseDataUri } from '../content/base64.ts';
import { foundNote, keptNote } from '../content/describe.ts';
import type { Door } from '../content/ingest.ts';
import { attempt, fieldsOf, isRecord, toJsonText } from '../content/json.ts';
import { parseBlock } from '../content/parse.ts';
import { resolveBlock } from '../content/resolve.ts';
import { checkedMedia, guardText } from './guard.ts';
import { looksLikeMedia } from './run.ts';

/** Field names under which tools hand over a medium as base64. */
const mediaFields = new Set([
  'base64',
  'image',
  'screenshot',
  'base64_image',
  'base64Image',
  'data',
  'blob',
  'file_data',
]);

const maxDepth = 100;

export type Search = { value: unknown; media: MediaBlock[] };

/** Lifts every medium out of a value; the notes count on from `ordinal`. */
export async function findMedia(value: unknown, door: Door, ordinal = 1): Promise<Search> {
  const media: MediaBlock[] = [];
  const note = (block: MediaBlock): string => foundNote(block, ordinal + media.push(block) - 1);

  const visit = async (item: unknown, key: string, above: readonly unknown[]): Promise<unknown> => {
    if (typeof item === 'string') return visitString(item, key, above);
    if (typeof item === 'bigint') return item.toString();
    if (typeof item !== 'object' || item === null) return item;
    if (above.includes(item)) return '[circular]';
    const bytes = await bytesIn(item);
    if (bytes) return visitBytes(bytes);
    if (above.length > maxDepth) return visitText(toJsonText(item));
    const path = [...above, item];
    if (Array.isArray(item) || item instanceof Set) {
      const out: unknown[] = [];
      for (const element of item) out.push(await visit(element, key, path));
      return out;
    }
    if (item instanceof Error) return visitText(`${item.name}: ${item.message}`);
    const plain = attempt(() => ('toJSON' in item && typeof item.toJSON === 'function' ? item.toJSON() : item));
    if (plain !== item) return visit(plain, key, path);
    const parsed = attempt(() => parseBlock(item));
    // A path or a URL inside data is only words: whoever wrote the data must not choose what is opened here.
    if (isRecord(parsed) && isMedia(parsed as { type: string }) && 'data' in parsed) {
      const read = await resolveBlock(parsed as MediaBlock, door);
      if (read.ok && isMedia(read.value)) return note(read.value);
    }
    const out: [string, unknown][] = [];
    for (const [field, inner] of fieldsOf(item)) out.push([field, await visit(inner, field, path)]);
    return Object.fromEntries(out);
  };

  const visitString = async (text: string, key: string, above: readonly unknown[]): Promise<unknown> => {
    const body = parseDataUri(text)?.data ?? text;
    if (body !== text || looksLikeMedia(text) || (mediaFields.has(key) && text.length >= 24)) {
      const bytes = decodeBase64(body);
      const block = bytes && (await checkedMedia(bytes, door));
      if (block) return note(block);
    }
    const inner = above.length > maxDepth ? undefined : parseJson(text);
    if (inner !== undefined) {
      const before = media.length;
      const visited = await visit(inner, key, [...above, text]);
      if (media.length > before) return visited;
    }
    return visitText(text);
  };

  const visitText = async (text: string): Promise<string> => {
    const guarded = await guardText(text, door, ordinal + media.length);
    media.push(...guarded.media);
    return guarded.text;
  };

  const visitBytes = async (bytes: Uint8Array): Promise<unknown> => {
    const block = await checkedMedia(bytes, door);
    if (block) return note(block);
    const text = textIn(bytes);
    return text === undefined
      ? keptNote(await door.keep(bytes, { mediaType: 'application/octet-stream' }))
      : visitText(text);
  };

  return { value: await visit(value, '', []), media };
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
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // eslint-disable-next-line no-control-regex -- control characters are what tells binary from text
    return /[\u0000-\u0008\u000e-\u001a]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A number with more digits than JavaScript can count: such JSON is better left as it is written. */
const largeNumber = /[:[,]\s*-?\d{16,}/;

/** A string that is a JSON object or array, parsed; anything else is undefined. */
export function parseJson(text: string): unknown {
  const trimmed = text.trimStart().replace(/^\uFEFF/, '');
  if ((trimmed[0] !== '{' && trimmed[0] !== '[') || largeNumber.test(trimmed)) return undefined;
  try {
    return JSON.parse(trimmed);
  } catch {
    return undefined;
  }
}
