// The version of the package.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../config/package.ts';

export function version(): string {
  const { version: found } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  return found;
}
