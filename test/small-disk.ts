// A small disk in memory, for what happens on one that is full. Only root on Linux can mount one.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const noSmallDisk = 'only root on Linux can mount a disk that is full';

export type SmallDisk = Disposable & {
  folder: string;
  /** Takes all the room that is left; what is given takes it no longer. */
  fill(): () => void;
  /** As `mount -o remount` takes it: `size=4m`, `ro`. */
  remount(options: string): void;
};

/** A disk of so many megabytes; undefined, and told, where nobody may mount one. */
export function openSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'sightline disk ü-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    console.warn(`skipped: ${noSmallDisk}`);
    return undefined;
  }
  return {
    folder,
    fill: () => filled(join(folder, 'filler')),
    remount: (options) => void execFileSync('mount', ['-o', `remount,${options}`, folder]),
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function filled(path: string): () => void {
  const file = openSync(path, 'a');
  for (const size of [1024 * 1024, 4096])
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch {
      // it is full
    }
  closeSync(file);
  return () => rmSync(path);
}
