// Who writes: a process of a machine, and whether it is still there.
import { hostname } from 'node:os';
import type { LeaseHolder } from './port.ts';

/** This process. */
export function thisHolder(): LeaseHolder {
  return { host: hostname(), process: process.pid };
}

/** Whether it is known that the process ended; of other machines nothing is known. */
export function isOver({ host, process: pid }: LeaseHolder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
