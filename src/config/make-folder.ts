// A folder and those above it, for whatever is written to disk.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. Node's own `recursive` tries for ever where the folder above is there and the system
 * still says that there is no such place, as it does under `/proc` and on shares that are not mounted.
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above, mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (!isFolder(path)) throw error; // somebody else may have made it meanwhile
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
