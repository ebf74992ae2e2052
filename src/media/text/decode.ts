// Bytes in, text out when they are text: UTF-8 with or without a mark, UTF-16 with one. Anything else is binary.

/** The text of these bytes, or nothing when they are no text; nothing is ever replaced or guessed. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decode(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decode(bytes, 'utf-16be');
  return decode(bytes, 'utf-8');
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\u0000') ? undefined : text;
  } catch {
    return undefined; // not valid in this encoding, which is the answer
  }
}
