// Runs the real program as a child process and gives back what a shell would see.
import { fork, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm test` builds first: then what people install is tested, in half the time. */
const program = process.env['npm_lifecycle_event'] === 'test' ? '../../dist/cli/main.js' : '../../src/cli/main.ts';

export const mainFile: string = fileURLToPath(new URL(program, import.meta.url));

export type Ran = { code: number | null; stdout: string; stderr: string };

export type Surroundings = { cwd?: string; stdin?: string | Uint8Array; env?: Record<string, string> };

/** One command line; whatever of ours is set in the environment of the tests stays outside. */
export function run(words: readonly string[], { cwd, stdin = '', env = {} }: Surroundings = {}): Promise<Ran> {
  const { SIGHTLINE_MODEL: _model, SIGHTLINE_DEBUG: _debug, ...outer } = process.env;
  const child = spawn(process.execPath, [mainFile, ...words], { cwd, env: { ...outer, ...env } });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined); // a program that needs no stdin may close it first
  child.stdin.end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
    );
  });
}

export type Program = {
  run: (words: readonly string[], surroundings: { cwd: string; env: Record<string, string> }) => Promise<Ran>;
  close: () => void;
};

/** One process for many command lines, one after another, without stdin: most of what a command costs is its start. */
export function openProgram(): Program {
  const file = fileURLToPath(new URL('program-child.ts', import.meta.url));
  const child = fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
  return {
    run: (words, { cwd, env }) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null): void => reject(new Error(`${words.join(' ')} ended the program: ${code}`));
        child.once('exit', ended);
        child.once('message', (ran) => {
          child.off('exit', ended);
          resolve(ran as Ran);
        });
        child.send({ words, cwd, env });
      }),
    close: () => void child.kill(),
  };
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'sightline-cli-'));
}
