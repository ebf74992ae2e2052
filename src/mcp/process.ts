// A server that is a program: JSON lines in and out. The program gets its own process group, so that whatever it starts
// ends with it, an environment by allow-list, and a bound on the length of a line. What it prints besides is kept as
// the last words to quote when it fails.
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { ownEnvironment } from '../config/environment.ts';
import { isRecord } from '../content/json.ts';
import { endGroup, endMarked, live, markName, track } from '../toolbox/executable/process.ts';
import { openVariables } from '../toolbox/executable/surroundings.ts';
import { boundedLines } from './lines.ts';

export type Program = { command: string; args: readonly string[]; env: Readonly<Record<string, string>>; cwd?: string };

/** What the protocol library expects of a transport. */
type Transport = {
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: unknown) => void;
};

export type ProgramTransport = Transport & {
  /** The last of what it said to people. */
  lastWords(): string;
  /** How it ended, once it has. */
  ended(): string | undefined;
  /** Ends it without asking; one that is about to end by itself may still say how. */
  kill(): Promise<void>;
};

type Child = ChildProcessWithoutNullStreams;

const graceMs = 1000;
const patienceMs = 500;
/** How long a pipe may stay open after the program has ended. */
const drainMs = 250;
const maxWords = 2000;

/** Starts nothing until `start`. A line longer than `maxBytes` ends the program. */
export function programTransport(program: Program, maxBytes: number): ProgramTransport {
  const mark = randomUUID();
  let child: Child | undefined;
  let gone: Promise<void> = Promise.resolve();
  let words = '';
  let end: string | undefined;
  let killed = false;

  const remember = (text: string): void => {
    words = `${words}${text}`.slice(-maxWords);
  };
  const take = (line: string): void => {
    const message = parse(line);
    if (message === undefined) remember(`${line.slice(0, maxWords)}\n`);
    else transport.onmessage?.(upright(message));
  };
  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const started = spawn(program.command, program.args, {
        env: { ...openVariables(ownEnvironment()), ...program.env, [markName]: mark },
        detached: process.platform !== 'win32', // a process group of its own; on Windows this would open a window
        windowsHide: true,
        ...(program.cwd !== undefined && { cwd: program.cwd }),
      });
      child = started;
      gone = new Promise((left) => {
        started.once('close', left);
        started.once('error', () => left());
      });
      started.once('spawn', () => {
        track(started);
        resolve();
      });
      started.once('error', (error) => {
        end ??= startTrouble(error, program);
        reject(error);
      });
      started.once('exit', (code, signal) => {
        if (!killed) end ??= signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
        endGroup(started, 'SIGKILL'); // what it left running
        endMarked(mark);
        setTimeout(() => letGo(started), drainMs);
      });
      started.once('close', () => {
        live.delete(started);
        transport.onclose?.();
      });
      for (const stream of [started.stdin, started.stdout, started.stderr]) {
        stream.on('error', (error) => transport.onerror?.(error));
      }
      started.stderr.setEncoding('utf8').on('data', remember);
      const tooLong = (): void => {
        end ??= `it sent a message of more than ${Math.round(maxBytes / 1_048_576)} MiB`;
        endGroup(started, 'SIGKILL');
      };
      started.stdout.on('data', boundedLines(maxBytes, { line: take, tooLong }));
    });

  const transport: ProgramTransport = {
    start,
    lastWords: () => words.trim(),
    ended: () => end,
    send: (message) =>
      new Promise((resolve, reject) => {
        const input = child?.stdin;
        if (!input?.writable) reject(new Error('the program has ended'));
        else input.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      }),
    async close() {
      if (child?.pid === undefined) return;
      child.stdin.end();
      if (await within(gone, graceMs)) return;
      endGroup(child, 'SIGTERM');
      if (await within(gone, graceMs)) return;
      await transport.kill();
    },
    async kill() {
      if (child?.pid === undefined || (await within(gone, patienceMs))) return;
      killed = true;
      endGroup(child, 'SIGKILL');
      await within(gone, graceMs);
    },
  };
  return transport;
}

function startTrouble(error: NodeJS.ErrnoException, { command, cwd }: Program): string {
  if (error.code !== 'ENOENT') return `"${command}" cannot be started: ${error.message}`;
  const place = cwd === undefined ? '' : `, or its folder ${cwd} is missing`;
  return `"${command}" was not found${place}; install it, or give its full path`;
}

/** Lets go of the pipes, so that nobody on the other side can hold us open. */
function letGo(child: Child): void {
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}

/** Some programs write `"error": null` beside a result, or leave out which protocol it is. */
function upright({ error, ...message }: Record<string, unknown>): object {
  return { jsonrpc: '2.0', ...message, ...((error ?? null) !== null && { error }) };
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // a log line on the wrong stream
  }
}

async function within(going: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const done = await Promise.race([going.then(() => true), late]);
  clearTimeout(timer);
  return done;
}
