// A folder in, what lies in it out, in order: without what a `.gitignore` leaves out, without following links, and with
// an end however much there is.
import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { ignoreRules, isIgnored } from './pattern.ts';
import type { IgnoreRule } from './pattern.ts';

/** `path` is relative to the root, with slashes; of a folder nobody asks the size. */
export type FoundFile = { path: string; isFolder: boolean; bytes: number };

/** Where a walk begins: the root that a model knows, and the folder in it. */
export type Start = { root: string; from: string };

/** More than anybody looks through; a walk ends there and says so. */
export const mostEntries = 50_000;

/** The folder that is meant, if it lies in a root, wherever links lead. */
export async function startIn(path: string, roots: readonly string[]): Promise<Read<Start>> {
  const first = roots[0] ?? '.';
  const wanted = isAbsolute(path) ? path : resolve(first, path);
  const [real, ...all] = await Promise.all([wanted, ...roots].map((one) => realpath(one).catch(() => undefined)));
  const root = all.find((one) => one !== undefined && real !== undefined && inside(real, one));
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  if (real === undefined || root === undefined) {
    const lies = roots.some((one) => inside(wanted, resolve(one)));
    if (lies && real === undefined)
      return refuse('not-found', `There is no folder ${shown}`, 'List the folder above it.');
    return refuse('not-allowed', `${shown} lies outside the allowed folders`, 'Name a folder inside them.');
  }
  if (!(await stat(real)).isDirectory()) return refuse('unsupported', `${shown} is no folder`, 'read_file reads it.');
  return { ok: true, value: { root, from: real } };
}

function inside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Everything below a folder down to a depth, each folder before what is in it. */
export async function* filesBelow(
  { root, from }: Start,
  depth: number,
  signal?: AbortSignal,
): AsyncGenerator<FoundFile> {
  let seen = 0;
  async function* below(folder: string, level: number, above: readonly IgnoreRule[]): AsyncGenerator<FoundFile> {
    const here = slashed(relative(root, folder));
    const rules = [...above, ...(await rulesIn(folder, here === '' ? '' : `${here}/`))];
    for (const entry of await entriesOf(folder)) {
      signal?.throwIfAborted();
      if ((seen += 1) > mostEntries) return;
      const [path, isFolder] = [here === '' ? entry.name : `${here}/${entry.name}`, entry.isDirectory()];
      if (entry.name === '.git' || isIgnored(path, isFolder, rules)) continue;
      const bytes = isFolder ? 0 : await sizeOf(join(folder, entry.name));
      yield { path, isFolder, bytes };
      if (isFolder && level > 1) yield* below(join(folder, entry.name), level - 1, rules);
    }
  }
  yield* below(from, depth, await rulesAbove(root, from));
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const known = entries.filter((entry) => entry.isFile() || entry.isDirectory()); // a link may lead anywhere
  return known.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

/** The rules of the folders on the way down to where a walk begins. */
async function rulesAbove(root: string, from: string): Promise<IgnoreRule[]> {
  const steps = slashed(relative(root, from))
    .split('/')
    .filter((step) => step !== '');
  const rules: IgnoreRule[] = [];
  for (let at = 0; at < steps.length; at++) {
    const here = steps.slice(0, at).join('/');
    rules.push(...(await rulesIn(join(root, here), here === '' ? '' : `${here}/`)));
  }
  return rules;
}

async function rulesIn(folder: string, here: string): Promise<IgnoreRule[]> {
  const text = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => '');
  return text.length > 1_000_000 ? [] : ignoreRules(text, here);
}

const slashed = (path: string): string => path.replaceAll(sep, '/');
