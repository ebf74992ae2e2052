// Cold start: what an import costs in a fresh process.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { interleave, show, spread, verdict } from '../harness.ts';
import type { Job } from '../harness.ts';
import type { Comparison } from '../run.ts';
import type { StartInput } from './import.ts';

const ours = 'import sightline, src/index.ts';
const theirs = 'import ai';

export const compareStarts: Comparison = async (repetitions) => {
  const results = await interleave<number>(jobs(), repetitions);
  const times = new Map([...results].map(([name, runs]) => [name, spread(runs)]));
  const [first, second] = [times.get(ours), times.get(theirs)];
  return {
    title: 'Cold start',
    about: [
      'One import in a fresh process, files in the page cache, no compile cache. `src/index.ts` is TypeScript that Node strips ' +
        'while loading; `dist/index.js` is what users install, measured when it has been built. `ai` is the AI SDK without a ' +
        'provider. For commands, the whole process counts.',
    ],
    tables: [
      { caption: 'Import or run', columns: ['', 'ms'], rows: [...times].map(([name, time]) => [name, show(time)]) },
    ],
    notes: first && second ? [`${ours} against ${theirs}: ${verdict(first, second)} time.`] : [],
    raw: Object.fromEntries(results),
  };
};

function jobs(): Job[] {
  const built = new URL('../../dist/index.js', import.meta.url);
  const cli = new URL('../../src/cli/main.ts', import.meta.url);
  return [
    job(ours, { import: new URL('../../src/index.ts', import.meta.url).href }),
    ...(existsSync(built) ? [job('import sightline, dist/index.js', { import: built.href })] : []),
    job(theirs, { import: 'ai' }),
    job('import @earendil-works/pi-ai', { import: '@earendil-works/pi-ai' }),
    job('import @langchain/core/messages', { import: '@langchain/core/messages' }),
    job('node -e 0', { command: ['-e', '0'] }),
    ...(existsSync(cli)
      ? [job('sightline --version, from source', { command: [fileURLToPath(cli), '--version'] })]
      : []),
  ];
}

function job(name: string, input: StartInput): Job {
  return { name, module: new URL('import.ts', import.meta.url), input };
}
