// Jobs in, results or refusals out. At most two child processes do them, one job each, and a third small pictures while
// both are at work on something else; they stay warm and never keep a program alive. Whoever has nothing at work is served
// before those who have. A job that takes too long or too much memory costs its child, never the caller or other jobs; one
// that waits too long is refused.
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { variables } from '../../config/environment.ts';
import { programFile } from '../../config/package.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { JobRules } from '../context.ts';
import type { JobName, Jobs, Reply, Request } from './job.ts';
import { isQuick } from './job.ts';
import type { Shared } from './shared.ts';
import { newShared } from './shared.ts';
import { processUsage } from './usage.ts';

type Task = {
  job: JobName;
  input: unknown;
  rules: JobRules;
  quick: boolean;
  waiting: NodeJS.Timeout;
  /** when it was given to a child, and whether that has said so */
  began: number;
  begun: boolean;
  starts: number;
  settle(result: Read<unknown>): void;
};
type Lane = 'any' | 'quick';
type Child = { process: ChildProcess; lane: Lane; shared: Shared; task?: Task; quiet?: NodeJS.Timeout };

const mostChildren: Readonly<Record<Lane, number>> = { any: 2, quick: 1 };
const keepBytes = 512 * 1024 * 1024; // a child that grew beyond this is not kept for the next job
const quietMs = 30_000; // nor one that nobody needed for so long
const lookMs = 100;
const fewWaiting = 2;
const soonMs = 1000;
const mostWaiting = 4; // times its limit, for a job that hardly gets to work

/** All a decoder may know of our environment: where things are, no keys. */
const environment = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'SIGHTLINE_HOME',
  'TMPDIR',
  'TMP',
  'TEMP',
  'LANG',
  'LC_ALL',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'SystemRoot',
];

const children = new Set<Child>();
const queue: Task[] = [];
let lookAgain: NodeJS.Timeout | undefined;

