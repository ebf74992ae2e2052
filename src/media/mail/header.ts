// The head of a mail or of one of its parts in, its fields out, decoded as they are meant for people. Pure and linear.
import { decodeSomehow } from '../text/decode.ts';
import { decodeAs } from '../web/charset.ts';

/** Field names in small letters; the first of a name counts. `body` is where the rest begins. */
type Head = { fields: Map<string, string>; body: number };

const maxHead = 256 * 1024;

/** `source` holds one character per byte. */
export function headAt(source: string, start: number, end: number): Head {
  const fields = new Map<string, string>();
  let name = '';
  let at = start;
  while (at < end && at - start < maxHead) {
    const next = source.indexOf('\n', at);
    const stop = next < 0 || next >= end ? end : next;
    const line = source.slice(at, stop).replace(/\r$/, '');
    at = stop + 1;
    if (line === '') return { fields, body: Math.min(at, end) };
    const colon = /^[!-9;-~]{1,100}:/.exec(line)?.[0].length;
    if (/^[ \t]/.test(line)) {
      const value = fields.get(name);
      if (value !== undefined && value.length < maxHead) fields.set(name, value + line);
    } else if (colon === undefined) {
      // Not a field: the body of a part that has no head, or the mark of a mailbox in front of a mail.
      if (at > start && !line.startsWith('From ') && !line.startsWith('>From ')) return { fields, body: start };
    } else {
      name = line.slice(0, colon - 1).toLowerCase();
      if (fields.has(name)) name = '';
      else fields.set(name, line.slice(colon));
    }
  }
  return { fields, body: Math.min(at, end) };
}

/** Words in a field: encoded words decoded, bytes beyond ASCII taken as UTF-8 where they are that. */
export function decodeWords(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  const text = decodeSomehow(bytes);
  // White space between two encoded words is not part of the text.
  const joined = text.replaceAll(/(\?=)\s+(?==\?)/g, '$1');
  return encodedWords(joined).replaceAll(/\s+/g, ' ').trim();
}

/** Words side by side are decoded together, because some programs cut in the middle of a character. */
function encodedWords(source: string): string {
  let [text, charset, end] = ['', '', 0];
  let bytes: Buffer[] = [];
  const flush = (): void => {
    if (bytes.length > 0) text += decodeAs(Buffer.concat(bytes), charset.replace(/\*.*/, ''));
    bytes = [];
  };
  for (const found of source.matchAll(/=\?([^?\s]{1,80})\?([bq])\?([^?]*)\?=/gi)) {
    const [whole, label = '', how = '', words = ''] = found;
    if (label.toLowerCase() !== charset || found.index > end) flush();
    text += source.slice(end, found.index);
    end = found.index + whole.length;
    charset = label.toLowerCase();
    bytes.push(how.toLowerCase() === 'b' ? Buffer.from(words, 'base64') : quoted(words.replaceAll('_', ' ')));
  }
  flush();
  return text + source.slice(end);
}

/** Quoted-printable as bytes. */
export function quoted(text: string): Buffer {
  const joined = text.replaceAll(/=[ \t]{0,80}\r?\n/g, '');
  return Buffer.from(
    joined.replaceAll(/=([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  );
}

/** What may hold blanks even where a program forgot to quote it. */
const names = /^(?:file)?name$/i;

/** A field such as a content type: its value in small letters, and what follows it by name. */
export function parameters(field: string): { value: string; named: Map<string, string> } {
  const named = new Map<string, string>();
  const rest = field.slice(0, 16_384);
  for (const [, key = '', quotedValue, bare] of rest.matchAll(
    /;\s*([\w*-]{1,60})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g,
  )) {
    const plain = names.test(key) ? bare?.trim() : bare?.split(/\s/)[0];
    const value = quotedValue?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '';
    if (!named.has(key.toLowerCase())) named.set(key.toLowerCase(), value);
  }
  return { value: (rest.split(';')[0] ?? '').trim().toLowerCase(), named };
}

/** A parameter that may be split into numbered pieces and carry its own encoding. A plain one beside it is for programs that know
 * neither. */
export function parameter(named: ReadonlyMap<string, string>, name: string): string | undefined {
  let [value, encoded] = [named.get(`${name}*`), true];
  for (let at = 0; value === undefined || at > 0; at += 1) {
    const piece = named.get(`${name}*${at}*`) ?? named.get(`${name}*${at}`);
    if (piece === undefined) break;
    if (at === 0) encoded = named.has(`${name}*0*`);
    value = (at === 0 ? '' : (value ?? '')) + piece;
  }
  if (value === undefined || !encoded) {
    const plain = value ?? named.get(name);
    return plain === undefined ? undefined : decodeWords(plain);
  }
  const [, charset = 'utf-8', words = value] = /^([^']{0,60})'[^']{0,60}'([^]*)$/.exec(value) ?? [];
  return decodeAs(quoted(words.replaceAll('=', '=3D').replaceAll('%', '=')), charset);
}
