// What a person names → the files that means: a folder is all files in it, a pattern what it matches.
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SightlineError } from '../../content/refusal.ts';

const most = 1000;

/** `-` and plain files stay as they are, also those that do not exist: reading them says so. */
export function filesOf(path: string): string[] {
  if (path === '-') return [path];
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return listed(path, join(path, '**', '*'));
  return found === undefined && /[*?[{]/.test(path) ? listed(path, path) : [path];
}

function listed(named: string, pattern: string): string[] {
  const hidden = (name: string): boolean =>
    name.split('/').some((part) => part === 'node_modules' || /^\.[^./]/.test(part));
  const files = globSync(pattern, { exclude: hidden })
    .filter((file) => !hidden(file) && statSync(file, { throwIfNoEntry: false })?.isFile())
    .toSorted();
  if (files.length > 0 && files.length <= most) return files;
  const what = files.length === 0 ? `There are no files in ${named}.` : `${named} means ${files.length} files.`;
  throw new SightlineError('input', `${what} ${files.length === 0 ? 'Name another.' : `Name ${most} at most.`}`);
}
