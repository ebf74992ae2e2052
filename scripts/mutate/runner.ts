// Runs each test once as it is and then once for every mutant that it reaches, in the same process: a mutant is a switch
// in the instrumented source. A test that fails afterwards without any mutant is not believed.
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { TestRunner } from 'vitest';
import type { RunnerTestCase, SerializedConfig, TestTryOptions } from 'vitest';
import type { Covered, Hits, Job, Line } from './job.ts';
import { jobVariable, patienceFor } from './job.ts';

type Switches = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Hits; perTest: Record<string, Hits> };
};

// eslint-disable-next-line no-underscore-dangle -- the name under which instrumented sources look for them
const switches: Switches = ((globalThis as { __stryker__?: Switches }).__stryker__ ??= {});

/** The clock of the machine, also where a test has put another one in its place. */
const { setTimeout: after, clearTimeout: cancel } = globalThis;

/** What the vitest of `npm run mutate` runs tests with. */
export default class MutantRunner extends TestRunner {
  readonly #job: Job = JSON.parse(readFileSync(process.env[jobVariable] ?? '', 'utf8')) as Job;
  readonly #live = new Set<string>();
  readonly #covered = new Map<string, Covered>();
  #mutants: readonly string[] = [];
  #failed = false;
  #why: unknown;
  #useless = false;

  constructor(config: SerializedConfig) {
    super(config);
    if (this.#job.mode === 'alone') switches.activeMutant = this.#job.mutant;
    if (this.#job.mode !== 'try') return;
    for (const id of this.#job.live) this.#live.add(id);
    for (const covered of JSON.parse(readFileSync(this.#job.covered, 'utf8')) as Covered[])
      this.#covered.set(covered.test, covered);
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    if (this.#job.mode === 'alone' && (this.#failed || this.#job.only?.includes(test.id) === false)) test.mode = 'skip';
    if (this.#job.mode === 'try') {
      const reached = Object.keys(this.#covered.get(test.id)?.hits ?? {});
      this.#mutants = reached.filter((id) => this.#live.has(id));
      this.#useless = false;
      if (this.#mutants.length === 0) test.mode = 'skip';
      else test.repeats = this.#mutants.length + 1;
    }
    await super.onBeforeRunTask(test);
  }

  override onBeforeTryTask(test: RunnerTestCase, options: TestTryOptions): void {
    super.onBeforeTryTask(test, options);
    if (this.#job.mode === 'cover') switches.currentTestId = test.id;
    if (this.#job.mode !== 'try') return;
    this.#failed = false;
    const id = this.#mutants[(options.repeats ?? 0) - 1];
    const covered = this.#covered.get(test.id);
    if (id === undefined || covered === undefined || this.#useless) return;
    this.#tell({ kind: 'begin', id, patienceMs: patienceFor(covered.ms) });
    switches.activeMutant = id;
    switches.hitCount = 0;
    switches.hitLimit = 100 * (covered.hits[id] ?? 1);
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    if (this.#useless) return;
    const work = TestRunner.getTestFn(test);
    if (this.#job.mode === 'cover') return await work();
    const limit =
      this.#job.mode === 'alone' ? this.#job.patienceMs : patienceFor(this.#covered.get(test.id)?.ms ?? 1000);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = after(() => reject(new Error('It hangs.')), limit);
    });
    try {
      await Promise.race([work(), late]);
    } catch (error) {
      this.#failed = true;
      this.#why = error;
      if (this.#job.mode === 'alone') throw error;
    } finally {
      cancel(timer);
    }
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options);
    switches.currentTestId = undefined;
    if (this.#job.mode !== 'try' || !test.result) return;
    const failed = this.#failed || test.result.state === 'fail';
    const why = this.#failed ? this.#why : test.result.errors?.[0]?.message;
    const id = switches.activeMutant;
    switches.activeMutant = undefined;
    switches.hitCount = undefined;
    test.result.state = 'pass';
    delete test.result.errors;
    if (!failed || this.#useless) return;
    if (id === undefined) {
      this.#useless = true;
      for (const mutant of this.#mutants) this.#live.add(mutant);
      this.#tell({ kind: 'doubted', test: test.id, name: test.fullName, why: String(why) });
    } else {
      this.#live.delete(id);
      this.#tell({ kind: 'noticed', id, test: test.id, file: relative(process.cwd(), test.file.filepath) });
    }
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test);
    if (this.#job.mode !== 'cover') return;
    const hits = switches.mutantCoverage?.perTest[test.id];
    if (!hits || test.result?.state !== 'pass') return;
    const file = relative(process.cwd(), test.file.filepath);
    this.#tell({ kind: 'covered', covered: { test: test.id, file, ms: test.result.duration ?? 0, hits } });
  }

  override onAfterRunFiles(files: Parameters<TestRunner['onAfterRunFiles']>[0]): void {
    super.onAfterRunFiles(files);
    if (this.#job.mode !== 'cover') return;
    const ids = Object.keys(switches.mutantCoverage?.static ?? {});
    for (const { filepath } of files ?? [])
      this.#tell({ kind: 'loaded', file: relative(process.cwd(), filepath), ids });
  }

  #tell(line: Line): void {
    appendFileSync(this.#job.log, `${JSON.stringify(line)}\n`);
  }
}
