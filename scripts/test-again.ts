// CI's second look: a test file that failed among all the others is tried once more, alone, with the same seed. One that fails
// again is broken. One that passes is told in a line that nobody overlooks, and refuses nothing.
//   npx node scripts/test-again.ts FILE     the file that SIGHTLINE_FAILED named when `npm test` ran
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FailedRun } from '../test/failed-files.ts';
import { argumentsOf } from './arguments.ts';

const mostFiles = 5;

type Look = { isSound: boolean; lines: string[] };

const refused = (why: string): Look => ({ isSound: false, lines: [why] });

/** Whether nothing is broken, and what is to be said; `passes` runs one file alone. */
export function secondLook({ files, homeless }: FailedRun, passes: (file: string) => boolean): Look {
  if (homeless.length > 0) return refused(`An error that nobody caught belongs to no test file: ${homeless[0]}`);
  if (files.length === 0) return refused('The run failed, and no test file did.');
  if (files.length > mostFiles)
    return refused(`${files.length} test files failed; no more than ${mostFiles} are tried again.`);
  const looks = files.map((file) => ({ file, isSound: passes(file) }));
  return {
    isSound: looks.every(({ isSound }) => isSound),
    lines: looks.map(({ file, isSound }) => `!!! ${isSound ? 'failed once, passed alone' : 'failed twice'}: ${file}`),
  };
}

function runAlone(file: string, seed: number): boolean {
  const env = { ...process.env, SIGHTLINE_SEED: String(seed), npm_lifecycle_event: 'test' }; // with what `npm test` has built
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', file];
  return spawnSync(process.execPath, words, { env, stdio: ['ignore', 2, 2] }).status === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file = ''] = argumentsOf(import.meta.filename, {}, { words: true }).positionals;
  const none = { seed: 0, files: [], homeless: ['the run did not come to its end'] };
  const failed = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FailedRun) : none;
  const { isSound, lines } = secondLook(failed, (name) => runAlone(name, failed.seed));
  console.log(lines.join('\n'));
  process.exitCode = isSound ? 0 : 1;
}
