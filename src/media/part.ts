// What lies inside a mail, an archive or a document: one file or picture of it by its name, to be read like any other. Runs in a child process.
// A part of a part is named by both: "letters.zip/invoice.eml".
import type { Read } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import { documentKind } from './document/kinds.ts';
import type { InnerPicture } from './document/reader.ts';
import type { Limits } from './limits.ts';
import type { MailPart } from './mail/parts.ts';
import { sniff } from './sniff.ts';

export type PartInput = {
  bytes: Uint8Array;
  name: string;
  part: string;
  password?: string;
  encoding?: string;
  limits: Limits;
};
export type OpenedPart = { name: string; bytes: Uint8Array; rest: string };

const mostNames = 20;

/** The file of that name, or a refusal that says which there are. */
export async function openPart(input: PartInput): Promise<Read<OpenedPart>> {
  const { name, part } = input;
  const inside = await filesIn(input);
  const files = inside.ok ? inside.value : (new Map() as Files);
  // The longest name that fits: what follows is a part of that part.
  const found = [...files.keys()]
    .filter((one) => part === one || part.startsWith(`${one}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  const file = found === undefined ? undefined : files.get(found)?.();
  if (found !== undefined && file !== undefined) {
    if (!file.ok) return file;
    return { ok: true, value: { name: found, bytes: file.value, rest: part.slice(found.length + 1) } };
  }
  const pictures = await picturesOf(input);
  const picture = pictures?.find((one) => one.name === part);
  if (picture !== undefined) return { ok: true, value: { name: picture.name, bytes: picture.bytes, rest: '' } };
  if (pictures === undefined && !inside.ok) return inside;
  // What an Office file is packed of is no part of it for a reader.
  const names = pictures?.map((one) => one.name) ?? [...files.keys()];
  const listed = names.slice(0, mostNames).join(', ');
  const more = names.length > mostNames ? ` or one of ${names.length - mostNames} more` : '';
  const next = names.length === 0 ? 'Nothing lies inside of it.' : `Give one of ${listed}${more}.`;
  return refuse('not-found', `${name} has no part "${part.slice(0, 80)}"`, next);
}

/** The pictures in a document, by the names its words have for them; nothing for what is no document, or a mail: there they are files. */
async function picturesOf(input: PartInput): Promise<InnerPicture[] | undefined> {
  const { bytes, name, password, limits } = input;
  const kind = documentKind(sniff(bytes), name, bytes);
  if (kind === undefined || kind === 'eml' || kind === 'msg') return undefined;
  const { extract } = await import('./document/extract.ts');
  const all = { ...limits, picturesPerRead: limits.archiveEntries };
  const read = await extract({
    ...(password !== undefined && { password }),
    kind,
    bytes,
    name,
    pictures: true,
    limits: all,
  });
  return read.ok ? read.value.pictures : [];
}

type Files = Map<string, () => Read<Uint8Array>>;

async function filesIn({ bytes, name, encoding, limits }: PartInput): Promise<Read<Files>> {
  const type = sniff(bytes)?.mediaType ?? '';
  if (
    /^application\/(?:epub\+)?zip$/.test(type) ||
    type.startsWith('application/vnd.openxml') ||
    type.startsWith('application/vnd.oasis')
  ) {
    const { openZip } = await import('./zip/read.ts');
    const zip = openZip(bytes, name, limits);
    if (!zip.ok) return zip;
    const paths = zip.value.names.filter((path) => !path.endsWith('/'));
    return { ok: true, value: new Map(paths.map((path) => [path, () => zip.value.read(path)])) };
  }
  const mails = await mailsOf(bytes, encoding);
  if (mails === undefined) return refuse('unsupported', `${name} has no parts`, 'Read it without part.');
  const { isFile, partNames } = await import('./mail/parts.ts');
  const files: Files = new Map();
  for (const [part, own] of partNames(mails)) {
    if (isFile(part)) files.set(own, () => ({ ok: true, value: new Uint8Array(part.bytes()) }));
  }
  return { ok: true, value: files };
}

async function mailsOf(bytes: Uint8Array, encoding: string | undefined): Promise<MailPart[] | undefined> {
  const { msgParts } = await import('./mail/msg.ts');
  const outlook = await msgParts(bytes, encoding);
  if (outlook !== undefined) return [outlook];
  const { mailsIn } = await import('./mail/eml.ts');
  const mails = mailsIn(bytes).mails.filter(({ fields }) => fields.size > 0);
  return mails.length === 0 ? undefined : mails;
}
