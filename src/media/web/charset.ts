// Bytes of a page in, its text out: a mark at the start wins, then what the page says of itself, then UTF-8, and
// what the bytes look like when they are not that.
import { decodeSomehow, decodeText, isMostlyWhole, wrongEncoding } from '../text/decode.ts';

/** The text of a page; every sequence of bytes has one. `declared` is what came with it, for example in a mail. */
export function decodePage(bytes: Uint8Array, declared?: string): string {
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (marked || (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)) {
    return (
      decodeText(bytes) ?? decodeAs(bytes, bytes[0] === 0xfe ? 'utf-16be' : bytes[0] === 0xff ? 'utf-16le' : 'utf-8')
    );
  }
  const label = declared ?? labelIn(bytes);
  // A page that can be read far enough to find "utf-16" in it is not UTF-16.
  if (label !== undefined && (declared !== undefined || !/^utf-?16/i.test(label))) return decodeAs(bytes, label);
  return decodeSomehow(bytes);
}

/** What a page says of itself. */
function labelIn(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  return (
    /<meta[^>]{0,500}charset\s*=\s*["']?\s*([\w-]{1,40})/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w-]{1,40})/i.exec(head)?.[1]
  );
}

/** What servers say of everything. */
const usual = new Set(['utf-8', 'windows-1252']);

/** The encoding that the declared type names, such as `text/html; charset=iso-8859-9`, where it tells more than the bytes do. */
export function sentAs(bytes: Uint8Array, mediaType = ''): string | undefined {
  const label = /;\s*charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(mediaType)?.[1];
  if (label === undefined || wrongEncoding(label) !== undefined) return undefined;
  const { encoding } = new TextDecoder(label);
  const isKnown = usual.has(encoding) || labelIn(bytes) !== undefined || decodeText(bytes) !== undefined;
  return isKnown ? undefined : encoding;
}

/** Text in a named encoding; no name, or one nobody knows, is read as what it looks like. */
export function decodeAs(bytes: Uint8Array, label: string | undefined): string {
  // Many programs name what they were set to, not what they wrote.
  const plain = label === undefined || /^(?:us-ascii|unknown-8bit|x-unknown|default)$/i.test(label.trim());
  try {
    if (plain) return decodeSomehow(bytes);
    const decoder = new TextDecoder(label.trim().toLowerCase());
    const text = decoder.decode(bytes);
    const isOther = decoder.encoding === 'utf-8' && text.includes('\ufffd') && !isMostlyWhole(text, 1);
    return isOther ? decodeSomehow(bytes) : text;
  } catch {
    return decodeSomehow(bytes); // an unknown label, which is the answer
  }
}
