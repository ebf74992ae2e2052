#!/usr/bin/env node
// The program's first file. It imports nothing before it knows that this Node can run the rest, so that an old one
// gets a sentence and not a syntax error.
import type * as Modules from 'node:module';

/** Node 22.19 is the first that has all we use. */
function isOldNode(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < 22 || (major === 22 && minor < 19);
}

if (isOldNode()) {
  process.stderr.write(`sightline needs Node 22.19 or newer; this is ${process.version}.\n`);
  process.exitCode = 1;
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  // Asked for more often than anything else, by scripts: answered before anything is loaded.
  const { readFileSync, writeSync } = process.getBuiltinModule('node:fs');
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  writeSync(1, `${(JSON.parse(manifest) as { version: string }).version}\n`);
} else {
  // Compiled code is kept between runs, which halves the time to start; Deno has no such cache.
  const { enableCompileCache }: Partial<typeof Modules> = process.getBuiltinModule('node:module');
  enableCompileCache?.();
  // A signal ends the program, and its end all that it has started. A command that hears one itself knows what to do.
  for (const [name, number] of [
    ['SIGHUP', 1],
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const)
    process.on(name, () => process.listenerCount(name) === 1 && process.exit(128 + number));
  const { run } = await import('./program.ts');
  process.exitCode = await run(process.argv.slice(2));
}
