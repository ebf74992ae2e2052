// How the scripts are called: what stands on top of a script is its help.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ParseArgsOptionsConfig } from 'node:util';

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>;

/** What was written behind the name of a script. `--help` prints the comment on its top and ends it well; an option that it
 * does not have ends it with 2, before it has done anything. */
export function argumentsOf<const Options extends ParseArgsOptionsConfig>(
  file: string,
  options: Options,
  { words = false }: { words?: boolean } = {},
): Parsed<Options> {
  const given = process.argv.slice(2);
  if (given.includes('--help') || given.includes('-h')) {
    console.log(topOf(file));
    process.exit(0);
  }
  try {
    return parseArgs({ args: given, options, allowPositionals: words });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${topOf(file)}`);
    process.exit(2);
  }
}

/** The comment that a file begins with. */
export function topOf(file: string): string {
  const lines = readFileSync(file, 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines.slice(0, end).map((line) => line.replace(/^\/\/ ?/, '')).join('\n'); // prettier-ignore
}
