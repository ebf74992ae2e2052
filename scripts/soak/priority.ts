// Who goes first where there are few cores: a gateway has cores of its own wherever it matters, and is not to wait for the
// processes that start and are killed beside it.
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** From now on this process, and all that it starts, has what those leave that it has started before. */
export function goBehind(): void {
  setPriority(constants.priority.PRIORITY_LOW);
}

/** Linux gives each session as much as any other, however low its processes are. */
export function sessionBehind(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, '19');
  } catch {
    // This kernel knows priorities of processes alone, or the process has ended.
  }
}
