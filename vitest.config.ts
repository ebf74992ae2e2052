import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { effort } from './test/effort.ts';
import { failedFiles } from './test/failed-files.ts';
import { leftOut } from './test/skipped.ts';

const patienceMs = 5 * 60_000;

const testsOf = (stages: readonly string[]): string[] => stages.map((stage) => `test/${stage}/**/*.test.ts`);

/** Stages that keep nothing between two tests but warm decoders: one worker takes many of their files, and loads what
 * these need once. */
const sharing = testsOf([
  'content', 'tool', 'message', 'window', 'wire', 'laws', 'record', 'config', 'asset', 'media', 'session', 'mcp', 'gateway',
]); // prettier-ignore

/** Where models are asked, the process learns from complaints: these share workers with each other alone. What replaces
 * things of the whole process, or starts many programs, has a worker for each file. */
const asking = [...testsOf(['model', 'page', 'judge', 'fetch', 'ai-sdk']), 'test/agent/**/!(resume).test.ts'];

/** Files that take longest, mostly by waiting; they begin first, so that nobody waits for them at the end. */
const slow = [
  'durable/kills',
  'agent/resume',
  'cli/secrets',
  'inspect/page',
  'toolbox/browser',
  'tui/chat',
  'cli/newcomer',
  'cli/ask',
  'cli/read',
  'examples',
  'bench-soak',
  'laws/purity',
  'laws/prefix',
  'laws/budget',
  'laws/memo',
  'session/salvage',
  'session/kill',
  'session/writers',
  'session/s3',
  'media/child',
  'media/pdf-hostile',
  'media/ocr',
  'media/corpus',
  'media/legibility',
];

function rank({ moduleId }: TestSpecification): number {
  const at = slow.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
  return at < 0 ? slow.length : at;
}

/** A worker goes on with the next file only where both may share it: those that share stand together. */
function placeOf(file: TestSpecification): number {
  const [isSlow, shares] = [rank(file) < slow.length, !file.project.config.isolate];
  if (isSlow) return shares ? 1 : 0;
  return 2 + ['sharing', 'asking', 'alone'].indexOf(file.project.name);
}

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => placeOf(one) - placeOf(other) || rank(one) - rank(other));
  }
}

const isBuilt = process.env['npm_lifecycle_event'] === 'test';
const builtUrl = JSON.stringify(new URL('dist/chunk/node.js', import.meta.url).href);

const alone = process.argv.some((word) => word.includes('architecture'));

/** The laws are tried with other transcripts each time; what they were drawn from is told, to see a failure again. */
const seed = Number(process.env['SIGHTLINE_SEED'] ?? Date.now() % 2 ** 31);
if (!alone) console.log(`SIGHTLINE_SEED=${seed} SIGHTLINE_RUNS=${effort.runs}`);

/** Where CI wants to read which files failed. */
const failedTo = process.env['SIGHTLINE_FAILED'];

/** What our code starts as a program of its own is then the built one, which starts in half the time; `npm test` builds first. */
const startsBuilt: Plugin = {
  name: 'starts-built',
  transform: (code, id) =>
    isBuilt && id.endsWith('/src/config/package.ts') ? code.replaceAll('import.meta.url', builtUrl) : undefined,
};

const config: ViteUserConfig = defineConfig({
  plugins: [startsBuilt],
  test: {
    projects: [
      { extends: true, test: { name: 'sharing', include: sharing, isolate: false } },
      { extends: true, test: { name: 'asking', include: asking, isolate: false } },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [...sharing, ...asking, '**/node_modules/**'],
          // They start many programs, and each start costs 40 ms for every gigabyte that its starter holds.
          pool: 'forks',
        },
      },
    ],
    // Fills the cache of schemas that the judges of request bodies use, once, before the workers start. The architecture
    // test, which `npm run check` runs alone, needs none of them.
    globalSetup: alone ? [] : ['test/judge/setup.ts'],
    provide: { seed },
    reporters: ['default', leftOut, ...(failedTo === undefined ? [] : [failedFiles(failedTo, seed)])],
    includeTaskLocation: true,
    // Only a hang is meant to be noticed: a machine may be slow and have much else to do.
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 2 * 60_000 } },
    // Programs that tests start find what earlier ones have compiled, where Node keeps it by itself.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    pool: 'threads',
    // Much of the time goes into waiting for child processes, so a small machine has work for more than one.
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
    // `npm test -- --coverage`. What runs in processes of its own (the program, the decoders) is not counted.
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary', 'json'] },
  },
});

export default config;
