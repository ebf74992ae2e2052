// Notices what may change the list of executables while a program runs: files in the folders of tools, such folders that
// come to be, and trust that is given or taken.
import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { foldersAbove, projectTools, statsOf, trustFile } from './place.ts';

/** A folder to look at, and the only name in it that matters; all do when none is given. */
type Watched = { folder: string; name?: string };

/** Where something can happen that matters: in a folder, or where it would come to be. */
function watchedFor(path: string): Watched {
  if (statsOf(path)?.isDirectory()) return { folder: path };
  let [folder, name] = [dirname(path), basename(path)];
  while (!statsOf(folder)?.isDirectory() && dirname(folder) !== folder)
    [folder, name] = [dirname(folder), basename(folder)];
  return { folder, name };
}

/** A folder that was removed and made again is another one. */
function keyOf({ folder, name = '' }: Watched): string {
  return `${folder}\n${name}\n${statsOf(folder)?.ino ?? ''}`;
}

/** The folders that count: those of the user, and where work is done. */
export type WatchedPlaces = { home: string; silica: string; folder?: string | undefined };

/** Calls back a moment after something changed. Throws when the system cannot watch. */
export function watchPlaces({ home, silica, folder }: WatchedPlaces, changed: () => void): { close: () => void } {
  const open = new Map<string, FSWatcher>();
  let soon: NodeJS.Timeout | undefined;
  const note = (): void => {
    clearTimeout(soon);
    soon = setTimeout(() => {
      try {
        renew();
      } catch {
        // what can no longer be watched is found at the next change elsewhere
      }
      changed();
    }, settleMs).unref();
  };
  const renew = (): void => {
    const projects = folder === undefined ? [] : foldersAbove(folder).map(projectTools);
    const places = [join(home, 'tools'), trustFile(home), silica, ...projects].map(watchedFor);
    const wanted = new Map(places.map((one) => [keyOf(one), one]));
    for (const [key, watcher] of open) {
      if (wanted.has(key)) continue;
      watcher.close();
      open.delete(key);
    }
    for (const [key, { folder: at, name }] of wanted) {
      if (open.has(key)) continue;
      const seen = (_event: string, what: string | null): void => {
        if (name === undefined || what === null || what === name) note();
      };
      open.set(key, watch(at, { persistent: false }, seen).on('error', note));
    }
  };
  renew();
  return {
    close() {
      clearTimeout(soon);
      for (const watcher of open.values()) watcher.close();
    },
  };
}

/** An editor writes a file in several steps. */
const settleMs = 100;
