// Holds one vitest open and runs what it is told: everything once to see what is reached, file after file with mutants,
// or one mutant after another in workers of their own. Its parent ends it when a mutant hangs it, and starts it again.
//   node scripts/mutate/drive.ts STEPS     a file with a list of steps
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { createVitest } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import type { Job, Line } from './job.ts';
import { jobVariable } from './job.ts';

/** A job, and the test files it is for, in their order. */
export type Step = { job: Job; files?: readonly string[] };

const steps = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Step[];
const jobFile = process.env[jobVariable] ?? '';
const vitest = await createVitest('test', {
  config: 'scripts/mutate/vitest.config.ts',
  watch: false,
  reporters: [{}],
});
const all = await vitest.globTestSpecifications();
for (const step of steps) await take(step);
await vitest.close();
// Tests that fail are what is looked for.
process.exit(0);

async function take({ job, files }: Step): Promise<void> {
  const specifications = files ? files.flatMap((file) => all.filter((one) => nameOf(one) === file)) : all;
  if (job.mode === 'cover') {
    writeFileSync(jobFile, JSON.stringify(job));
    await vitest.runTestSpecifications(specifications);
    return;
  }
  const live = new Set(job.mode === 'try' ? job.live : []);
  for (const specification of specifications) {
    writeFileSync(jobFile, JSON.stringify(job.mode === 'try' ? { ...job, live: stillLive(job.log, live) } : job));
    if (job.mode === 'alone') tell(job.log, { kind: 'begin', id: job.mutant, patienceMs: job.patienceMs });
    const { testModules } = await vitest.runTestSpecifications([specification]);
    if (job.mode === 'try') tell(job.log, { kind: 'done', file: nameOf(specification) });
    if (job.mode !== 'alone' || testModules.every((module) => module.ok())) continue;
    tell(job.log, { kind: 'noticed', id: job.mutant, test: '', file: nameOf(specification) });
    break;
  }
}

function stillLive(log: string, live: Set<string>): string[] {
  const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
  const doubted = new Set<string>();
  const told = lines.map((line) => JSON.parse(line) as Line);
  for (const line of told) if (line.kind === 'doubted') doubted.add(line.test);
  for (const line of told) if (line.kind === 'noticed' && !doubted.has(line.test)) live.delete(line.id);
  return [...live];
}

function nameOf({ moduleId }: TestSpecification): string {
  return relative(process.cwd(), moduleId);
}

function tell(log: string, line: Line): void {
  appendFileSync(log, `${JSON.stringify(line)}\n`);
}
