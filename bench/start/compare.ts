// Cold start: what an import costs in a fresh process, what a command costs, and what an installation weighs.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { partNames } from '../../src/config/parts.ts';
import { bringAll } from '../../scripts/bring.ts';
import { interleave, show, spread } from '../harness.ts';
import type { Job, Spread } from '../harness.ts';
import type { Comparison } from '../run.ts';
import { hasTerminal } from './screen.ts';
import { weighInstallations } from './size.ts';
import type { StartInput, Started } from './import.ts';

const built = new URL('../../dist/index.js', import.meta.url);
const command = new URL('../../dist/cli/main.js', import.meta.url);
const ours = 'import sightline';
const bare = 'node -e 0';
const version = 'sightline --version';

export const compareStarts: Comparison = async (repetitions) => {
  if (!existsSync(built) || !existsSync(command)) throw new Error('There is no dist/; run `npm run build` first.');
  const results = await interleave<Started>(jobs(), repetitions);
  const times = new Map([...results].map(([name, runs]) => [name, spread(runs.map(({ wallMs }) => wallMs))]));
  const cpu = new Map([...results].map(([name, runs]) => [name, spread(runs.flatMap(({ cpuMs }) => cpuMs ?? []))]));
  bringAll(partNames.filter((name) => name !== 'browser').map((name) => `parts/${name}`)); // a browser is there for the tests
  const weights = weighInstallations();
  const ratio = (one: string, other: string): string => timesOf(times.get(one), times.get(other));
  return {
    title: 'Cold start and installation',
    about: [
      'One import in a fresh process, files in the page cache, no compile cache; of a command, the whole process counts. ' +
        'Sightline is measured as it is installed (`dist/`). `ai` is the AI SDK without a provider.',
      'An installation is the package with everything it depends on, each package counted once, as it lies in `node_modules` here. ' +
        'Parts of Sightline that are brought on demand (a browser driver, text recognition, a tokenizer) stands in a line of its own.',
    ],
    tables: [
      {
        caption: 'Import or run',
        columns: ['', 'ms', 'CPU, ms'],
        rows: [...times].map(([name, time]) => [name, show(time), shown(cpu.get(name))]),
      },
      {
        caption: 'Installation',
        columns: ['', 'packages', 'MB'],
        rows: weights.map(({ name, packages, bytes }) => [name, String(packages), (bytes / 1e6).toFixed(0)]),
      },
    ],
    notes: [
      `${version} takes ${ratio(version, bare)} times as long as ${bare}.`,
      `${ours} takes ${timesOf(cpu.get(ours), cpu.get('import ai'))} times the CPU of import ai.`,
    ],
    raw: { times: Object.fromEntries(results), weights },
  };
};

function shown(time: Spread | undefined): string {
  return time && !Number.isNaN(time.median) ? show(time) : '–';
}

function timesOf(one: Spread | undefined, other: Spread | undefined): string {
  return one && other ? (one.median / other.median).toFixed(2) : '?';
}

const others = [
  'ai',
  '@ai-sdk/anthropic',
  '@earendil-works/pi-ai',
  '@langchain/core/messages',
  '@langchain/openai',
  '@openai/agents',
  '@mastra/core/agent',
];

function jobs(): Job[] {
  return [
    job(ours, { import: built.href }),
    job('import sightline/core', { import: new URL('../../dist/core.js', import.meta.url).href }),
    job('import sightline/fetch', { import: new URL('../../dist/fetch/index.js', import.meta.url).href }),
    ...others.map((name) => job(`import ${name}`, { import: name })),
    job(bare, { command: ['-e', '0'] }),
    job(version, { command: [fileURLToPath(command), '--version'] }),
    job('sightline --help', { command: [fileURLToPath(command), '--help'] }),
    ...(hasTerminal ? [job('sightline chat, until it can be written to', { screen: fileURLToPath(command) })] : []),
  ];
}

function job(name: string, input: StartInput): Job {
  return { name, module: new URL('import.ts', import.meta.url), input };
}
