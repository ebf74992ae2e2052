// The tests that mutated files are tried against, with the instrumented sources in place of those on the disk.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';
import { sourcesVariable, testsVariable } from './job.ts';

const include = (process.env[testsVariable] ?? '').split(',');
const sources = JSON.parse(readFileSync(process.env[sourcesVariable] ?? '', 'utf8')) as Record<string, string>;

// A fixed seed: a mutant that one draw kills and another does not would make the score a matter of luck.
const config: ViteUserConfig = defineConfig({
  plugins: [{ name: 'mutants', enforce: 'pre', load: (id: string) => sources[id] }],
  test: {
    include,
    // Whole conversations of hundreds of turns: with every branch counted, a minute for each test.
    exclude: ['test/window/simulate.test.ts'],
    runner: 'scripts/mutate/runner.ts',
    setupFiles: ['scripts/mutate/setup.ts'],
    globalSetup: ['test/judge/setup.ts'],
    provide: { seed: 20_261_115 },
    testTimeout: 5 * 60_000,
    hookTimeout: 5 * 60_000,
    expect: { poll: { timeout: 5000 } },
    pool: 'threads',
    maxWorkers: 1,
    // What is kept there is named by the file on the disk, whatever was put in its place.
    fsModuleCache: false,
    dangerouslyIgnoreUnhandledErrors: true,
    printConsoleTrace: false,
    silent: true,
  },
});

export default config;
