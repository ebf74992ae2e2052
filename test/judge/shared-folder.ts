// Finds the folder with the specifications and recordings, which lies beside the repository and not in it.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryFolder: string = fileURLToPath(new URL('../../', import.meta.url));

/** `SIGHTLINE_SHARED`, or `../shared` seen from the repository. */
export function sharedFolder(): string {
  return resolve(repositoryFolder, process.env['SIGHTLINE_SHARED'] ?? '../shared');
}

/** The path of a shared file, or undefined in a clone that has none. */
export function sharedFile(name: string): string | undefined {
  const path = resolve(sharedFolder(), name);
  return existsSync(path) ? path : undefined;
}
