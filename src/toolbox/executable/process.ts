// A command in, what it printed and how it ended out. It runs in a process group of its own with bounds on time and
// output, and when it is over nothing of it is left: the group is asked to end, then ended, and what left the group is
// found by the mark of this run in its environment. Never throws.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { errorCode } from '../../config/system.ts';

export type Command = { file: string; words: readonly string[] };

type RunOptions = {
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** What goes to stdin; without it stdin is empty. */
  stdin?: string;
  timeoutMs: number;
  graceMs: number;
  outputBytes: number;
  errorBytes: number;
  signal?: AbortSignal;
  /** The newest line on stderr, for whoever watches. */
  onLine?: (line: string) => void;
};

export type End =
  | { type: 'exited'; code: number }
  | { type: 'killed'; signal: string }
  | { type: 'not-started'; code: string }
  | { type: 'timed-out' | 'flooded' | 'cancelled' };

export type Ran = { end: End; stdout: Buffer; stderr: string };

/** The variable that marks all processes of one run, wherever they go. */
export const markName = 'SIGHTLINE_RUN';
const isWindows = process.platform === 'win32';
/** How long a pipe may stay open after the process that was asked has ended, and then after the others were. */
const drainMs = { first: 300, last: 3000 };

/** How long a file that somebody still writes is waited for, time after time. */
const busyMs = [5, 10, 20, 40, 80, 160, 320];

/** Runs a command to its end, whatever that is. */
export async function runProcess(command: Command, options: RunOptions): Promise<Ran> {
  for (const ms of busyMs) {
    const ran = await runOnce(command, options);
    // A file just written is busy while any other process that starts at this moment holds it open.
    if (ran.end.type !== 'not-started' || ran.end.code !== 'ETXTBSY') return ran;
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
  return runOnce(command, options);
}

function runOnce({ file, words }: Command, options: RunOptions): Promise<Ran> {
  const { cwd, stdin, signal } = options;
  if (signal?.aborted) return Promise.resolve(ranNothing({ type: 'cancelled' }));
  const mark = randomUUID();
  let child: ChildProcess;
  try {
    const env = { ...options.env, [markName]: mark };
    child = spawn(file, words, {
      cwd,
      env,
      detached: !isWindows,
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    return Promise.resolve(ranNothing({ type: 'not-started', code: codeOf(error) }));
  }
  return watch(child, mark, options);
}

function watch(child: ChildProcess, mark: string, options: RunOptions): Promise<Ran> {
  const { stdin, timeoutMs, graceMs, signal } = options;
  const stdout = firstBytes(options.outputBytes);
  const stderr = lastBytes(options.errorBytes);
  let ended: End | undefined; // by us
  let force: NodeJS.Timeout | undefined;
  let told = 0;

  const stop = (end: End): void => {
    if (ended) return;
    ended = end;
    endGroup(child, 'SIGTERM');
    force = setTimeout(() => endGroup(child, 'SIGKILL'), graceMs);
  };
  const abort = (): void => stop({ type: 'cancelled' });
  const limit = setTimeout(() => stop({ type: 'timed-out' }), timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  track(child);

  child.stdout?.on('data', (chunk: Buffer) => {
    if (!ended && !stdout.take(chunk)) stop({ type: 'flooded' });
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr.take(chunk);
    told += chunk.length;
    if (told > options.outputBytes) stop({ type: 'flooded' });
    const line = chunk
      .toString()
      .trimEnd()
      .split(/[\r\n]/)
      .at(-1)
      ?.trim();
    if (line && !ended) options.onLine?.(line.slice(0, 500));
  });
  child.stdin?.on('error', () => undefined); // a tool need not read what it is given
  if (stdin !== undefined) child.stdin?.end(stdin);

  return new Promise((resolve) => {
    let drain: NodeJS.Timeout | undefined;
    const finish = (end: End): void => {
      clearTimeout(limit);
      clearTimeout(force);
      clearTimeout(drain);
      signal?.removeEventListener('abort', abort);
      live.delete(child);
      if (ended) endMarked(mark);
      resolve({ end: ended ?? end, stdout: stdout.all(), stderr: stderr.text() });
    };
    child.on('error', (error) => {
      if (child.pid === undefined) finish({ type: 'not-started', code: codeOf(error) });
    });
    let end: End = { type: 'exited', code: 0 };
    child.on('exit', (code, by) => {
      end = by === null ? { type: 'exited', code: code ?? 0 } : { type: 'killed', signal: by };
      clearTimeout(limit);
      endGroup(child, 'SIGKILL'); // what it left running in the background
      drain = setTimeout(() => {
        endMarked(mark);
        // Now the pipes close by themselves when all is read, unless somebody got away with them.
        drain = setTimeout(() => {
          child.stdout?.destroy();
          child.stderr?.destroy();
        }, drainMs.last);
      }, drainMs.first);
    });
    child.on('close', () => {
      if (child.pid !== undefined) finish(end);
    });
  });
}

function ranNothing(end: End): Ran {
  return { end, stdout: Buffer.alloc(0), stderr: '' };
}

function codeOf(error: unknown): string {
  return errorCode(error) ?? String(error);
}

/** Bytes up to a bound; says when there are more. */
function firstBytes(max: number): { take: (chunk: Buffer) => boolean; all: () => Buffer } {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    take(chunk) {
      const room = max - size;
      chunks.push(chunk.subarray(0, room));
      size += Math.min(chunk.length, room);
      return chunk.length <= room;
    },
    all: () => Buffer.concat(chunks),
  };
}

/** The last bytes, as text. */
function lastBytes(max: number): { take: (chunk: Buffer) => void; text: () => string } {
  let kept = Buffer.alloc(0);
  return {
    take(chunk) {
      kept = Buffer.concat([kept, chunk]).subarray(-max);
    },
    text: () => kept.toString('utf8').replace(/^\uFFFD+/, ''),
  };
}

/** What runs now; each entry goes when its process has ended. */
export const live: Set<ChildProcess> = new Set();

/** What is at work when the program ends must end with it. */
export function track(child: ChildProcess): void {
  if (!isListening) process.on('exit', () => live.forEach((one) => endGroup(one, 'SIGKILL')));
  isListening = true;
  live.add(child);
}

let isListening = false;

/** Signals a process and everything in its group. */
export function endGroup(child: ChildProcess, by: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (isWindows) child.kill(by);
    else process.kill(-child.pid, by);
  } catch {
    // nobody is left in the group
  }
}

/** Linux: ends processes that began a group of their own but carry the mark of this run. */
export function endMarked(mark: string): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (readFileSync(`/proc/${name}/environ`, 'latin1').includes(`${markName}=${mark}`)) {
        process.kill(Number(name), 'SIGKILL');
      }
    } catch {
      // it has ended, or belongs to somebody else
    }
  }
}
