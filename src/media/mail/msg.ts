// A mail as Outlook keeps it (.msg) in, the parts it is made of out, in the form in which every mail is read. Nothing when
// the container holds no mail.
import type { Compound } from '../legacy/compound.ts';
import { openCompound } from '../legacy/compound.ts';
import { decodeAs } from '../web/charset.ts';
import type { MailPart } from './parts.ts';
import { unpackedRtf } from './packed-rtf.ts';

const maxDepth = 10;

/** Properties by their numbers. */
const fields: readonly (readonly [name: string, numbers: readonly string[]])[] = [
  ['subject', ['0037', '0E1D', '0070']],
  ['to', ['0E04']],
  ['cc', ['0E03']],
  ['bcc', ['0E02']],
];
const [plainBody, htmlBody, rtfBody] = ['1000', '1013', '1009'];
const [attachedData, longName, shortName, mimeType] = ['3701', '3707', '3704', '370E'];

/** The container, and the encoding of what is not in Unicode, where a reader knows it. */
type Outlook = Compound & { encoding: string | undefined };

export async function msgParts(bytes: Uint8Array, encoding?: string): Promise<MailPart | undefined> {
  const container = openCompound(bytes);
  if (container === undefined || !container.has('__properties_version1.0')) return undefined;
  return messageAt({ ...container, encoding }, '', 0);
}

function messageAt(container: Outlook, path: string, depth: number): MailPart {
  const found = new Map<string, string>();
  for (const [name, numbers] of fields) {
    const words = numbers.map((number) => textAt(container, path, number)).find((one) => one !== '');
    if (words !== undefined) found.set(name, asBytes(words));
  }
  const from = senderOf(container, path);
  if (from !== '') found.set('from', asBytes(from));
  const date = dateOf(container, path);
  if (date !== '') found.set('date', date);
  const children = [...bodies(container, path), ...attachments(container, path, depth)];
  return { ...leaf('multipart/mixed', Buffer.alloc(0)), fields: found, children };
}

function senderOf(container: Outlook, path: string): string {
  const name = textAt(container, path, '0C1A') || textAt(container, path, '0042');
  const address = textAt(container, path, '5D01') || textAt(container, path, '0C1F');
  if (!address.includes('@') || address === name) return name || address;
  return name === '' ? address : `${name} <${address}>`;
}

/** The words for people; marked-up ones where there are no plain ones. */
function bodies(container: Outlook, path: string): MailPart[] {
  const words = textAt(container, path, plainBody);
  if (words.trim() !== '') return [leaf('text/plain', Buffer.from(words))];
  const html = container.at(`${path}__substg1.0_${htmlBody}0102`);
  if (html !== undefined && html.toString('latin1').trim() !== '')
    return [{ ...leaf('text/html', html), charset: container.encoding }];
  const page = textAt(container, path, htmlBody);
  if (page.trim() !== '') return [leaf('text/html', Buffer.from(page))];
  const rtf = unpackedRtf(container.at(`${path}__substg1.0_${rtfBody}0102`));
  return rtf === undefined ? [] : [leaf('text/rtf', rtf)];
}

function attachments(container: Outlook, path: string, depth: number): MailPart[] {
  const folders = new Set(
    container.paths.flatMap((one) => {
      const found = one.startsWith(path) ? /^__attach_version1\.0_#[\da-f]{8}\//i.exec(one.slice(path.length)) : null;
      return found === null ? [] : [`${path}${found[0]}`];
    }),
  );
  return [...folders].toSorted().flatMap((folder): MailPart[] => {
    const inner = `${folder}__substg1.0_${attachedData}000D/`;
    if (container.paths.some((one) => one.startsWith(inner))) {
      if (depth >= maxDepth) return [];
      return [{ ...leaf('message/rfc822', Buffer.alloc(0)), children: [messageAt(container, inner, depth + 1)] }];
    }
    const data = container.at(`${folder}__substg1.0_${attachedData}0102`);
    if (data === undefined) return [];
    const name = textAt(container, folder, longName) || textAt(container, folder, shortName);
    const type = textAt(container, folder, mimeType).toLowerCase() || 'application/octet-stream';
    return [{ ...leaf(type, data), attached: true, name: name === '' ? undefined : name }];
  });
}

/** A text property: in Unicode, or in the encoding of the program. */
function textAt(container: Outlook, path: string, number: string): string {
  const wide = container.at(`${path}__substg1.0_${number}001F`);
  if (wide !== undefined) return wide.toString('utf16le').replaceAll('\u0000', '');
  const narrow = container.at(`${path}__substg1.0_${number}001E`);
  return narrow === undefined ? '' : decodeAs(narrow, container.encoding).replaceAll('\u0000', '');
}

const [sent, received] = [0x0039_0040, 0x0e06_0040];
/** Milliseconds between the year 1601 and 1970. */
const epoch = 11_644_473_600_000n;

/** When it was sent, else when it came. */
function dateOf(container: Outlook, path: string): string {
  const list = container.at(`${path}__properties_version1.0`) ?? Buffer.alloc(0);
  const head = path === '' ? 32 : 24;
  const times = new Map<number, bigint>();
  for (let at = head; at + 16 <= list.length; at += 16) {
    const tag = list.readUInt32LE(at);
    if (tag === sent || tag === received) times.set(tag, list.readBigUInt64LE(at + 8));
  }
  const time = times.get(sent) ?? times.get(received);
  const milliseconds = time === undefined ? 0n : time / 10_000n - epoch;
  return milliseconds > 0n && milliseconds < 8_000_000_000_000n ? new Date(Number(milliseconds)).toUTCString() : '';
}

/** Fields of mails are kept as one character for each byte. */
function asBytes(text: string): string {
  return Buffer.from(text.replaceAll(/\s+/g, ' ')).toString('latin1');
}

function leaf(type: string, bytes: Buffer): MailPart {
  return {
    fields: new Map(),
    type,
    charset: 'utf-8',
    name: undefined,
    attached: false,
    children: [],
    bytes: () => bytes,
  };
}
