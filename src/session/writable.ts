// Whether a home can be written, before anybody tries: what stands in the way, in words.
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What keeps us from writing there, such as `/home/ada/.sightline cannot be written`; nothing when we may. */
export function unwritable(home: string): string | undefined {
  const inside = ['sessions.db', 'assets', 'locks'].map((name) => join(home, name)).filter(isThere);
  if (isThere(home)) return [home, ...inside].map(hindrance).find((what) => what !== undefined);
  let above = dirname(home);
  while (!isThere(above) && above !== dirname(above)) above = dirname(above);
  const what = hindrance(above);
  return what === undefined ? undefined : `${home} cannot be made: ${what}`;
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function hindrance(path: string): string | undefined {
  if (!path.endsWith('.db') && !statSync(path).isDirectory()) return `${path} is no folder`;
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch {
    return `${path} cannot be written`;
  }
}
