// The other libraries, installed when they are not there yet or not as the lock file says. A failure is told, not thrown:
// what could not be installed is missing from the comparison, and the rest goes on.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('./', import.meta.url);

export function installPeers(): string | undefined {
  const [lock, done] = ['package-lock.json', 'node_modules/.package-lock.json'].map((name) => new URL(name, folder));
  if (!lock || !done) return undefined;
  if (existsSync(done) && statSync(done).mtimeMs >= statSync(lock).mtimeMs) return undefined;
  process.stderr.write('installing the other libraries\n');
  const { status, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  });
  return status === 0 ? undefined : `npm ci in bench/ ended with ${status}: ${stderr.toString().slice(-500)}`;
}

/** The versions that the package asks for. */
export function peerVersions(): Record<string, string> {
  const file = readFileSync(new URL('package.json', folder), 'utf8');
  return (JSON.parse(file) as { dependencies: Record<string, string> }).dependencies;
}
