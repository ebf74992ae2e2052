// The only base64 in the project. Bytes come in, ASCII bytes or text go out, and back. Encoding is the platform's own
// where it has one, else a table.
// Decoding takes what people really send (line breaks, URL-safe letters, no padding) and refuses everything else.

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const equals = 61;

const codes: Uint8Array = new Uint8Array(64);
const values: Uint8Array = new Uint8Array(128).fill(255);
for (let index = 0; index < 64; index++) {
  const code = alphabet.charCodeAt(index);
  codes[index] = code;
  values[code] = index;
}
values['-'.charCodeAt(0)] = 62;
values['_'.charCodeAt(0)] = 63;

/** How many characters the base64 of so many bytes has. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

type NodeBytes = { toString: (encoding: 'base64') => string };
type NodeBuffer = {
  from(bytes: ArrayBufferLike, start: number, length: number): NodeBytes;
  from(text: string, encoding: 'base64'): Uint8Array;
};
type Platform = { Buffer?: NodeBuffer };

/** The platform's own encoder: `toBase64` (ES2026) or, where that is missing, Node's `Buffer`. */
function nativeBase64(bytes: Uint8Array & { toBase64?: () => string }): string | undefined {
  if (bytes.toBase64) return bytes.toBase64();
  const { Buffer: nodeBuffer } = globalThis as Platform;
  return nodeBuffer?.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}

/** Whole triples whose text is a small object for V8 (under 128 KB); large ones cost twice the time. */
const sliceBytes = 48 * 1024;

/**
 * The base64 of a whole byte array, as ASCII bytes. The way over short strings is the fast one, and it keeps memory low:
 * they fill the young heap, so dead chunks are collected long before V8 would do so for byte arrays alone (32 MB).
 */
function encodeBase64Bytes(bytes: Uint8Array, into?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const length = base64Length(bytes.length);
  const out = into && into.length >= length ? into.subarray(0, length) : new Uint8Array(length);
  const encoder = new TextEncoder();
  let to = 0;
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    const text = nativeBase64(bytes.subarray(from, from + sliceBytes));
    if (text === undefined) return encodeByTable(bytes);
    to += encoder.encodeInto(text, out.subarray(to)).written;
  }
  return out;
}

export function encodeBase64(bytes: Uint8Array): string {
  return nativeBase64(bytes) ?? new TextDecoder().decode(encodeByTable(bytes));
}

/** The same in plain JavaScript, for platforms without an encoder. */
export function encodeByTable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(base64Length(bytes.length)).fill(equals);
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    const bits = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    out[to] = codes[bits >> 18] ?? 0;
    out[to + 1] = codes[(bits >> 12) & 63] ?? 0;
    if (from + 1 < bytes.length) out[to + 2] = codes[(bits >> 6) & 63] ?? 0;
    if (from + 2 < bytes.length) out[to + 3] = codes[bits & 63] ?? 0;
  }
  return out;
}

/** Encodes a stream of chunks of any length as one base64 text; the bytes of a split triple wait for the next chunk.
 * `into` is used again for every chunk that fits it, for readers that are done with one before they ask for the next. */
export async function* encodeBase64Stream(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  into?: Uint8Array<ArrayBuffer>,
): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    let bytes = chunk;
    if (rest.length > 0) {
      const take = Math.min(chunk.length, 3 - rest.length);
      const triple = new Uint8Array(rest.length + take);
      triple.set(rest);
      triple.set(chunk.subarray(0, take), rest.length);
      bytes = chunk.subarray(take);
      if (triple.length < 3) {
        rest = triple;
        continue;
      }
      yield encodeBase64Bytes(triple, into);
    }
    const whole = bytes.length - (bytes.length % 3);
    rest = new Uint8Array(bytes.subarray(whole)); // a copy, which a slice of Node's `Buffer` would not be
    if (whole > 0) yield encodeBase64Bytes(bytes.subarray(0, whole), into);
  }
  if (rest.length > 0) yield encodeBase64Bytes(rest, into);
}

/** The platform's own decoder, for text that is nothing but letters and padding: it passes over anything else, and then gives
 * fewer bytes than so many letters have. */
function nativeBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  const { Buffer: nodeBuffer } = globalThis as Platform;
  let end = text.length;
  while (end > text.length - 2 && text.charCodeAt(end - 1) === equals) end--;
  if (!nodeBuffer || end % 4 === 1 || (end < text.length && text.length % 4 !== 0)) return undefined;
  const bytes = nodeBuffer.from(text, 'base64');
  if (bytes.length !== Math.floor((end * 3) / 4)) return undefined;
  return isAlone(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) : new Uint8Array(bytes);
}

/** Small ones of Node share a buffer with others. */
function isAlone(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.length;
}

/** The bytes behind base64 text, or undefined when it is not base64. White space and both alphabets are accepted. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const native = text.length < 1024 ? undefined : nativeBytes(text);
  if (native) return native;
  const out = new Uint8Array(Math.floor((text.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let have = 0;
  let padding = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 10 || code === 13 || code === 32 || code === 9) continue;
    if (code === equals) {
      padding++;
      continue;
    }
    const value = code < 128 ? (values[code] ?? 255) : 255;
    if (value === 255 || padding > 0) return undefined;
    bits = ((bits << 6) | value) & 0xffffff;
    if (++have === 4) {
      out[length++] = bits >> 16;
      out[length++] = (bits >> 8) & 255;
      out[length++] = bits & 255;
      have = 0;
    }
  }
  if (have === 1 || padding > 2 || (padding > 0 && (have + padding) % 4 !== 0)) return undefined;
  if (have >= 2) out[length++] = have === 2 ? (bits >> 4) & 255 : (bits >> 10) & 255;
  if (have === 3) out[length++] = (bits >> 2) & 255;
  return out.slice(0, length);
}

/** A data URI taken apart. Only base64 ones carry media; others give undefined. */
export function parseDataUri(text: string): { mediaType: string; data: string } | undefined {
  const head = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)?(?:;[a-z0-9=._"-]+)*;base64,/i.exec(text.slice(0, 200));
  if (!head) return undefined;
  const mediaType = (head[1] ?? 'application/octet-stream').toLowerCase();
  return { mediaType, data: plainLetters(text.slice(head[0].length)) };
}

/** Letters, padding and line breaks as they are, where a URI writes them by their codes. */
export function plainLetters(text: string): string {
  if (!text.includes('%')) return text;
  return text.replaceAll(/%(?:2b|2f|3d|0a|0d)/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}
