// What tools import, put where they find it even when a person starts them by hand: the Python module beside them, and
// a link to this package for those in TypeScript and JavaScript.
import { copyFileSync, lstatSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { packageFolder } from '../../config/package.ts';
import { pythonFolder } from './surroundings.ts';
import { makeFolder } from '../../config/make-folder.ts';

/** Gives a tool in this folder the helper of its language. */
export function placeHelper(folder: string, file: string): void {
  const kind = extname(file);
  if (kind === '.py') placePython(folder);
  else if (/^\.m?[jt]s$/.test(kind) && !finds(folder)) link(linkOf(folder));
}

/** A link that leads to another version of this package, or nowhere any more, is led here. */
export function renewLink(folder: string): void {
  const path = linkOf(folder);
  try {
    if (lstatSync(path).isSymbolicLink() && readlinkSync(path) !== packageFolder) link(path);
  } catch {
    // there is no link, or the home cannot be written to
  }
}

function placePython(folder: string): void {
  const name = 'sightline_tool.py';
  const [from, to] = [join(pythonFolder, name), join(folder, name)];
  if (textOf(to) === textOf(from)) return;
  copyFileSync(from, `${to}.new`);
  renameSync(`${to}.new`, to);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Whether a script in this folder finds the package by itself. */
function finds(folder: string): boolean {
  try {
    createRequire(join(folder, 'tool.js')).resolve('sightline/executable');
    return true;
  } catch {
    return false;
  }
}

function linkOf(folder: string): string {
  return join(dirname(folder), 'node_modules', 'sightline');
}

function link(path: string): void {
  makeFolder(dirname(path));
  rmSync(path, { recursive: true, force: true });
  symlinkSync(packageFolder, path, 'junction');
}
