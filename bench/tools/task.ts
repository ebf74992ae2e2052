// One measurement with executables: calls of a known tool, bare spawns of the same file, or a list of many tools.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { executableTools } from '../../src/toolbox/executable/tools.ts';
import { invokeTool } from '../../src/toolbox/invoke.ts';
import type { Task } from '../harness.ts';
import { spread } from '../harness.ts';

export type ToolsInput = { home: string; file: string; counter: string; calls: number };

/** Milliseconds of a list, of a bare spawn and of a call (medians of many), and how many processes the list started. */
export type ToolsResult = { list: number; started: number; spawn: number; call: number };

const task: Task<ToolsInput, ToolsResult> = async ({ home, file, counter, calls }) => {
  const before = startedBy(counter);
  const listing = performance.now();
  const { tools } = await executableTools({ home, silica: `${home}/none`, cwd: home });
  const list = performance.now() - listing;
  const started = startedBy(counter) - before;
  if (tools.length < 50) throw new Error(`There are only ${tools.length} tools.`);

  const assets = memoryAssets();
  const call = async (): Promise<void> => {
    const { isError } = await invokeTool({ type: 'call', id: '1', name: 'tool_0', input: {} }, { tools, assets });
    if (isError) throw new Error('The tool failed.');
  };
  // They take turns, so that a busy moment of the machine falls on both.
  const times: { spawn: number[]; call: number[] } = { spawn: [], call: [] };
  for (let count = 0; count < calls; count++) {
    times.spawn.push(await timed(() => bare(file, home)));
    times.call.push(await timed(call));
  }
  return { list, started, spawn: spread(times.spawn).median, call: spread(times.call).median };
};

export default task;

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function bare(file: string, cwd: string): Promise<void> {
  const child = spawn(file, [], { cwd, env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => child.on('error', reject).on('close', () => resolve()));
}

function startedBy(counter: string): number {
  return existsSync(counter) ? readFileSync(counter, 'utf8').length : 0;
}
