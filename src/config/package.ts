// Where this package lies, and the files in it that are opened by name. `src/` and `dist/` have the same tree of them;
// this module lies one folder below its root in both, in `dist/` inside a chunk.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = new URL('../', import.meta.url);
const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/** The folder with the manifest, without a slash at its end. */
export const packageFolder: string = fileURLToPath(new URL('../', modules)).replace(/[/\\]$/, '');

/** The version of the package. */
export function packageVersion(): string {
  const manifest = readFileSync(join(packageFolder, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** A module that is started as a program of its own, by its path below `src/` without the ending. */
export function programFile(path: string): URL {
  return new URL(`${path}${ending}`, modules);
}

/** A folder beside the modules, by its path below `src/`. */
export function folderOf(path: string): string {
  return fileURLToPath(new URL(path, modules));
}