/** Does a job in a child process; whatever happens to the child becomes a refusal that names the file. */
export function runJob<K extends JobName>(
  job: K,
  input: Jobs[K]['input'],
  rules: JobRules,
): Promise<Read<Jobs[K]['output']>> {
  const { signal, name } = rules;
  const cancelled = refuse('cancelled', `Reading ${name} was cancelled`, 'Read it again when it is needed.');
  if (signal?.aborted === true) return Promise.resolve(cancelled);
  return new Promise((resolve) => {
    const abort = (): void => stop(task, cancelled);
    const settle = (result: Read<unknown>): void => {
      signal?.removeEventListener('abort', abort);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the child answers the job it was given
      resolve(result as Read<Jobs[K]['output']>);
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each job with its own input, as the signature says
    const quick = isQuick({ job, input } as Request);
    const waiting = setTimeout(() => stop(task, waitedTooLong(rules)), rules.waitMs);
    const task: Task = { job, input, rules, quick, waiting, began: 0, begun: false, starts: 0, settle };
    signal?.addEventListener('abort', abort, { once: true });
    queue.push(task);
    assign();
  });
}

function waitedTooLong({ name, waitMs }: JobRules): Read<never> {
  const what = `${name} was not read: it waited too long for other files`;
  return refuse(
    'timed-out',
    what,
    'Read fewer files at once, or read it again later.',
    `${waitMs / 1000} s of waiting`,
  );
}

/** Starts a child ahead of a job that is sure to come. */
export function warm(job: JobName): void {
  if (children.size === 0) spawn(job, 'any');
}

function assign(): void {
  while (serve('any') || serve('quick'));
}

/** Gives the next job to a child of this lane; false when there is none of either. */
function serve(lane: Lane): boolean {
  const task = nextFor(lane);
  if (task === undefined) return false;
  const own = [...children].filter((child) => child.lane === lane);
  const free = own.find((child) => child.task === undefined);
  if (free === undefined && (own.length >= mostChildren[lane] || isSoonServed(task, lane))) return false;
  const child = free ?? spawn(task.job, lane);
  if (child === undefined && [...children].some((one) => one.lane === 'any')) return false; // one of these takes it
  queue.splice(queue.indexOf(task), 1);
  if (child === undefined) neverBegun(task);
  else begin(child, task);
  return true;
}

/** Whether a small picture waits for few others of its kind: they are done sooner than another child starts. One that is
 * not done by then is only said to be small, and nobody waits for it any longer. */
function isSoonServed({ quick }: Task, lane: Lane): boolean {
  const fresh = Date.now() - soonMs;
  const behind = quick && [...children].some(({ task }) => task?.quick === true && task.began > fresh);
  if (!behind || (lane === 'any' && queue.length > fewWaiting)) return false;
  lookAgain ??= setTimeout(() => {
    lookAgain = undefined;
    assign();
  }, soonMs).unref();
  return true;
}

/** The job that waits longest, of those for whom nothing is at work if there are any. */
function nextFor(lane: Lane): Task | undefined {
  const served = new Set([...children].flatMap(({ task }) => (task === undefined ? [] : [task.rules.owner])));
  let first: Task | undefined;
  for (const task of queue) {
    const cancelled = task.rules.signal?.aborted === true; // its own listener is about to settle it
    if (cancelled || (lane === 'quick' && !task.quick)) continue;
    if (!served.has(task.rules.owner)) return task;
    first ??= task;
  }
  return first;
}

/** What a picture took stays with the child for the next: the system's allocator would give it back and fetch it anew, a page at
 * a time. Allocators other than glibc's do not know these words. */
const allocator = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(32 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(64 * 1024 * 1024),
};

/** Nothing where the system has no process, no memory or no file left for one. */
function spawn(job: JobName, lane: Lane): Child | undefined {
  const shared = newShared();
  const started = forked(job, shared);
  if (started === undefined) {
    shared.close();
    return undefined;
  }
  const child: Child = { process: started, lane, shared };
  children.add(child);
  rest(child);
  started.on('message', (message: unknown) => {
    if (!children.has(child)) return; // it was given up in the same moment
    const reply = taken(shared, message);
    if (reply === undefined) lose(child);
    else if ('result' in reply) finish(child, reply.result, reply.residentBytes);
    else if ('progress' in reply) child.task?.rules.progress?.tell(reply.progress);
    else if (child.task !== undefined) child.task.begun = true;
  });
  started.on('error', () => lose(child));
  started.on('exit', () => lose(child));
  return child;
}

/** Nothing when a child says something of its bytes that is not so. */
function taken(shared: Shared, message: unknown): Reply | undefined {
  try {
    const reply = shared.take(message);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a child says nothing else
    return typeof reply === 'object' && reply !== null ? (reply as Reply) : undefined;
  } catch {
    return undefined;
  }
}

function forked(job: JobName, { file }: Shared): ChildProcess | undefined {
  const env = { ...variables(environment), ...allocator };
  try {
    const started = fork(programFile('media/child/main'), file === undefined ? [job] : [job, 'shared'], {
      env,
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', ...(file === undefined ? [] : [file])],
    });
    if (started.pid !== undefined) return started;
    started.on('error', () => undefined); // it says later what is known here
  } catch {
    // Why it does not start depends on the system; that it does not is all that matters.
  }
  return undefined;
}

function begin(child: Child, task: Task): void {
  clearTimeout(child.quiet);
  clearTimeout(task.waiting);
  child.task = task;
  task.began = Date.now();
  task.starts += 1;
  hold(child, true);
  watch(child, task);
  const gapMs = task.rules.progress?.gapMs;
  const request = { job: task.job, input: task.input, ...(gapMs !== undefined && { gapMs }) };
  // Where the file did not get to a child, its next try does without it.
  child.process.send(task.starts > 1 ? request : child.shared.put(request), (error) => error !== null && lose(child));
}

/**
 * Ends the child when its job passes the limits of time or memory. On a busy machine a job may wait long for its turn: it
 * is given up when it has had its time, not when others have, unless even that takes for ever.
 */
function watch(child: Child, task: Task): void {
  const { began } = task;
  const { name, timeoutMs, maxBytes, work } = task.rules;
  const verb = work?.verb ?? 'read';
  let had: number | undefined; // what other jobs took; until the first look this one is thought to have worked all the time
  const look = async (): Promise<void> => {
    const { cpuMs, residentBytes } = await processUsage(child.process.pid);
    if (child.task !== task) return;
    const passed = Date.now() - began;
    had ??= cpuMs - passed;
    const worked = Number.isFinite(cpuMs) ? cpuMs - had : passed;
    if (Math.min(passed, Math.max(worked, passed / mostWaiting)) >= timeoutMs) {
      const limit = `${timeoutMs / 1000} s`;
      return stop(
        task,
        refuse(
          'timed-out',
          `${name} took too long to ${verb}`,
          work?.next ?? 'Read fewer pages or a smaller file.',
          limit,
        ),
      );
    }
    if (residentBytes > maxBytes) {
      const limit = `${Math.round(maxBytes / 1024 / 1024)} MiB of memory`;
      return stop(
        task,
        refuse(
          'too-large',
          `${name} needs too much memory to ${verb}`,
          work?.next ?? 'Use a smaller version of it.',
          limit,
        ),
      );
    }
    setTimeout(() => void look(), lookMs).unref();
  };
  setTimeout(() => void look(), Math.min(lookMs, timeoutMs)).unref();
}

/** Gives a task up, with its child if one is at work on it: native code can only be stopped from outside. */
function stop(task: Task, result: Read<unknown>): void {
  const waiting = queue.indexOf(task);
  if (waiting >= 0) queue.splice(waiting, 1);
  const child = [...children].find((one) => one.task === task);
  if (child !== undefined) discard(child);
  clearTimeout(task.waiting);
  task.settle(result);
  assign();
}

function finish(child: Child, result: Read<unknown>, resident: number): void {
  const { task } = child;
  delete child.task;
  if (resident > keepBytes) discard(child);
  else rest(child);
  task?.settle(result);
  assign();
}

/** Keeps a child for the next job, for a while. */
function rest(child: Child): void {
  clearTimeout(child.quiet);
  hold(child, false);
  child.quiet = setTimeout(() => discard(child), quietMs).unref();
}

/** A child that ended by itself. A job it never began is given to another one; a job it died of is refused. */
function lose(child: Child): void {
  const { task } = child;
  discard(child);
  if (task === undefined) return;
  if (task.begun) {
    const what = `${task.rules.name} cannot be decoded: it crashed the decoder`;
    task.settle(refuse('corrupt', what, 'Get the file again or export it anew.'));
  } else if (task.starts < 2) queue.unshift(task);
  else neverBegun(task);
  assign();
}

function neverBegun(task: Task): void {
  clearTimeout(task.waiting);
  const what = `${task.rules.name} cannot be decoded: the process for it does not start`;
  const next = 'Check that this program may start processes and open files, and that memory is left.';
  task.settle(refuse('missing-decoder', what, next));
}

function discard(child: Child): void {
  clearTimeout(child.quiet);
  if (!children.delete(child)) return;
  child.shared.close();
  delete child.task;
  hold(child, false);
  child.process.kill('SIGKILL');
}

/** A child at work keeps the program alive, an idle one does not. */
function hold(child: Child, busy: boolean): void {
  const { process: handle } = child;
  if (busy) handle.ref();
  else handle.unref();
  const channel: Partial<NonNullable<typeof handle.channel>> | null | undefined = handle.channel; // Bun's has neither
  if (busy) channel?.ref?.();
  else channel?.unref?.();
}
