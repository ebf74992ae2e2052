// What CI must know to try again, alone, the test files that failed: their names, and what their transcripts were drawn from.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter } from 'vitest/node';

export type FailedRun = {
  seed: number;
  files: string[];
  /** Errors that nobody caught and no file can be blamed for. */
  homeless: string[];
};

/** Writes it into a file at the end of a run. */
export function failedFiles(to: string, seed: number): Reporter {
  return {
    onTestRunEnd(modules, uncaught) {
      const places = uncaught.map((error) => error['VITEST_TEST_PATH']).filter((place) => typeof place === 'string');
      const failed = modules.filter((module) => module.state() === 'failed').map(({ moduleId }) => moduleId);
      const files = [...new Set([...failed, ...places])].map((file) => relative(process.cwd(), file));
      const homeless = uncaught.filter((error) => !error['VITEST_TEST_PATH']).map(({ message }) => message);
      writeFileSync(to, JSON.stringify({ seed, files, homeless } satisfies FailedRun));
    },
  };
}
