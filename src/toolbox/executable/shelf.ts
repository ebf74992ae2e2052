// Putting tools into a folder and out of it. A new version is written aside and asked for its spec; only when it is good
// does it take the place of the old one, and the old one goes to the archive.
import { randomUUID } from 'node:crypto';
import { chmodSync, copyFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { refuse } from '../../content/refusal.ts';
import type { Read } from '../../content/refusal.ts';
import { askSpecs, stem, takenBy } from './discover.ts';
import type { Asking } from './discover.ts';
import { placeHelper } from './helpers.ts';
import { statsOf } from './place.ts';
import type { ExecutableSpec } from './spec.ts';
import { makeFolder } from '../../config/make-folder.ts';

/** `beside`: the names of the tools that lie in the same folder, and the file of each. */
type Install = { file: string; code: string | Uint8Array; replace: boolean; beside: ReadonlyMap<string, string> };

type Installed = { file: string; specs: ExecutableSpec[]; /** Where the old version is. */ archived?: string };

/** Writes a tool, if it is a good one. Whatever happens, a version that worked is still there. */
export async function installTool({ file, code, replace, beside }: Install, asking: Asker): Promise<Read<Installed>> {
  const exists = statsOf(file) !== undefined;
  const name = basename(file);
  if (exists && !replace)
    return refuse('not-allowed', `There is a tool in ${name} already`, 'Say --replace, or choose another name.');
  const folder = dirname(file);
  makeFolder(folder);
  placeHelper(folder, file);
  const aside = join(folder, `.${stem(file)}-${randomUUID()}${extname(file)}`);
  try {
    writeFileSync(aside, code);
    chmodSync(aside, 0o755);
    const asked = await askSpecs(aside, asking);
    if ('state' in asked) {
      const kept = exists ? ' The old version is still in place.' : '';
      const why = nameless(asked.why, aside, file);
      return refuse('corrupt', `${name} is no tool: ${why}`, `Correct it and try again.${kept}`);
    }
    for (const { name: called } of asked.specs) {
      const other = beside.get(called);
      if (other === undefined) continue;
      const what = `${name} is not put there: ${takenBy(called, other)}`;
      return refuse('not-allowed', what, `Give it another name, or first: sightline tools archive ${called}`);
    }
    const archived = exists ? archivedPath(file) : undefined;
    if (archived !== undefined) {
      makeFolder(dirname(archived));
      copyFileSync(file, archived);
    }
    renameSync(aside, file);
    return { ok: true, value: { file, specs: asked.specs, ...(archived !== undefined && { archived }) } };
  } finally {
    rmSync(aside, { force: true });
  }
}

type Asker = Pick<Asking, 'cwd' | 'environment' | 'signal'>;

/** The name a tool was tried under is nobody's business. */
function nameless(words: string | undefined, aside: string, file: string): string {
  return (words ?? '').replaceAll(aside, file).replaceAll(basename(aside), basename(file));
}

/** Takes a tool out of its folder and keeps it. */
export function archiveTool(file: string): string {
  const archived = archivedPath(file);
  makeFolder(dirname(archived));
  renameSync(file, archived);
  return archived;
}

/** `.archive/shot_20261115_093000.py`, by the clock of the place. */
function archivedPath(file: string): string {
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
  const [date = '', time = ''] = local.replaceAll(/[-:]|\..*/g, '').split('T');
  const base = join(dirname(file), '.archive', `${stem(file)}_${date}_${time}`);
  for (let count = 1; ; count++) {
    const path = `${base}${count === 1 ? '' : `_${count}`}${extname(file)}`;
    if (statsOf(path) === undefined) return path;
  }
}

/** Puts the newest archived version of a tool back. */
export function restoreTool(folder: string, name: string): Read<string> {
  const pattern = /^(.+)_\d{8}_\d{6}(?:_\d+)?(\.\w+)?$/;
  const shelf = join(folder, '.archive');
  const kept = (statsOf(shelf) ? readdirSync(shelf) : []).toSorted();
  const newest = kept.findLast((one) => pattern.exec(one)?.[1] === name);
  if (newest === undefined) {
    const names = [...new Set(kept.flatMap((one) => pattern.exec(one)?.[1] ?? []))].join(', ');
    const next =
      names === ''
        ? 'Nothing is archived yet; "sightline tools archive NAME" puts a tool there.'
        : `Restore one of these: ${names}.`;
    return refuse('not-found', `No archived tool is called ${name}`, next);
  }
  const file = join(folder, `${name}${pattern.exec(newest)?.[2] ?? ''}`);
  if (statsOf(file))
    return refuse('not-allowed', `There is a tool in ${basename(file)} already`, 'Archive that one first.');
  renameSync(join(shelf, newest), file);
  return { ok: true, value: file };
}
