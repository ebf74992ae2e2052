// Changes the code a little at a time and looks whether a test notices. What no test notices is printed; the share that
// was noticed is kept for each file in test/mutation-scores.json and may only rise.
//   npm run mutate -- src/window/retention.ts        one file or several
//   npm run mutate -- --changed                      those that differ from main
//   npm run mutate -- FILE --tests 'test/laws/*.test.ts'   with more tests than its own
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sharedFolder } from '../test/judge/shared-folder.ts';

type Mutant = {
  status: string;
  mutatorName: string;
  replacement?: string;
  location: { start: { line: number; column: number } };
};
type Score = { score: number; mutants: number };

const root = fileURLToPath(new URL('../', import.meta.url));
const scoresFile = join(root, 'test/mutation-scores.json');
const own = join(root, 'scripts/mutate');
const cache = join(root, '.cache');
const report = join(cache, 'mutation.json');

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'boolean' }, tests: { type: 'string', multiple: true } },
});

const files = flags.changed ? changedFiles() : positionals;
if (files.length === 0) console.log('mutate: nothing to do; name a file of src/, or --changed');
for (const file of files) if (!existsSync(join(root, file))) throw new Error(`There is no ${file}.`);
if (files.length > 0 && !existsSync(join(own, 'node_modules')))
  execFileSync('npm', ['ci', '--prefix', own, '--ignore-scripts'], { stdio: 'inherit' });
for (const file of files) mutate(file);

function changedFiles(): string[] {
  const names = execFileSync('git', ['diff', '--name-only', '--diff-filter=d', 'main', '--', 'src'], { cwd: root });
  return names
    .toString()
    .split('\n')
    .filter((name) => name.endsWith('.ts'));
}

/** The file's own tests, or all of its stage where it has none of its own; and those asked for. */
function testsFor(file: string): string {
  const tests = file.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
  const [, stage = ''] = file.split('/');
  return [existsSync(join(root, tests)) ? tests : `test/${stage}/**/*.test.ts`, ...(flags.tests ?? [])].join(',');
}

function mutate(file: string): void {
  const settings = {
    testRunner: 'vitest',
    plugins: [join(own, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    mutate: [file],
    vitest: { configFile: 'scripts/mutate/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: 1,
    // It would read our tsconfig.json by a TypeScript that we do not have.
    tsconfigFile: 'none.json',
    tempDirName: '.cache/stryker',
    ignorePatterns: ['dist', 'docs', 'bench', 'coverage', '.cache', 'scripts/mutate/node_modules'],
    reporters: ['json'],
    jsonReporter: { fileName: report },
    allowEmpty: true,
  };
  mkdirSync(cache, { recursive: true });
  const configFile = join(cache, 'stryker.json');
  writeFileSync(configFile, JSON.stringify(settings));
  const environment = { ...process.env, SIGHTLINE_MUTATE_TESTS: testsFor(file), SIGHTLINE_SHARED: sharedFolder() };
  const program = join(own, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const run = spawnSync(process.execPath, [program, 'run', configFile], {
    cwd: root,
    env: environment,
    stdio: 'inherit',
  });
  if (run.status !== 0) throw new Error(`${file} could not be tried.`);
  const told = JSON.parse(readFileSync(report, 'utf8')) as { files: Record<string, { mutants: Mutant[] }> };
  judge(file, told.files[file]?.mutants ?? []);
}

/** Prints what nobody noticed, and keeps the score when it rose. */
function judge(file: string, all: readonly Mutant[]): void {
  const noticed = all.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const missed = all.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  for (const { status, location, mutatorName, replacement } of missed)
    console.log(
      `  ${file}:${location.start.line}:${location.start.column} ${status} ${mutatorName} → ${replacement ?? ''}`,
    );
  const mutants = noticed + missed.length;
  const score = mutants === 0 ? 100 : Math.round((noticed / mutants) * 1000) / 10;
  const scores = existsSync(scoresFile) ? (JSON.parse(readFileSync(scoresFile, 'utf8')) as Record<string, Score>) : {};
  const before = scores[file]?.score ?? 0;
  console.log(`${file}: ${score} % of ${mutants} noticed (before: ${before} %)`);
  if (score < before) process.exitCode = 1;
  else {
    scores[file] = { score, mutants };
    const sorted = Object.entries(scores).toSorted(([one], [other]) => (one < other ? -1 : 1));
    writeFileSync(scoresFile, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  }
}
