// The bytes of a PDF whose end is lost or spoilt in, the same with a new end out: its objects are all there, but nothing says
// any more which of them comes first. Nothing when no object says so itself. And whether a file lost its end. Pure.

/** Whether the file stops inside its objects: behind the last of them stands nothing that ends a PDF, whatever follows that.
 * A file that is read page by page from the web, or was added to, has such an end also further ahead. */
export function lacksEnd(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const object = text.lastIndexOf(' obj', undefined, 'latin1');
  return !['startxref', '%%EOF', 'trailer'].some((end) => text.lastIndexOf(end, undefined, 'latin1') > object);
}

/** A first object further from the end of a larger file is not looked for; such files are rare and the search is not. */
const mostBytes = 32 * 1024 * 1024;

/** A copy that ends as a PDF should, for a file that could not be opened as it is. */
export function mendedPdf(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length > mostBytes) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const type = text.search(/\/Type\s*\/Catalog\b/);
  const start = type === -1 ? -1 : text.lastIndexOf(' obj', type);
  const [, number, generation] = /(\d{1,10}) (\d{1,5})$/.exec(text.slice(Math.max(0, start - 20), start)) ?? [];
  if (start === -1 || number === undefined || text.slice(start, type).includes('endobj')) return undefined;
  const end = text.lastIndexOf('trailer');
  const kept = end > type ? bytes.subarray(0, end) : bytes;
  const trailer = `\ntrailer\n<< /Root ${number} ${generation} R >>\nstartxref\n0\n%%EOF\n`;
  return Buffer.concat([kept, Buffer.from(trailer, 'latin1')]);
}
