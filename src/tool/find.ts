// Media hidden in structured values: any depth, any of the field names people use, JSON inside strings, byte arrays.
// The value comes back with a note in each medium's place, and the media in stable order (keys in their own order).
import type { MediaBlock } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { decodeBase64, parseDataUri } from '../content/base64.ts';
import { foundNote, keptNote } from '../content/describe.ts';
import type { Door } from '../content/ingest.ts';
import { isRecord } from '../content/json.ts';
import { parseBlock } from '../content/parse.ts';
import { resolveBlock } from '../content/resolve.ts';
import { checkedMedia, guardText, looksLikeMedia } from './guard.ts';

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

const maxDepth = 32;

export type Search = { value: unknown; media: MediaBlock[] };

/** Lifts every medium out of a value. The value given is never changed. */
export async function findMedia(value: unknown, door: Door): Promise<Search> {
  const media: MediaBlock[] = [];
  const note = (block: MediaBlock): string => foundNote(block, media.push(block));

  const visit = async (item: unknown, key: string, depth: number, above: readonly unknown[]): Promise<unknown> => {
    if (typeof item === 'string') return visitString(item, key, depth, above);
    const bytes = bytesIn(item);
    if (bytes) return visitBytes(bytes);
    if (typeof item !== 'object' || item === null) return item;
    if (depth > maxDepth || above.includes(item)) return item;
    const path = [...above, item];
    if (Array.isArray(item)) {
      const out: unknown[] = [];
      for (const element of item) out.push(await visit(element, key, depth + 1, path));
      return out;
    }
    if (!isRecord(item) || typeof item['toJSON'] === 'function') return item;
    const parsed = parseBlock(item);
    if (parsed && isMedia(parsed)) {
      const read = await resolveBlock(parsed, door);
      if (read.ok && isMedia(read.value)) return note(read.value);
    }
    const out: Record<string, unknown> = {};
    for (const [field, inner] of Object.entries(item)) out[field] = await visit(inner, field, depth + 1, path);
    return out;
  };

  const visitString = async (text: string, key: string, depth: number, above: readonly unknown[]): Promise<unknown> => {
    const body = parseDataUri(text)?.data ?? text;
    if (body !== text || looksLikeMedia(text) || (mediaFields.has(key) && text.length >= 24)) {
      const bytes = decodeBase64(body);
      const block = bytes && (await checkedMedia(bytes, door));
      if (block) return note(block);
    }
    const inner = parseJson(text);
    if (inner !== undefined) {
      const before = media.length;
      const visited = await visit(inner, key, depth + 1, above);
      if (media.length > before) return visited;
    }
    const guarded = await guardText(text, door, media.length + 1);
    media.push(...guarded.media);
    return guarded.text;
  };

  const visitBytes = async (bytes: Uint8Array): Promise<unknown> => {
    const block = await checkedMedia(bytes, door);
    return block ? note(block) : keptNote(await door.keep(bytes, { mediaType: 'application/octet-stream' }));
  };

  return { value: await visit(value, '', 0, []), media };
}

/** Bytes in the forms that turn up inside results, a Buffer that went through JSON among them. */
export function bytesIn(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (!isRecord(value) || value['type'] !== 'Buffer' || !Array.isArray(value['data'])) return undefined;
  const data: unknown[] = value['data'];
  return data.every((byte) => typeof byte === 'number') ? Uint8Array.from(data) : undefined;
}

/** A string that is a JSON object or array, parsed; anything else is undefined. */
export function parseJson(text: string): unknown {
  const start = text.trimStart()[0];
  if (start !== '{' && start !== '[') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
