// What a person names → the files that means: a folder is all files in it, a pattern what it matches.
import { globSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { join, relative } from 'node:path';
import { SightlineError } from '../../content/refusal.ts';
import { isAddress } from '../source.ts';

const usualMost = 1000;

/** A file, and what it is called wherever its folder lies. */
export type NamedFile = { path: string; key: string };

/** However many files these are; each is called as it is below the folder that was named. */
export function allFilesOf(paths: readonly string[]): NamedFile[] {
  const found = new Map<string, NamedFile>();
  for (const named of paths) {
    if (named === '-' || isAddress(named))
      throw new SightlineError(
        'input',
        `"${named}" is no file, and only files are read into a folder. Name files or folders.`,
      );
    const folder = lookAt(named)?.isDirectory() === true ? named : undefined;
    for (const path of filesOf(named, Infinity)) {
      const own = folder === undefined ? path : relative(folder, path);
      const key = found.has(own) && found.get(own)?.path !== path ? path : own;
      found.set(key, { path, key });
    }
  }
  return [...found.values()];
}

/** `-`, addresses and plain files stay as they are, also those that do not exist: reading them says so. */
export function filesOf(path: string, most: number = usualMost): string[] {
  if (path === '-' || isAddress(path)) return [path];
  const found = lookAt(path);
  if (found?.isDirectory()) return listed(path, globSync('**/*', { cwd: path, exclude: isHidden }), path, most);
  if (found !== undefined || !/[*?[{]/.test(path)) return [path];
  const named = path.split('/').some((part) => part.startsWith('.') && part !== '.' && part !== '..');
  return listed(path, globSync(path, named ? {} : { exclude: isHidden }), '', most);
}

/** What cannot even be looked at counts as absent: reading it says what is wrong. */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Hidden files and what others made are left out of a folder; whoever wants them names them. */
function isHidden(path: string): boolean {
  return path.split('/').some((part) => part === 'node_modules' || /^\.[^.]/.test(part));
}

function listed(named: string, found: readonly string[], folder: string, most: number): string[] {
  const files = found
    .map((file) => (folder === '' ? file : join(folder, file)))
    .filter((file) => !isHidden(relative(folder, file)) || folder === '')
    .filter((file) => lookAt(file)?.isFile())
    .toSorted((a, b) => (a < b ? -1 : 1));
  if (files.length === 0) throw new SightlineError('input', `There are no files in ${named}. Name another.`);
  if (files.length <= most) return files;
  throw new SightlineError(
    'input',
    `${named} means ${files.length} files. Name ${most} at most, or read them into a folder with --out.`,
  );
}
