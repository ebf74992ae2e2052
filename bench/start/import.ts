// How long one import takes in a process that has imported nothing else, or how long a whole command takes.
import { spawnSync } from 'node:child_process';
import type { Task } from '../harness.ts';

export type StartInput = { import: string } | { command: string[] };

const start: Task<StartInput, number> = async (input) => {
  const began = performance.now();
  if ('import' in input) await import(input.import);
  else {
    const { status, stderr } = spawnSync(process.execPath, input.command, { stdio: ['ignore', 'ignore', 'pipe'] });
    if (status !== 0) throw new Error(`${input.command.join(' ')} ended with ${status}.\n${stderr.toString()}`);
  }
  return performance.now() - began;
};
export default start;
