// Stryker's mutants, each behind a switch, in the text of a source file.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One small change of a file. */
export type Mutant = {
  id: string;
  fileName: string;
  mutatorName: string;
  replacement: string;
  location: { start: { line: number; column: number } };
};

type Instrumenter = new (logger: object) => {
  instrument(
    files: readonly { name: string; content: string; mutate: true }[],
    options: object,
  ): Promise<{ files: { name: string; content: string }[]; mutants: Mutant[] }>;
};

const own = import.meta.dirname;

/** The mutants of these files, and the files with all of them inside. */
export async function instrument(
  paths: readonly string[],
): Promise<{ sources: Record<string, string>; mutants: readonly Mutant[] }> {
  const place = join(own, 'node_modules/@stryker-mutator/instrumenter/dist/src/index.js');
  if (!existsSync(place)) execFileSync('npm', ['ci', '--prefix', own, '--ignore-scripts'], { stdio: 'inherit' });
  const { Instrumenter } = (await import(place)) as { Instrumenter: Instrumenter };
  const silent = { debug() {}, info() {}, warn: console.warn, isDebugEnabled: () => false };
  const files = paths.map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true as const }));
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const made = await new Instrumenter(silent).instrument(files, options);
  return {
    sources: Object.fromEntries(made.files.map(({ name, content }) => [name, content])),
    mutants: made.mutants,
  };
}
