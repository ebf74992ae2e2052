// Changes the code a little at a time and looks whether a test notices. What no test notices is printed; the share that
// was noticed is kept for each file in test/mutation-scores.json and may only rise.
//   npm run mutate -- src/window/retention.ts        one file or several
//   npm run mutate -- src/window                     all of a folder
//   npm run mutate -- --changed                      those that are not what they were when they were measured
//   npm run mutate -- --changed --minutes 5          as many of those as there is time for, the smallest first; keeps nothing
//   npm run mutate -- FILE --tests 'test/laws/*.test.ts'   with more tests than its own, from then on
//   npm run mutate -- FILE --quick                   without the mutants that are reached while a file is loaded
//   npm run mutate -- FILE --patience-ms 9000        so much of the tests' own time for one mutant, not 5000; its file's own
//                                                    tests come first, then the quickest
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharedFolder } from '../test/judge/shared-folder.ts';
import { portVariable, startPostgres } from '../test/postgres/server.ts';
import type { PostgresServer } from '../test/postgres/server.ts';
import { argumentsOf } from './arguments.ts';
import type { Step } from './mutate/drive.ts';
import { instrument } from './mutate/instrument.ts';
import type { Mutant } from './mutate/instrument.ts';
import { jobVariable, patienceFor, sourcesVariable, testsVariable } from './mutate/job.ts';
import type { Covered, Line } from './mutate/job.ts';

/** What is kept of a file: the share that was noticed, the content it was measured for, and the tests beside its own. */
type Score = { score: number; mutants: number; source: string; measured: string; tests?: string };

const root = fileURLToPath(new URL('../', import.meta.url));
const scoresFile = join(root, 'test/mutation-scores.json');
const cache = join(root, '.cache/mutate');
const log = join(cache, 'log.jsonl');
const jobFile = join(cache, 'job.json');
const coveredFile = join(cache, 'covered.json');
const sourcesFile = join(cache, 'sources.json');
const stepsFile = join(cache, 'steps.json');

const { values: flags, positionals } = argumentsOf(
  import.meta.filename,
  {
    changed: { type: 'boolean' },
    quick: { type: 'boolean' },
    tests: { type: 'string', multiple: true },
    'patience-ms': { type: 'string', default: '5000' },
    minutes: { type: 'string' },
  },
  { words: true },
);
const until = flags.minutes === undefined ? Infinity : Date.now() + Number(flags.minutes) * 60_000;

process.chdir(root);
const scores = JSON.parse(readFileSync(scoresFile, 'utf8')) as Record<string, Score>;
const files = flags.changed ? Object.keys(scores).filter(hasChanged) : positionals.flatMap(filesOf);
if (files.length === 0) console.log('mutate: nothing to do; name a file of src/, or --changed');
else if (flags.minutes === undefined) await mutate(files);
else await inTime(files);

/** One file at a time, the smallest first; those that there was no time for are named, and nobody is blamed. */
async function inTime(paths: readonly string[]): Promise<void> {
  const left = paths.toSorted((one, other) => (scores[one]?.mutants ?? 0) - (scores[other]?.mutants ?? 0));
  for (let path = left[0]; path !== undefined; path = left[0]) {
    try {
      await mutate([path]);
    } catch (error) {
      if (Date.now() < until) throw error;
      break;
    }
    left.shift();
  }
  if (left.length > 0) console.log(`mutate: no time for ${left.join(', ')}`);
}

function hasChanged(file: string): boolean {
  return existsSync(file) && scores[file]?.source !== hashOf(file);
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) throw new Error(`There is no ${path}.`);
  return statSync(path).isDirectory() ? globSync(`${path}/**/*.ts`).toSorted() : [path];
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
}

/** A file's own tests and those asked for; all of its stage, and the golden cases, where it has neither. */
function testsFor(paths: readonly string[]): string {
  const chosen = new Set<string>();
  for (const path of paths) {
    const [, stage = ''] = path.split('/');
    const found = [ownTests(path), ...moreTests(path)].filter((test) => globSync(test).length > 0);
    const whole = [`test/${stage}/**/*.test.ts`, ...(stage === 'window' ? ['scripts/mutate/golden.test.ts'] : [])];
    for (const test of found.length > 0 ? found : whole) chosen.add(test);
  }
  return [...chosen].join(',');
}

/** Those that were asked for now, else when it was measured last. */
function moreTests(path: string): string[] {
  return flags.tests ?? scores[path]?.tests?.split(' ') ?? [];
}

