// Amazon's binary event streams (application/vnd.amazon.eventstream), read and written. A message is its length, the
// length of its headers and a checksum of both; then headers, a payload of JSON, and a checksum of all that.
import { concat } from './splitter.ts';
import type { Splitter } from './splitter.ts';

/** The longest message that is believed; Amazon's own limit for a payload is 16 MiB, and its headers take 128 KiB at most. */
const longest = 16 * 1024 * 1024 + 256 * 1024;

/** Two lengths and their checksum before the headers, one more checksum at the end. */
const prelude = 12;
const least = prelude + 4;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 as zip and PNG have it. */
function checksum(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) value = (value >>> 8) ^ (table[(value ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return (value ^ 0xffffffff) >>> 0;
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Hands on each message as JSON text: `{ "contentBlockDelta": {…} }`, or `{ "error": {…} }` for an exception. */
export function eventStream(emit: (text: string) => void): Splitter {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let needed = prelude;
  let wrong: string | undefined;

  function take(whole: Uint8Array): Uint8Array {
    let rest = whole;
    while (rest.length >= prelude && wrong === undefined) {
      const { length, damage } = lengthOf(rest);
      if (damage !== undefined) wrong = damage;
      if (damage !== undefined || rest.length < length) {
        needed = length;
        return rest;
      }
      const message = rest.subarray(0, length);
      if (checksum(message.subarray(0, length - 4)) !== view(message).getUint32(length - 4))
        wrong = 'A message of the event stream is damaged: its checksum does not fit its bytes.';
      else wrong = hand(message, emit);
      rest = rest.subarray(length);
    }
    needed = prelude;
    return rest;
  }
  return {
    push(bytes) {
      if (wrong !== undefined) return;
      held.push(bytes);
      heldBytes += bytes.length;
      if (heldBytes < needed) return;
      const rest = take(held.length === 1 ? bytes : concat(held, heldBytes));
      held = rest.length === 0 ? [] : [rest.slice()];
      heldBytes = rest.length;
    },
    end: () => undefined, // a message without its end was cut off
    waiting: () => heldBytes,
    stray: () => '',
    wrong: () => wrong,
  };
}

function lengthOf(bytes: Uint8Array): { length: number; damage?: string } {
  const head = view(bytes);
  const [length, headers] = [head.getUint32(0), head.getUint32(4)];
  if (checksum(bytes.subarray(0, 8)) !== head.getUint32(8))
    return { length, damage: 'The event stream is damaged: the checksum of a length does not fit it.' };
  if (length < least + headers || length > longest)
    return { length, damage: `The event stream is damaged: a message says that it has ${length} bytes.` };
  return { length };
}

/** Hands on what a message says, or tells why nobody can. */
function hand(message: Uint8Array, emit: (text: string) => void): string | undefined {
  const end = prelude + view(message).getUint32(4);
  const headers = readHeaders(message.subarray(prelude, end));
  if (!headers) return 'A header of the event stream is of no known kind.';
  const payload = new TextDecoder().decode(message.subarray(end, message.length - 4));
  const named = (name: string): string => headers.get(name) ?? '';
  switch (headers.get(':message-type')) {
    case 'exception':
      emit(`{"error":${withType(payload, named(':exception-type'))}}`);
      return undefined;
    case 'error':
      emit(JSON.stringify({ error: { type: named(':error-code'), message: named(':error-message') } }));
      return undefined;
    default:
      emit(`{${JSON.stringify(named(':event-type'))}:${payload === '' ? '{}' : payload}}`);
      return undefined;
  }
}

/** An exception says in a header what it is, and in its payload why. */
function withType(payload: string, type: string): string {
  const inner = /^\s*\{([^]*)\}\s*$/.exec(payload)?.[1]?.trim();
  if (inner === undefined) return JSON.stringify({ type, message: payload });
  return `{"type":${JSON.stringify(type)}${inner === '' ? '' : `,${inner}`}}`;
}

/** How many bytes a value of each kind takes; those of two bytes of length first say theirs. */
const fixed: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16];

const words = 7;

/** The headers that are words; the others are passed over. */
function readHeaders(bytes: Uint8Array): Map<string, string> | undefined {
  const headers = new Map<string, string>();
  const text = new TextDecoder();
  for (let at = 0; at < bytes.length;) {
    const nameEnd = at + 1 + (bytes[at] ?? 0);
    const kind = bytes[nameEnd];
    const isSized = kind === 6 || kind === words;
    const start = nameEnd + (isSized ? 3 : 1);
    if (kind === undefined || kind >= fixed.length || start > bytes.length) return undefined;
    const size = isSized ? view(bytes).getUint16(nameEnd + 1) : (fixed[kind] ?? 0);
    if (start + size > bytes.length) return undefined;
    if (kind === words)
      headers.set(text.decode(bytes.subarray(at + 1, nameEnd)), text.decode(bytes.subarray(start, start + size)));
    at = start + size;
  }
  return headers;
}

/** One message with headers of words, as a server of this framing sends it. */
export function eventMessage(headers: Readonly<Record<string, string>>, payload: string): Uint8Array {
  const text = new TextEncoder();
  const parts = Object.entries(headers).flatMap(([name, value]) => {
    const [its, said] = [text.encode(name), text.encode(value)];
    return [Uint8Array.of(its.length), its, Uint8Array.of(words, said.length >>> 8, said.length & 0xff), said];
  });
  const headerBytes = parts.reduce((sum, { length }) => sum + length, 0);
  const body = text.encode(payload);
  const length = least + headerBytes + body.length;
  const message = concat([new Uint8Array(prelude), ...parts, body, new Uint8Array(4)], length);
  const out = view(message);
  out.setUint32(0, length);
  out.setUint32(4, headerBytes);
  out.setUint32(8, checksum(message.subarray(0, 8)));
  out.setUint32(length - 4, checksum(message.subarray(0, length - 4)));
  return message;
}
