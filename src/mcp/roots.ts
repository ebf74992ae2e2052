// The folders a client's model may read. Our own are the default. A client that started us may name others; one that
// came over the network may only name folders inside ours.
import { realpathSync } from 'node:fs';
import { relative, resolve, isAbsolute, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord } from '../content/json.ts';

type RootRules = { own: readonly string[]; narrow: boolean };

/** `answer` is what the client says to `roots/list`; without usable folders in it ours stand. */
export function allowedRoots(answer: unknown, { own, narrow }: RootRules): readonly string[] {
  const named = (isRecord(answer) && Array.isArray(answer['roots']) ? answer['roots'] : []).flatMap(folderOf);
  if (!narrow) return named.length > 0 ? named : own;
  if (named.length === 0) return own;
  const ours = own.map(real);
  return named.filter((folder) => ours.some((root) => isInside(real(folder), root)));
}

function folderOf(root: unknown): string[] {
  const uri = isRecord(root) ? root['uri'] : undefined;
  if (typeof uri !== 'string') return [];
  try {
    return [fileURLToPath(uri)];
  } catch {
    return []; // a root on another machine, or of another kind
  }
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

function isInside(folder: string, root: string): boolean {
  const way = relative(root, folder);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
