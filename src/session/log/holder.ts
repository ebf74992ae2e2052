// Who writes: a process of a machine, and whether it is still there.
import { hostname } from 'node:os';
import { isRunning } from '../../config/system.ts';
import type { LeaseHolder } from './port.ts';

/** This process. */
export function thisHolder(): LeaseHolder {
  return { host: hostname(), process: process.pid };
}

/** Whether it is known that the process ended; of other machines nothing is known. */
export function isOver({ host, process: pid }: LeaseHolder): boolean {
  return host === hostname() && !isRunning(pid);
}
