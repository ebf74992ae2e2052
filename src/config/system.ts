// What the operating system is asked by whoever writes small files or looks after other processes: why it refused, a file
// that is there whole or not at all, whether a process still runs.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRecord } from '../content/json.ts';
import { makeFolder } from './make-folder.ts';

/** The word with which the system, or a library, says what went wrong, such as `ENOENT`; nothing where it says none. */
export function errorCode(error: unknown): string | undefined {
  return isRecord(error) && typeof error['code'] === 'string' ? error['code'] : undefined;
}

/** Writes a file of the home that only its owner may read. It appears whole: nobody ever reads the half of it. */
export function writePrivately(file: string, text: string): void {
  const aside = `${file}.${process.pid}.new`;
  makeFolder(dirname(file), 0o700);
  try {
    writeFileSync(aside, text, { mode: 0o600 });
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/** Whether a process of this machine still runs; that of somebody else may not be asked, so it does. */
export function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
