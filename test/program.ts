// Programs that a test writes and has started at once. Tests of several files run in one process, and whatever another of
// them starts just then holds a file that we write open for a moment: the system refuses to start such a file. A process
// that writes it alone leaves it to nobody.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Writes a file that can be started. */
export function writeProgram(file: string, text: string | Uint8Array): void {
  execFileSync('/bin/sh', ['-c', '/bin/cat > "$0" && /bin/chmod 755 "$0"', file], { input: text });
}

/** Whether a process is there; one that has ended and that nobody has taken note of yet is not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
