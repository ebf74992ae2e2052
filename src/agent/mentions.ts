// The files that a person's words name: `@path`, a path dropped on the terminal, a picture pasted as a data URI.
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Source } from '../media/source.ts';
import { pathFrom } from '../config/home.ts';

export type Attachment = { source: Source; name: string };

/** The files that words name, and what to tell of names that are none of a file. */
type Named = { files: Attachment[]; notices: string[] };

const closing: Record<string, string> = { '"': '"', "'": "'", '`': '`', '“': '”', '‘': '’', '„': '“', '«': '»' };

/** Looks for `@path`, `@"a path with spaces"`, `"@a path with spaces"` and `@a\ path\ with\ spaces`; the words themselves stay
 * as they are. */
export function namedFiles(words: string, folder: string = process.cwd()): Named {
  const paths = new Set<string>();
  const notices = new Set<string>();
  for (const { 1: quote = '', index } of words.matchAll(/(?<=(?:^|[\s([{])(["'`“‘„«]?))@/g)) {
    const [line = ''] = words.slice(index + 1).split('\n', 1);
    const own = quoted(line.slice(0, 1), line.slice(1));
    const bare = /^(?:\\ |[^\s"])+/.exec(line)?.[0].replaceAll('\\ ', ' ') ?? '';
    const names = own === undefined ? [quoted(quote, line) ?? '', bare] : [own];
    const path = names.map((name) => fileOf(name, folder)).find((found) => found !== undefined);
    if (path !== undefined) paths.add(path);
    else for (const notice of noticesOf(names, own === undefined ? line : '', folder)) notices.add(notice);
  }
  return { files: [...paths].map((path) => ({ source: path, name: basename(path) || path })), notices: [...notices] };
}

/** What stands between an opening quote and the one that closes it. */
function quoted(open: string, text: string): string | undefined {
  const close = closing[open];
  const end = close === undefined ? -1 : text.indexOf(close);
  return end > 0 ? text.slice(0, end) : undefined;
}

const mostWords = 8;

/** What to say of names that no file has: the words behind one may belong to it, and an @ may also stand before a person
 * or a package, of which nothing is said. */
function noticesOf(names: readonly string[], line: string, folder: string): string[] {
  const ends = [...line.matchAll(/\S(?=\s|$)/g)].slice(1, mostWords).map(({ index }) => index + 1);
  const longer = ends.flatMap((end) => [line.slice(0, end), bareName(line.slice(0, end))]);
  const meant = longer.find((name) => pathOf(name, folder) !== undefined);
  const name = names.map(bareName).findLast((one) => /^(?:~|\.{1,2})?\/|\.\w{1,5}$/.test(one));
  if (meant !== undefined) return [`${bareName(names.at(-1) ?? '')} is no file; write @"${meant}" to attach that one.`];
  return name === undefined ? [] : [`There is no file ${name}, so it is sent as text.`];
}

/** The file a word names; a full stop, a bracket or a quote at its end may belong to the sentence. */
function fileOf(name: string, folder: string): string | undefined {
  return pathOf(name, folder) ?? pathOf(bareName(name), folder);
}

function pathOf(name: string, folder: string): string | undefined {
  const path = pathFrom(folder, name);
  return name !== '' && isThere(path) ? path : undefined;
}

function bareName(name: string): string {
  return name.replace(/[.,;:!?)\]}'"`’”“»]+$/, '');
}

/** A file, or a folder: of that, the list of its files is handed over. */
function isThere(path: string): boolean {
  const found = existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
  return found?.isFile() === true || found?.isDirectory() === true;
}

/** A paste that is nothing but the path of a file, as terminals write it when one is dropped on them: as `@path`. */
export function pastedPath(paste: string, folder: string = process.cwd()): string | undefined {
  const line = paste.trim();
  if (line === '' || line.length > 4096 || line.includes('\n')) return undefined;
  const bare = /^'([^']*)'$|^"([^"]*)"$/.exec(line);
  const path = bare ? (bare[1] ?? bare[2] ?? '') : line.startsWith('file://') ? fromUrl(line) : unescaped(line);
  if (!/^(?:[/~]|\.{1,2}\/)/.test(path) || fileOf(path, folder) === undefined) return undefined;
  return /\s/.test(path) ? `@"${path}"` : `@${path}`;
}

function fromUrl(line: string): string {
  try {
    return fileURLToPath(line);
  } catch {
    return '';
  }
}

function unescaped(line: string): string {
  return line.replaceAll(/\\(.)/g, '$1');
}

const pasted = /data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/]+={0,2}/g;

/** Pictures and files pasted as data URIs: out of the words, into attachments. */
export function pastedFiles(words: string): { words: string; files: Attachment[] } {
  const files: Attachment[] = [];
  const rest = words.replace(pasted, (uri) => {
    const bytes = Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');
    const name = `pasted-${files.length + 1}.${/\/([a-z0-9]+)/.exec(uri)?.[1] ?? 'bin'}`;
    files.push({ source: bytes, name });
    return `[${name}]`;
  });
  return { words: rest, files };
}
