// What a person names → the files that means: a folder is all files in it, a pattern what it matches.
import { globSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SightlineError } from '../../content/refusal.ts';

const most = 1000;

/** `-` and plain files stay as they are, also those that do not exist: reading them says so. */
export function filesOf(path: string): string[] {
  if (path === '-') return [path];
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return listed(path, globSync('**/*', { cwd: path, exclude: isHidden }), path);
  if (found !== undefined || !/[*?[{]/.test(path)) return [path];
  const named = path.split('/').some((part) => part.startsWith('.') && part !== '.' && part !== '..');
  return listed(path, globSync(path, named ? {} : { exclude: isHidden }), '');
}

/** Hidden files and what others made are left out of a folder; whoever wants them names them. */
function isHidden(path: string): boolean {
  return path.split('/').some((part) => part === 'node_modules' || /^\.[^.]/.test(part));
}

function listed(named: string, found: readonly string[], folder: string): string[] {
  const files = found
    .map((file) => (folder === '' ? file : join(folder, file)))
    .filter((file) => !isHidden(relative(folder, file)) || folder === '')
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .toSorted((a, b) => (a < b ? -1 : 1));
  if (files.length === 0) throw new SightlineError('input', `There are no files in ${named}. Name another.`);
  if (files.length <= most) return files;
  throw new SightlineError('input', `${named} means ${files.length} files. Name ${most} at most.`);
}
