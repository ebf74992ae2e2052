// The files that a person's words name: `@path`, a path dropped on the terminal, a picture pasted as a data URI.
import { existsSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Source } from '../media/source.ts';
import { personFolder } from '../config/home.ts';

export type Attachment = { source: Source; name: string };

/** The files that words name, and what looks like the name of a file and is none. */
type Named = { files: Attachment[]; missing: string[] };

/** Looks for `@path`, `@"a path with spaces"` and `@a\ path\ with\ spaces`; the words themselves stay as they are. */
export function namedFiles(words: string, folder: string = process.cwd()): Named {
  const names = [...words.matchAll(/(?<=^|\s)@(?:"([^"\n]+)"|((?:\\ |[^\s"])+))/g)].map(
    ([, quoted, bare = '']) => quoted ?? bare.replaceAll('\\ ', ' '),
  );
  const found = names.map((name) => ({ name, path: fileOf(name, folder) }));
  const paths = new Set(found.flatMap(({ path }) => path ?? []));
  // An @ may also stand before a person or a package.
  const missing = found.filter(
    ({ name, path }) => path === undefined && /^(?:~|\.{1,2})?\/|\.\w{1,5}$/.test(bareName(name)),
  );
  return {
    files: [...paths].map((path) => ({ source: path, name: basename(path) || path })),
    missing: missing.map(({ name }) => bareName(name)),
  };
}

/** The file a word names; a full stop or a bracket at its end may belong to the sentence. */
function fileOf(name: string, folder: string): string | undefined {
  for (const candidate of [name, bareName(name)]) {
    const home = /^~(?=\/|$)/.test(candidate) ? join(personFolder(), candidate.slice(1)) : candidate;
    const path = isAbsolute(home) ? home : resolve(folder, home);
    if (candidate !== '' && isThere(path)) return path;
  }
  return undefined;
}

function bareName(name: string): string {
  return name.replace(/[.,;:!?)\]}]+$/, '');
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
