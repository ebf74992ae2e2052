// What the test programs share: a job that takes long, and the children of the running program.
import { execFileSync } from 'node:child_process';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { read } from '../../../src/media/index.ts';
import type { ReadOptions } from '../../../src/media/index.ts';
import { slowPdf } from '../make.ts';

/** The processes this program has started and that still live, with the seconds they have worked. */
function processes(): { pid: number; seconds: number }[] {
  try {
    const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,time=,comm='], { encoding: 'utf8' });
    const rows = listed
      .trim()
      .split('\n')
      .map((row) => row.trim().split(/\s+/));
    return rows
      .filter(([, parent, , name]) => Number(parent) === process.pid && name !== 'ps')
      .map(([pid, , time = '']) => ({ pid: Number(pid), seconds: secondsOf(time) }));
  } catch {
    return [];
  }
}

/** Hours, minutes and seconds as `ps` writes them. */
function secondsOf(time: string): number {
  return time.split(/[-:]/).reduce((sum, part) => sum * 60 + Math.floor(Number(part)), 0);
}

export function children(): number[] {
  return processes().map(({ pid }) => pid);
}

/** A reading that keeps a child busy for seconds, begun and not awaited. */
export function slowRead(options: ReadOptions = {}): ReturnType<typeof read> {
  return read(slowPdf(2_000_000 / 4), { name: 'slow.pdf', as: 'image', ...options });
}

/** Until a child is at work: starting alone takes less than a second of its time, however busy the machine is. */
export async function busyChild(): Promise<number> {
  for (;;) {
    const busy = processes().find(({ seconds }) => seconds >= 1);
    if (busy !== undefined) return busy.pid;
    await wait(20);
  }
}

/** Whether these processes all end soon. */
export async function gone(pids: readonly number[]): Promise<boolean> {
  for (let tries = 0; tries < 3000; tries += 1) {
    if (!children().some((pid) => pids.includes(pid))) return true;
    await turn();
    execFileSync('sleep', ['0.02']); // a program may have stopped its own clock
  }
  return false;
}

export function report(value: unknown): void {
  console.log(JSON.stringify(value));
}
