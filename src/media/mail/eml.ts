// A mail in, Markdown out: subject, who wrote to whom and when, the text, mails inside it, and a list of what is
// attached; pictures when asked for. Refused: bytes without the head of a mail.
import type { Read } from '../../content/refusal.ts';
import { attachmentNote } from '../../content/words.ts';
import { heading, picture, pictureName } from '../document/markdown.ts';
import type { DocumentReader, InnerPicture, ReaderOptions } from '../document/reader.ts';
import { corrupt } from '../document/refusals.ts';
import type { Extract } from '../document/reader.ts';
import { grouped, limits } from '../limits.ts';
import { decodeAs, decodePage } from '../web/charset.ts';
import { linkAddress, htmlToMarkdown } from '../web/html.ts';
import { finish } from '../web/markdown.ts';
import { decodeWords } from './header.ts';
import { msgParts } from './msg.ts';
import type { MailPart } from './parts.ts';
import { isFile, isText, mailParts, partNames } from './parts.ts';

export const readEml: DocumentReader = async (bytes, options) => {
  const { mails, more } = mailsIn(bytes);
  if (!mails.some(hasHead)) return corrupt(options.name, 'it has not the head of a mail');
  const note = `[The mailbox has ${grouped(mails.length + more)} mails. Only the first ${grouped(mails.length)} of the file are read: divide it to read the others.]`;
  return await letterOf(mails, options, more > 0 ? [note] : []);
};

/** Mails as Outlook keeps them. */
export const readMsg: DocumentReader = async (bytes, { encoding, ...options }) => {
  const mail = await msgParts(bytes, encoding);
  if (mail === undefined) return corrupt(options.name, 'it holds no mail');
  return await letterOf([mail], options);
};

function hasHead({ fields }: MailPart): boolean {
  const known = ['from', 'to', 'subject', 'date', 'received', 'mime-version', 'content-type'];
  return known.some((name) => fields.has(name));
}

const mostMails = 1000;

/** One mail, or those of a mailbox, the oldest first, and how many more there are. */
export function mailsIn(bytes: Uint8Array): { mails: MailPart[]; more: number } {
  const source = Buffer.from(bytes)
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '');
  const starts = source.startsWith('From ') ? [...source.matchAll(/(?:^|\n\r?\n)From \S+ [^\n]*\d{4}\r?\n/g)] : [];
  if (starts.length < 2) return { mails: [mailParts(source)], more: 0 };
  const places = starts.map(({ index }) => index);
  const mails = places
    .slice(0, mostMails)
    .map((from, at) => mailParts(source.slice(from, places[at + 1]).replace(/^[\r\n]+/, '')));
  return { mails: mails.toSorted((one, other) => timeOf(one) - timeOf(other)), more: places.length - mails.length };
}

/** Without a date it stays where it is, among those of the beginning. */
function timeOf({ fields }: MailPart): number {
  return Date.parse(fields.get('date') ?? '') || 0;
}

async function letterOf(
  mails: readonly MailPart[],
  options: ReaderOptions,
  notes: string[] = [],
): Promise<Read<Extract>> {
  const letter = newLetter(mails, options);
  for (const mail of mails) await message(mail, letter, 1);
  return finish(letter.blocks.join('\n\n'), options, {
    pictures: letter.pictures,
    parts: { count: letter.messages, unit: 'messages' },
    notes,
  });
}

type Letter = {
  encoding: string | undefined;
  blocks: string[];
  pictures: InnerPicture[];
  messages: number;
  wanted: boolean;
  names: ReadonlyMap<MailPart, string>;
};

function newLetter(mails: readonly MailPart[], { pictures: wanted, encoding }: ReaderOptions): Letter {
  return { encoding, blocks: [], pictures: [], messages: 0, wanted, names: partNames(mails) };
}

const shownFields = ['From', 'To', 'Cc', 'Bcc', 'Reply-To', 'Date'];

async function message(mail: MailPart, letter: Letter, level: number): Promise<void> {
  letter.messages += 1;
  const field = (name: string): string => decodeWords(mail.fields.get(name.toLowerCase()) ?? '');
  letter.blocks.push(heading(level, field('Subject') || '(no subject)'));
  const lines = shownFields.map((name) => [name, field(name)] as const).filter(([, value]) => value !== '');
  if (lines.length > 0) letter.blocks.push(lines.map(([name, value]) => `${name}: ${value}`).join('\n'));
  const attachments: string[] = [];
  await show(mail, { letter, level, attachments, related: new Map() });
  if (attachments.length > 0) letter.blocks.push(`Attachments:\n\n${attachments.join('\n')}`);
}

