// The id of a process in, its resident memory in bytes out; 0 where the system does not tell.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What a child really holds: WebAssembly and native memory do not show in any JavaScript limit. */
export async function residentBytes(pid: number | undefined): Promise<number> {
  if (pid === undefined || process.platform === 'win32') return 0;
  try {
    if (process.platform !== 'linux') {
      const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
      return Number(stdout) * 1024 || 0;
    }
    const status = await readFile(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0; // the process has just ended, which its exit event tells
  }
}
