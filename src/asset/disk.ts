// The part of a disk on which it depends whether something survives a power cut: stores take it as a parameter, so that a
// test can be a disk that forgets what was not synced.
import { open, rename } from 'node:fs/promises';

/** The two acts of a disk that can lose something, so that a test may let them fail. */
export type Disk = { open: typeof open; rename: typeof rename };

/** The disk of this machine. */
export const systemDisk: Disk = { open, rename };

/** Without this a crash may forget a new name although the bytes are on disk. */
export async function syncFolder(disk: Disk, folder: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open a folder for syncing
  const handle = await disk.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