type Inside = { letter: Letter; level: number; attachments: string[]; related: ReadonlyMap<string, MailPart> };

async function show(part: MailPart, inside: Inside): Promise<void> {
  const { type, children } = part;
  if (type === 'message/rfc822' && children[0] !== undefined)
    return message(children[0], inside.letter, inside.level + 1);
  if (type === 'multipart/alternative') {
    const best = children.find((one) => one.type === 'text/plain' && one.bytes().toString('latin1').trim() !== '');
    const shown = best ?? children.findLast((one) => one.type !== 'text/plain');
    if (shown !== undefined) await show(shown, inside);
    for (const one of children.filter((child) => child !== shown).flatMap(besidesText)) {
      if (one.type === 'message/rfc822') await show(one, inside);
      else attach(one, inside);
    }
    return;
  }
  if (children.length > 0) {
    const related = type === 'multipart/related' ? byPlace(children) : inside.related;
    for (const child of children) await show(child, { ...inside, related });
    return;
  }
  if (!isText(part)) return attach(part, inside);
  if (type === 'text/rtf') return await richText(part, inside);
  const words =
    type === 'text/html' ? await page(part, inside) : decodeAs(part.bytes(), inside.letter.encoding ?? part.charset);
  if (words.trim() !== '') inside.letter.blocks.push(words.trim());
}

/** Forms of the text for programs in which mails are used like pages, and for watches. */
const otherForm = /^text\/(?:x-amp|watch)-html$/;

/** A picture, a calendar entry, a file or a mail is no other form of the text, also where it lies inside of one. */
function besidesText(part: MailPart): MailPart[] {
  if (part.type.startsWith('multipart/')) return part.children.flatMap(besidesText);
  return isFile(part) && !otherForm.test(part.type) ? [part] : [];
}

async function richText(part: MailPart, { letter }: Inside): Promise<void> {
  const { readRtf } = await import('../legacy/rtf.ts');
  const read = await readRtf(part.bytes(), { name: 'the text', pictures: false, limits });
  if (read.ok && read.value.markdown.trim() !== '') letter.blocks.push(read.value.markdown.trim());
}

/** Parts by what pages beside them may call them. */
function byPlace(parts: readonly MailPart[]): ReadonlyMap<string, MailPart> {
  const found = new Map<string, MailPart>();
  for (const one of parts) {
    const id = (one.fields.get('content-id') ?? '').trim().replace(/^<|>$/g, '');
    if (id !== '') found.set(placed(`cid:${id}`), one);
    const location = (one.fields.get('content-location') ?? '').trim();
    if (location !== '') found.set(placed(location), one);
  }
  return found;
}

/** An address as it is seen from a place, if it has one. */
function placed(address: string, base = ''): string {
  return URL.parse(address, base === '' ? undefined : base)?.href ?? address;
}

async function page(part: MailPart, { letter, related }: Inside): Promise<string> {
  // What a page names is seen from where it says that it lies, as in what a browser or Word saves.
  const base = (part.fields.get('content-location') ?? '').trim();
  const nameOf = (source: string): string | undefined => {
    const one = related.get(placed(source, base)) ?? related.get(source);
    return one === undefined ? linkAddress(source) : letter.names.get(one);
  };
  const { markdown } = await htmlToMarkdown(decodePage(part.bytes(), letter.encoding ?? part.charset), {
    picture: nameOf,
  });
  return markdown;
}

function attach(part: MailPart, { letter, attachments }: Inside): void {
  const bytes = part.bytes();
  if (bytes.length === 0) return;
  const name = letter.names.get(part) ?? part.type;
  const isPicture = part.type.startsWith('image/');
  const shown = isPicture ? picture(name, name) : pictureName(name);
  const call = isPicture ? '' : `; ${attachmentNote(name)}`;
  attachments.push(`- ${shown} (${part.type}, ${grouped(bytes.length)} bytes${call})`);
  if (isPicture && letter.wanted) letter.pictures.push({ name, bytes: new Uint8Array(bytes) });
}
