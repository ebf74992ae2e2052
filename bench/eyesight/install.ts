// The weights of PP-OCRv4 and what runs them, installed when they are not there yet.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('./', import.meta.url);

/** Why the eye cannot be had; nothing where it is there. Its install script would only bring what graphics cards need. */
export function installEye(): string | undefined {
  if (existsSync(new URL('node_modules/.package-lock.json', folder))) return undefined;
  process.stderr.write('installing PP-OCRv4\n');
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  });
  return status === 0 ? undefined : `npm ci in bench/eyesight/ ended with ${status}: ${stderr.toString().slice(-500)}`;
}
