// The package as it is built, on the oldest Node that is promised, on Bun and on Deno.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const built = existsSync('dist/index.js');
const programs = join(import.meta.dirname, 'node_modules', '.bin');
const otherRuntimes = existsSync(programs);
if (!otherRuntimes)
  console.warn('Bun, Deno and Node 22 are not tried: "npm install --no-save --prefix test/runtimes" installs them.');

const runtimes = [
  ['node', []],
  ['bun', []],
  ['deno', ['run', '-A']],
] as const;

async function runWith(runtime: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, HOME: mkdtempSync(join(tmpdir(), 'sightline-home-')) };
  return (await promisify(execFile)(join(programs, runtime), args, { env })).stdout;
}

describe.runIf(built && otherRuntimes).each(runtimes)('on %s', (runtime, before) => {
  test('pictures reach models, conversations are kept, files are read', async () => {
    const told = await runWith(runtime, [...before, 'test/runtimes/program.mjs']);
    expect(JSON.parse(told)).toEqual({
      underSdk: '1 media',
      longBody: 'its length',
      throughGateway: '1 media',
      run: { text: '3 media' },
      kept: [4],
      tools: ['charts_chart'],
      read: true,
    });
  });

  test('the CLI reads a PDF', async () => {
    expect(await runWith(runtime, [...before, 'dist/cli/main.js', 'read', 'examples/report.pdf'])).toContain(
      '--- Page 1 ---',
    );
  });
});
