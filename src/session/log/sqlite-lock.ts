// One writer per session: a lock file that the system lets go of when its process dies, however it dies.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { sqlite } from './database.ts';
import { writtenElsewhere } from './port.ts';
import { makeFolder } from '../../config/make-folder.ts';

/** The locks that this program holds. */
const ours = new Set<string>();

/** Takes the lock of a session, and gives the way to let go of it; throws when somebody else has it. */
export function lockSession(locks: string, id: string): () => void {
  makeFolder(locks, 0o700);
  const path = join(realpathSync(locks), `${id}.lock`);
  const handle = new (sqlite().DatabaseSync)(path); // which waits for nobody
  try {
    handle.exec('BEGIN EXCLUSIVE'); // the system lets go of it when this process dies, however it dies
  } catch (error) {
    handle.close();
    if ((error as { errcode?: number }).errcode === 5) throw writtenElsewhere(id, ours.has(path) ? 'us' : 'others');
    throw error;
  }
  ours.add(path);
  return () => {
    ours.delete(path);
    handle.close();
  };
}
