// What the three processes of a mutation run tell each other through files.

/** How often each mutant was reached, by its id. */
export type Hits = Record<string, number>;

/** What one test reached while nothing was changed. */
export type Covered = { test: string; file: string; ms: number; hits: Hits };

/** What a worker has to do, read when it starts. */
export type Job =
  | { mode: 'cover'; log: string }
  | { mode: 'try'; log: string; covered: string; live: readonly string[] }
  /** `only`: these tests and no others. */
  | { mode: 'alone'; log: string; mutant: string; patienceMs: number; only?: readonly string[] | undefined };

/** A line of the log that workers write. */
export type Line =
  | { kind: 'covered'; covered: Covered }
  /** Reached while a file was loaded: such a mutant needs a process of its own. */
  | { kind: 'loaded'; file: string; ids: readonly string[] }
  | { kind: 'begin'; id: string; patienceMs: number }
  | { kind: 'noticed'; id: string; test: string; file: string }
  | { kind: 'done'; file: string }
  /** The test failed without a mutant after it had been run with some: what it noticed is not believed. */
  | { kind: 'doubted'; test: string; name: string; why: string };

/** The variable with the path of the job. */
export const jobVariable = 'SIGHTLINE_MUTATE_JOB';
/** The variable with the path of the list of instrumented sources. */
export const sourcesVariable = 'SIGHTLINE_MUTATE_SOURCES';
/** The variable with the patterns of the tests, with commas between them. */
export const testsVariable = 'SIGHTLINE_MUTATE_TESTS';

/** How long a test may take with a mutant before it counts as hanging. */
export function patienceFor(ms: number): number {
  return 5000 + 10 * ms;
}