async function mutate(paths: readonly string[]): Promise<void> {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  writeFileSync(log, '');
  const { sources, mutants } = await instrument(paths.map((path) => join(root, path)));
  if (mutants.length === 0) {
    for (const path of paths) judge(path, [], new Set(), new Set()); // types alone
    return;
  }
  writeFileSync(sourcesFile, JSON.stringify(sources));
  writeFileSync(join(cache, 'mutants.json'), JSON.stringify(mutants));
  const postgres = await postgresFor(testsFor(paths));
  const environment = {
    ...process.env,
    SIGHTLINE_SHARED: sharedFolder(),
    ...(postgres && { [portVariable]: String(postgres.port) }),
    [jobVariable]: jobFile,
    [sourcesVariable]: sourcesFile,
    [testsVariable]: testsFor(paths),
  };
  const { covered, loaded } = await withEach(mutants, environment).finally(() => postgres?.close());
  const noticed = noticedIds();
  for (const line of lines()) if (line.kind === 'doubted') console.log(`doubted: ${line.name}: ${line.why}`);
  const inTests = new Set(covered.flatMap(({ hits }) => Object.keys(hits)));
  for (const path of paths) {
    const own = mutants.filter(({ fileName }) => fileName === join(root, path));
    judge(
      path,
      flags.quick ? own.filter(({ id }) => inTests.has(id) || !loaded.has(id)) : own,
      noticed,
      new Set([...inTests, ...loaded.keys()]),
    );
  }
}

/** Tests that start PostgreSQL are run once for each mutant: one server for all of them. */
async function postgresFor(tests: string): Promise<PostgresServer | undefined> {
  const wanted = globSync(tests.split(',')).some((file) => readFileSync(file, 'utf8').includes('startPostgres'));
  return wanted ? await startPostgres({ max_connections: '300' }) : undefined;
}

/** Runs the tests with every mutant that they reach. */
async function withEach(
  mutants: readonly Mutant[],
  environment: NodeJS.ProcessEnv,
): Promise<ReturnType<typeof reached>> {
  console.log(`${mutants.length} mutants; which test reaches which?`);
  await drive([{ job: { mode: 'cover', log } }], environment);
  const { covered, loaded } = reached();
  const chosen = affordable(covered, mutants);
  writeFileSync(coveredFile, JSON.stringify(chosen));
  await inPlace(chosen, environment);
  if (!flags.quick) await alone(loaded, covered, environment);
  return { covered, loaded };
}

