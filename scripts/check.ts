// What has to hold before the tests are run, all of it side by side. What fails is told whole, what holds in a line.
//   npm run check
import { spawn } from 'node:child_process';
import { argumentsOf } from './arguments.ts';

argumentsOf(import.meta.filename, {});

const checks = [
  ['oxfmt', '--check'],
  ['oxlint', '--type-aware', '--type-check', '--deny-warnings'], // with all that tsc says but for the types of exports
  ['vitest', 'run', 'test/architecture.test.ts'],
  ['node', 'scripts/check-browser-bundle.ts'],
  ['node', 'scripts/generate-docs.ts', '--check'],
] as const;

async function run([program, ...words]: readonly [string, ...string[]]): Promise<boolean> {
  const began = performance.now();
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise((resolve) =>
    child.on('close', resolve).on('error', (error) => resolve(error.message)),
  );
  const line = `${[program, ...words].join(' ')}, ${((performance.now() - began) / 1000).toFixed(1)} s`;
  console.log(code === 0 ? `holds: ${line}` : `${said}\nfails (${String(code)}): ${line}`);
  return code === 0;
}

const held = await Promise.all(checks.map(run));
process.exitCode = held.every(Boolean) ? 0 : 1;
