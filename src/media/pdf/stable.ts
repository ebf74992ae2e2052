// A PDF as the library saves it in, the same with nothing in it that differs from one saving to the next out: equal
// pages must be equal bytes, because bytes are named by their hash and providers cache exact prefixes.
import { createHash } from 'node:crypto';

/** How far from the end the trailer with the file's id may begin. */
const trailerBytes = 2048;
const fileId = /\/ID\s*\[\s*<([0-9A-F]*)>\s*<([0-9A-F]{32})>\s*\]/g;

/** Replaces the id that was drawn by lot with one made from the content, in place. */
export function withStableId(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = Math.max(0, file.length - trailerBytes);
  const found = [...file.subarray(start).toString('latin1').matchAll(fileId)].at(-1);
  const [whole = '', first = '', second = ''] = found ?? [];
  if (found === undefined) return bytes;
  const at = start + found.index;
  const blank = whole.replaceAll(second, '0'.repeat(second.length));
  file.write(blank, at, 'latin1');
  const own = createHash('sha256').update(file).digest('hex').slice(0, second.length).toUpperCase();
  const made = first === second ? whole.replaceAll(second, own) : whole.replace(`<${second}>`, `<${own}>`);
  file.write(made, at, 'latin1');
  return bytes;
}
