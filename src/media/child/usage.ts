// The id of a process in; out, what it has used: the memory it holds and the processor time it had.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Where the system does not tell: no memory, and all the time in the world. */
type Usage = { residentBytes: number; cpuMs: number };

const unknown: Usage = { residentBytes: 0, cpuMs: Number.POSITIVE_INFINITY };
const tickMs = 10; // Linux tells hundredths of a second, whatever its own clock

/** What a child really holds: WebAssembly and native memory do not show in any JavaScript limit. */
export async function processUsage(pid: number | undefined): Promise<Usage> {
  if (pid === undefined || process.platform === 'win32') return unknown;
  try {
    if (process.platform !== 'linux') {
      const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=,time=', '-p', String(pid)]);
      const [kilobytes, time = ''] = stdout.trim().split(/\s+/);
      return { residentBytes: Number(kilobytes) * 1024 || 0, cpuMs: clockMs(time) };
    }
    const [status, stat] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'latin1'),
      readFile(`/proc/${pid}/stat`, 'latin1'),
    ]);
    // The name of the program, in brackets, may hold anything; what follows it is counted from the state on.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      residentBytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024,
      cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs,
    };
  } catch {
    return unknown; // the process has just ended, which its exit event tells
  }
}

/** `1:02.50` or `01:01:02`, in milliseconds. */
function clockMs(time: string): number {
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
}
