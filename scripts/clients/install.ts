// Clients are installed once, each version into a folder of its own that is kept.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RealClient } from './clients.ts';

const cache = process.env['SIGHTLINE_CLIENTS'] ?? join(homedir(), '.cache', 'sightline-clients');

/** Installs a client, unless it is there already, and gives the folder of its program. */
export async function installed({ name, package: from, version }: RealClient): Promise<string> {
  const folder = join(cache, `${name}-${version}`);
  const bin = join(folder, 'node_modules', '.bin');
  if (!existsSync(bin)) {
    console.log(`installing ${from}@${version} …`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', `${from}@${version}`], { cwd: folder });
  }
  return bin;
}
