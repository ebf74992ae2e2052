// Which files this process has open, as Linux tells it.
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

const folder = '/proc/self/fd';

/** The path of each, once for every time that it is open. */
export function openFiles(): string[] {
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      return []; // the folder itself, which was open while it was listed
    }
  });
}
