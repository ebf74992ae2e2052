// Brings what the tests need and `npm ci` does not: the parts of Sightline that are installed on demand, and programs of
// others that judge it. What is there already is left; where npm cannot bring something, it says why.
//   npm run bring
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argumentsOf } from './arguments.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders with a lock file of their own. */
const folders = ['parts/ocr', 'parts/heic', 'parts/jq', 'parts/tokenizer', 'test/judge', 'test/mcp/judges'];

/** Installs what is missing or of other versions than its lock file says. */
export function bringAll(wanted: readonly string[] = folders): void {
  for (const folder of wanted) if (!isCurrent(join(root, folder))) bring(folder);
}

function isCurrent(folder: string): boolean {
  const installed = join(folder, 'node_modules/.package-lock.json');
  return existsSync(installed) && versions(installed) === versions(join(folder, 'package-lock.json'));
}

type Lock = { packages: Record<string, { version?: string; optional?: boolean }> };

/** Packages for other systems are in the lock file only. */
function versions(file: string): string {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as Lock;
  const needed = Object.entries(packages).filter(([path, { optional }]) => path !== '' && optional !== true);
  return needed.map(([path, { version }]) => `${path}@${version}`).join(' ');
}

function bring(folder: string): void {
  console.log(`installing ${folder}`);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    execFileSync('npm', ['ci', '--prefix', join(root, folder), ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    console.warn(`${said}\nTests that need ${folder} fail. "npm run bring" tries again.`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  argumentsOf(import.meta.filename, {});
  bringAll();
}
