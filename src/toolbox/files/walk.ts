// A folder in, what lies in it out, in order: without what a `.gitignore` leaves out, without following links, and with
// an end however much there is.
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { clipped } from '../../content/text.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { fromFile, rootOf } from '../../media/bytes.ts';
import { ignoreRules, isIgnored } from './pattern.ts';
import type { IgnoreRule } from './pattern.ts';

/** `path` is relative to the root, with slashes. */
export type FoundFile = { path: string; isFolder: boolean };

/** `cut`: there was more than anybody looks through. */
export type Walked = { files: FoundFile[]; cut: boolean };

/** Where a walk begins: the root that a model knows, the folder in it, and how paths in that folder begin. */
export type Start = { root: string; from: string; here: string };

export const mostEntries = 50_000;
const largestRules = 1_000_000;

/** The folder that is meant, if it lies in a root, wherever links lead. */
export async function startIn(path: string, roots: readonly string[]): Promise<Read<Start>> {
  const wanted = isAbsolute(path) ? path : resolve(roots[0] ?? '.', path);
  const from = await realpath(wanted).catch(() => undefined);
  const root = await rootOf(from ?? wanted, roots);
  const shown = clipped(path, 200);
  if (root === undefined)
    return refuse('not-allowed', `${shown} lies outside the allowed folders`, 'Name a folder inside them.');
  if (from === undefined) return refuse('not-found', `There is no folder ${shown}`, 'List the folder above it.');
  if (!(await stat(from)).isDirectory()) return refuse('unsupported', `${shown} is no folder`, 'read_file reads it.');
  return { ok: true, value: { root, from, here: placeOf(root, from) } };
}

/** Everything below a folder down to a depth, each folder before what is in it. */
export async function filesBelow({ root, from }: Start, depth: number, signal?: AbortSignal): Promise<Walked> {
  const files: FoundFile[] = [];
  let left = mostEntries;
  const look = async (folder: string, level: number, above: readonly IgnoreRule[]): Promise<void> => {
    const here = placeOf(root, folder);
    const rules = [...above, ...(await rulesIn(root, here))];
    for (const entry of await entriesOf(folder)) {
      signal?.throwIfAborted();
      if ((left -= 1) < 0) return;
      const [path, isFolder] = [`${here}${entry.name}`, entry.isDirectory()];
      if (entry.name === '.git' || isIgnored(path, isFolder, rules)) continue;
      files.push({ path, isFolder });
      if (isFolder && level > 1) await look(join(folder, entry.name), level - 1, rules);
    }
  };
  await look(from, depth, await rulesAbove(root, from));
  return { files, cut: left < 0 };
}

/** A text in a root, as everything is read that a model asks for: no link that appeared meanwhile, no pipe, no device. */
export async function textOfFile(root: string, path: string, maxBytes: number): Promise<Read<string>> {
  const opened = await fromFile(join(root, path), { roots: [root] });
  if (!opened.ok) return opened;
  const { decodeLoosely, decodeText } = await import('../../media/text/decode.ts');
  try {
    const bytes = await opened.value.all(maxBytes);
    if (bytes === undefined) return refuse('too-large', `${path} is too large`, 'Read a part of it.');
    const text = decodeText(bytes) ?? (bytes.includes(0) ? undefined : decodeLoosely(bytes)?.text);
    return text === undefined ? noText(path) : { ok: true, value: text };
  } catch {
    return noText(path); // a disk that fails in the middle
  } finally {
    await opened.value.close();
  }
}

const noText = (path: string): Read<string> => refuse('unsupported', `${path} is no text`, 'read_file shows it.');

/** The names in a folder. A link may lead anywhere, and so may a folder that was exchanged for one. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const isStill = (await realpath(folder).catch(() => undefined)) === folder;
  const known = isStill ? entries.filter((entry) => entry.isFile() || entry.isDirectory()) : [];
  return known.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A folder as it stands before the names in it: nothing for the root, else with a slash at its end. */
function placeOf(root: string, folder: string): string {
  const way = relative(root, folder).replaceAll(sep, '/');
  return way === '' ? '' : `${way}/`;
}

/** The rules of the folders on the way down to where a walk begins. */
async function rulesAbove(root: string, from: string): Promise<IgnoreRule[]> {
  const steps = placeOf(root, from).split('/').slice(0, -1);
  const places = steps.map((_, at) =>
    steps
      .slice(0, at)
      .map((step) => `${step}/`)
      .join(''),
  );
  return (await Promise.all(places.map((place) => rulesIn(root, place)))).flat();
}

async function rulesIn(root: string, place: string): Promise<IgnoreRule[]> {
  const text = await textOfFile(root, `${place}.gitignore`, largestRules);
  return text.ok ? ignoreRules(text.value, place) : [];
}
