// What the test programs share: a job that takes long, and the children of the running program.
import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { read } from '../../../src/media/index.ts';
import type { ReadOptions } from '../../../src/media/index.ts';
import { slowPdf } from '../make.ts';

/** The processes this program has started and that still live. */
export function children(): number[] {
  try {
    const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' });
    const rows = listed
      .trim()
      .split('\n')
      .map((row) => row.trim().split(/\s+/));
    return rows
      .filter(([, parent, name]) => Number(parent) === process.pid && name !== 'ps')
      .map(([pid]) => Number(pid));
  } catch {
    return [];
  }
}

/** A reading that keeps a child busy for seconds, begun and not awaited. */
export function slowRead(options: ReadOptions = {}): ReturnType<typeof read> {
  return read(slowPdf(2_000_000 / 4), { name: 'slow.pdf', as: 'image', ...options });
}

/** Until a child is at work. */
export async function busyChild(): Promise<number> {
  for (;;) {
    const [pid] = children();
    if (pid !== undefined) {
      await wait(500);
      return pid;
    }
    await wait(20);
  }
}

export function report(value: unknown): void {
  console.log(JSON.stringify(value));
}
