// A mail in, the parts it is made of out, as a tree of bounded depth and size. Nothing is decoded before it is asked for.
import { safeWords } from '../../content/text.ts';
import { ownNames, pictureName } from '../document/markdown.ts';
import { headAt, parameter, parameters, quoted } from './header.ts';

export type MailPart = {
  fields: ReadonlyMap<string, string>;
  type: string;
  charset: string | undefined;
  name: string | undefined;
  attached: boolean;
  children: MailPart[];
  bytes(): Buffer;
};

const maxDepth = 20;
const maxParts = 2000;

/** `source` holds one character per byte. */
export function mailParts(source: string): MailPart {
  const budget = { left: maxParts };
  return partAt(source, 0, source.length, budget, 0, 'text/plain');
}

function partAt(
  source: string,
  start: number,
  end: number,
  budget: { left: number },
  depth: number,
  usual: string,
): MailPart {
  budget.left -= 1;
  const { fields, body } = headAt(source, start, end);
  const content = parameters(fields.get('content-type') ?? usual);
  const disposition = parameters(fields.get('content-disposition') ?? '');
  const type = content.value.includes('/') ? content.value : 'text/plain';
  const boundary = content.named.get('boundary');
  const children: MailPart[] = [];
  if (depth < maxDepth && type.startsWith('multipart/') && boundary !== undefined && boundary !== '') {
    const inner = type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
    for (const [from, to] of between(source, body, end, `--${boundary}`)) {
      if (budget.left <= 0) break;
      children.push(partAt(source, from, to, budget, depth + 1, inner));
    }
  }
  const encoding = (fields.get('content-transfer-encoding') ?? '').trim().toLowerCase();
  const bytes = (): Buffer => decoded(source.slice(body, end), encoding);
  if (depth < maxDepth && type === 'message/rfc822' && budget.left > 0) {
    const message = encoding === 'base64' || encoding === 'quoted-printable' ? bytes().toString('latin1') : undefined;
    const inside = message ?? source;
    children.push(
      partAt(
        inside,
        message === undefined ? body : 0,
        message === undefined ? end : message.length,
        budget,
        depth + 1,
        usual,
      ),
    );
  }
  return {
    fields,
    type,
    charset: content.named.get('charset'),
    name: parameter(disposition.named, 'filename') ?? parameter(content.named, 'name'),
    attached: disposition.value === 'attachment',
    children,
    bytes,
  };
}

/** Whether a part is what the mail itself says, in a form that can be shown. */
export function isText({ type, attached }: MailPart): boolean {
  return !attached && /^text\/(?:plain|html|markdown|enriched|rtf)$/.test(type);
}

/** Whether a part may be asked for by its name. */
export function isFile(part: MailPart): boolean {
  return part.name !== undefined || !isText(part);
}

/** The name by which each file of some mails is shown and asked for. Two of one name are told apart by a number: mails often
 * have several pictures called image.png. */
export function partNames(mails: readonly MailPart[]): ReadonlyMap<MailPart, string> {
  const names = new Map<MailPart, string>();
  const ownName = ownNames();
  for (const part of mails.flatMap(innermostParts)) names.set(part, ownName(nameOf(part)));
  return names;
}

/** All parts that have no others inside them. */
export function innermostParts(part: MailPart): MailPart[] {
  return part.children.length === 0 ? [part] : part.children.flatMap(innermostParts);
}

/** What a page may show stands in Markdown, where a name has no blanks. */
function nameOf({ name, type, fields }: MailPart): string {
  const id = (fields.get('content-id') ?? '').replaceAll(/[<>\s]/g, '').split('@')[0] ?? '';
  const own = safeWords(name ?? '');
  const found = own === '' ? `${id === '' ? 'part' : id}.${type.split('/')[1] ?? 'bin'}` : own;
  const isShown = type.startsWith('image/') || ['content-id', 'content-location'].some((field) => fields.has(field));
  return own === '' || isShown ? pictureName(found) : found;
}

/** Where the pieces between lines that begin with the mark lie. */
function between(source: string, start: number, end: number, mark: string): [number, number][] {
  const found: [number, number][] = [];
  let open: number | undefined;
  for (let at = source.indexOf(mark, start); at >= 0 && at < end; at = source.indexOf(mark, at + mark.length)) {
    if (at > start && source[at - 1] !== '\n') continue;
    const after = at + mark.length;
    const rest = source.slice(after, after + 2);
    if (rest !== '--' && !/^[\s]|^$/.test(rest)) continue; // a longer mark that begins alike
    if (open !== undefined) found.push([open, Math.max(open, at - (source[at - 2] === '\r' ? 2 : 1))]);
    const line = source.indexOf('\n', after);
    open = rest === '--' || line < 0 ? undefined : line + 1;
    if (rest === '--') break;
  }
  if (open !== undefined && open < end) found.push([open, end]);
  return found;
}

function decoded(text: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(text, 'base64');
  return encoding === 'quoted-printable' ? quoted(text) : Buffer.from(text, 'latin1');
}
