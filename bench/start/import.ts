// How long one import takes in a process that has imported nothing else, or how long a whole command takes.
import { spawnSync } from 'node:child_process';
import type { Task } from '../harness.ts';
import { msUntilReady } from './screen.ts';

/** `screen` is a program whose chat is opened. */
export type StartInput = { import: string } | { command: string[] } | { screen: string };

/** The CPU of a command is not told; its wall time has to do. */
export type Started = { wallMs: number; cpuMs?: number };

const start: Task<StartInput, Started> = async (input) => {
  if ('screen' in input) return { wallMs: await msUntilReady(input.screen) };
  const cpu = process.cpuUsage();
  const began = performance.now();
  if ('import' in input) await import(input.import);
  else {
    const { status, stderr } = spawnSync(process.execPath, input.command, { stdio: ['ignore', 'ignore', 'pipe'] });
    if (status !== 0) throw new Error(`${input.command.join(' ')} ended with ${status}.\n${stderr.toString()}`);
  }
  const wallMs = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  return 'import' in input ? { wallMs, cpuMs: (user + system) / 1000 } : { wallMs };
};
export default start;