function lines(): Line[] {
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

function noticedIds(): Set<string> {
  const told = lines();
  const doubted = new Set(told.flatMap((line) => (line.kind === 'doubted' ? [line.test] : [])));
  return new Set(told.flatMap((line) => (line.kind === 'noticed' && !doubted.has(line.test) ? [line.id] : [])));
}

/** Which test reaches which mutant, and which files reach one while they are loaded. */
function reached(): { covered: Covered[]; loaded: Map<string, string[]> } {
  const covered: Covered[] = [];
  const loaded = new Map<string, string[]>();
  for (const line of lines()) {
    if (line.kind === 'covered') covered.push(line.covered);
    if (line.kind === 'loaded') for (const id of line.ids) loaded.set(id, [...(loaded.get(id) ?? []), line.file]);
  }
  return { covered, loaded };
}

/** Each mutant with as many of the tests that reach it as there is patience for. */
function affordable(covered: readonly Covered[], mutants: readonly Mutant[]): Covered[] {
  const own = new Map(mutants.map(({ id, fileName }) => [id, ownTests(fileName.slice(root.length))]));
  const spent = new Map<string, number>();
  const kept = new Map<string, Covered>(covered.map((one) => [one.test, { ...one, hits: {} }]));
  const choose = (wanted: (id: string, one: Covered) => boolean): void => {
    for (const one of covered.toSorted((first, second) => first.ms - second.ms))
      for (const [id, count] of Object.entries(one.hits)) {
        if (!wanted(id, one)) continue;
        spent.set(id, (spent.get(id) ?? 0) + one.ms);
        (kept.get(one.test) as Covered).hits[id] = count;
      }
  };
  const fits = (id: string, { ms }: Covered): boolean => (spent.get(id) ?? 0) + ms <= Number(flags['patience-ms']);
  choose((id, one) => own.get(id) === one.file && fits(id, one));
  choose((id, one) => own.get(id) !== one.file && fits(id, one));
  choose((id) => !spent.has(id));
  return [...kept.values()].filter(({ hits }) => Object.keys(hits).length > 0);
}

function ownTests(file: string): string {
  return file.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
}

/** How long the tests of each file take, the quickest first. */
function quickestFirst(covered: readonly Covered[]): [string, number][] {
  const times = new Map<string, number>();
  for (const { file, ms } of covered) times.set(file, (times.get(file) ?? 0) + ms);
  return [...times].toSorted(([, one], [, other]) => one - other);
}

async function inPlace(covered: readonly Covered[], environment: NodeJS.ProcessEnv): Promise<void> {
  const live = new Set(covered.flatMap(({ hits }) => Object.keys(hits)));
  const order = quickestFirst(covered).map(([file]) => file);
  console.log(`${live.size} are reached by ${covered.length} tests in ${order.length} files`);
  for (;;) {
    for (const id of noticedIds()) live.delete(id);
    const done = new Set(lines().flatMap((line) => (line.kind === 'done' ? [line.file] : [])));
    const job = { mode: 'try' as const, log, covered: coveredFile, live: [...live] };
    if (await drive([{ job, files: order.filter((file) => !done.has(file)) }], environment)) return;
  }
}

/** First with the tests that reach something of its file, which are few; what those do not notice, with all. */
async function alone(
  loaded: ReadonlyMap<string, readonly string[]>,
  covered: readonly Covered[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const times = new Map(quickestFirst(covered)); // a file that reaches mutants only while it is loaded is not among them
  const msOf = (file: string): number => times.get(file) ?? 0;
  for (const only of covered.length > 0 ? [covered.map(({ test }) => test), undefined] : [undefined]) {
    const tried = new Set<string>();
    for (;;) {
      const noticed = noticedIds();
      const left = [...loaded].filter(([id]) => !noticed.has(id) && !tried.has(id));
      console.log(`${left.length} are reached while a file is loaded, and have to be tried alone`);
      const steps: Step[] = left.map(([id, used]) => {
        const chosen = used.filter((file) => !only || times.has(file));
        const patienceMs = patienceFor(Math.max(0, ...chosen.map(msOf)));
        const quickest = chosen.toSorted((one, other) => msOf(one) - msOf(other));
        return { job: { mode: 'alone', log, mutant: id, patienceMs, only }, files: quickest };
      });
      const from = lines().length;
      if (steps.length === 0 || (await drive(steps, environment))) break;
      for (const line of lines().slice(from)) if (line.kind === 'begin') tried.add(line.id);
    }
  }
}

/** Runs the steps in a process of their own. False when it had to be ended because a mutant hung it, or a mutant ended it. */
async function drive(steps: readonly Step[], environment: NodeJS.ProcessEnv): Promise<boolean> {
  writeFileSync(stepsFile, JSON.stringify(steps));
  const child = spawn(process.execPath, ['scripts/mutate/drive.ts', stepsFile], { env: environment, stdio: 'inherit' });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  let [size, since] = [0, Date.now()];
  for (;;) {
    const outcome = await Promise.race([
      ended,
      new Promise<'waiting'>((resolve) => setTimeout(resolve, 1000, 'waiting')),
    ]);
    if (outcome === 0) return true;
    const last = lines().at(-1);
    if (outcome !== 'waiting') {
      if (last?.kind !== 'begin') throw new Error(`The tests could not be run (${outcome}).`);
      noticeEnded(last.id); // of one that takes all memory
      return false;
    }
    if (Date.now() > until) {
      child.kill('SIGKILL');
      await ended;
      throw new Error('The time is over.');
    }
    const now = statSync(log).size;
    if (now !== size) [size, since] = [now, Date.now()];
    const patience = last?.kind === 'begin' ? last.patienceMs + 60_000 : 10 * 60_000;
    if (Date.now() - since < patience) continue;
    child.kill('SIGKILL');
    await ended;
    if (last?.kind !== 'begin') throw new Error('The tests hang without a mutant.');
    noticeEnded(last.id);
    return false;
  }
}

/** What ends the tests, or hangs them, is noticed. */
function noticeEnded(id: string): void {
  writeFileSync(log, `${JSON.stringify({ kind: 'noticed', id, test: '', file: '' })}\n`, { flag: 'a' });
}

/** Prints what nobody noticed, and keeps the score when it rose. */
function judge(file: string, all: readonly Mutant[], noticed: ReadonlySet<string>, seen: ReadonlySet<string>): void {
  const missed = all.filter(({ id }) => !noticed.has(id));
  for (const { id, location, mutatorName, replacement } of missed)
    console.log(
      `  ${file}:${location.start.line + 1}:${location.start.column + 1} ${seen.has(id) ? 'survived' : 'unreached'} ${mutatorName} → ${replacement}`,
    );
  const score = all.length === 0 ? 100 : Math.round((1 - missed.length / all.length) * 1000) / 10;
  const before = scores[file]?.score ?? 0;
  console.log(`${file}: ${score} % of ${all.length} noticed (before: ${before} %)`);
  if (flags.quick) return;
  if (score < before) process.exitCode = 1;
  else if (flags.minutes === undefined) {
    scores[file] = {
      score,
      mutants: all.length,
      source: hashOf(file),
      measured: new Date().toISOString().slice(0, 10),
      ...(moreTests(file).length > 0 && { tests: moreTests(file).join(' ') }),
    };
    const sorted = Object.entries(scores).toSorted(([one], [other]) => (one < other ? -1 : 1));
    writeFileSync(scoresFile, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  }
}
