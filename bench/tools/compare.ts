// Executables as tools: what a call costs over a bare spawn of the same file, and what a list of unchanged tools costs.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executableTools } from '../../src/toolbox/executable/tools.ts';
import { interleave, show, spread } from '../harness.ts';
import type { Comparison } from '../run.ts';
import type { ToolsInput, ToolsResult } from './task.ts';

const many = 50;

export const compareTools: Comparison = async (repetitions) => {
  const root = mkdtempSync(join(tmpdir(), 'sightline-bench-tools-'));
  try {
    const [home, counter] = [join(root, 'home'), join(root, 'started')];
    mkdirSync(join(home, 'tools'), { recursive: true });
    for (let at = 0; at < many; at++) writeTool(join(home, 'tools', `tool_${at}`), `tool_${at}`, counter);
    await executableTools({ home, silica: join(root, 'none') }); // every file is known from here on
    const input: ToolsInput = { home, counter, file: join(home, 'tools', 'tool_0'), calls: 60 };
    const job = { name: 'tools', module: new URL('task.ts', import.meta.url), input };
    const runs = (await interleave<ToolsResult>([job], repetitions)).get(job.name) ?? [];
    const [spawned, called, listed] = (['spawn', 'call', 'list'] as const).map((key) =>
      spread(runs.map((run) => run[key])),
    );
    if (!spawned || !called || !listed) throw new Error('A measurement is missing.');
    const ratio = spread(runs.map(({ call, spawn }) => call / spawn));
    const started = runs.reduce((sum, run) => sum + run.started, 0);
    return {
      title: 'Executables as tools',
      about: [
        'A tool is a shell script that prints one line. A call is everything from the arguments to the checked result; the ' +
          'bare spawn starts the same file and collects what it prints. Each figure is the median of 60 calls, in turns.',
        `The list is the first one of a process: ${many} tools whose files have not changed since they were last asked.`,
      ],
      tables: [
        {
          caption: 'Time',
          columns: ['', 'ms'],
          rows: [
            ['bare spawn', show(spawned, 2)],
            ['call of a known tool', show(called, 2)],
            [`list of ${many} unchanged tools`, show(listed, 1)],
          ],
        },
      ],
      notes: [`A call costs ${show(ratio, 2)} times a bare spawn.`, `The lists started ${started} processes.`],
      raw: runs,
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

function writeTool(file: string, name: string, counter: string): void {
  const spec = JSON.stringify({ name, description: 'Says hello.', input_schema: { type: 'object', properties: {} } });
  writeFileSync(
    file,
    `#!/bin/sh\nif [ "$1" = --toolspec ]; then printf x >> ${counter}; echo '${spec}'; else echo hello; fi\n`,
  );
  chmodSync(file, 0o755);
}
