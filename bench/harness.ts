// Jobs in, figures out. Every repetition of every job runs in a fresh process, and the jobs take turns, so that a busy
// minute of the machine falls on all of them alike. A difference under 20 % is not called a difference.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** One thing to run: the default export of `module` is called with `input` in a child process. */
export type Job = {
  name: string;
  module: URL;
  input: unknown;
  /** After this long the process is ended; ten minutes unless set. */
  limitMs?: number;
};

/** The default export of a job's module. What it returns must survive JSON. */
export type Task<Input, Result> = (input: Input) => Promise<Result>;

export type Spread = { median: number; low: number; high: number };

/** Below this share two medians are told apart by nobody. */
const closeTo = 0.2;

/** Runs all jobs in turn, as often as asked, each time beginning with another one. */
export async function interleave<Result>(jobs: readonly Job[], repetitions: number): Promise<Map<string, Result[]>> {
  const results = new Map<string, Result[]>(jobs.map((job) => [job.name, []]));
  for (let round = 0; round < repetitions; round++) {
    const start = round % jobs.length;
    for (const job of [...jobs.slice(start), ...jobs.slice(0, start)]) {
      process.stderr.write(`  ${round + 1}/${repetitions} ${job.name}\n`);
      results.get(job.name)?.push(await inFreshProcess<Result>(job));
    }
  }
  return results;
}

export function inFreshProcess<Result>(job: Job): Promise<Result> {
  const child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), [fileURLToPath(job.module)], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  return new Promise<Result>((resolve, reject) => {
    const errors: Buffer[] = [];
    let result: { value: Result } | undefined;
    const timer = setTimeout(() => child.kill('SIGKILL'), job.limitMs ?? 600_000);
    child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('message', (message) => (result = message as { value: Result }));
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      if (result) resolve(result.value);
      else reject(new Error(`${job.name} ended without a result.\n${Buffer.concat(errors).toString()}`));
    });
    child.send({ input: job.input });
  });
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
  return { median, low: sorted[0] ?? Number.NaN, high: sorted.at(-1) ?? Number.NaN };
}

/** `62 (55–80)`: the median, the lowest and the highest. */
export function show({ median, low, high }: Spread, digits = 0): string {
  return `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}

/** What two medians amount to, in words. Smaller is better. */
export function verdict(ours: Spread, theirs: Spread): string {
  const ratio = ours.median / theirs.median;
  if (Math.abs(1 - ratio) < closeTo) return 'within 20 %';
  return ratio < 1 ? `${(1 / ratio).toFixed(1)} times less` : `${ratio.toFixed(1)} times more`;
}
