// The version of the package.
import { readFileSync } from 'node:fs';

/** The same file lies two folders up from the source and from the built program. */
export function version(): string {
  const { version: found } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return found;
}
