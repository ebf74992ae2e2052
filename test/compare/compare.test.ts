// Sixteen programs as users write them, each beside its counterpart with the AI SDK: both do the same, and ours is no
// longer. They are compiled against the built package under the settings that people have.
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { linesOf } from '../../scripts/docs/compare.ts';
import { some } from '../some.ts';
import { programs } from './programs.ts';
import type { Ran } from './run.ts';

const run = promisify(execFile);
const names = Object.keys(programs);
const sides = ['sightline', 'ai-sdk'] as const;
const fileOf = (name: string, side: string): string => `examples/compare/${name}/${side}.ts`;
const built = existsSync('dist/agent/ui/index.js');

test('every program is listed', () => {
  expect(
    globSync('examples/compare/*')
      .map((folder) => basename(folder))
      .toSorted(),
  ).toEqual(names.toSorted());
  expect(names).toHaveLength(16);
});

test.each(names)('%s is no longer than with the AI SDK', (name) => {
  expect(linesOf(fileOf(name, 'sightline'))).toBeLessThanOrEqual(linesOf(fileOf(name, 'ai-sdk')));
});

const resolutions: [name: string, files: string, settings: object][] = [
  ['nodenext', '*/*.ts', { module: 'nodenext', exactOptionalPropertyTypes: true }],
  ['bundler', '*/sightline.ts', { module: 'esnext', moduleResolution: 'bundler' }],
];

test.runIf(built).each(some(resolutions, 1))(
  'they compile, strictly, with the resolution of %s',
  async (name, files, settings) => {
    mkdirSync('.cache/compare', { recursive: true });
    const config = join('.cache/compare', `${name}.json`);
    const compilerOptions = {
      ...settings,
      target: 'es2024',
      lib: ['es2024', 'esnext.array', 'esnext.disposable', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      noEmit: true,
    };
    writeFileSync(config, JSON.stringify({ compilerOptions, include: [`../../examples/compare/${files}`] }));
    const { stdout } = await run('node_modules/.bin/tsc', ['-p', config]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  },
);

const ran = new Map<string, Ran>();
beforeAll(async () => {
  if (!built) return;
  const files = sides.flatMap((side) => names.map((name) => fileOf(name, side)));
  const { stdout } = await run(process.execPath, ['test/compare/run.ts', ...files]).catch(
    (error: { stdout: string }) => error,
  );
  for (const line of stdout.trim().split('\n')) {
    const each = JSON.parse(line) as Ran;
    ran.set(each.file, each);
  }
});

test.runIf(built).each(names.flatMap((name) => sides.map((side) => [name, side] as const)))(
  '%s runs with %s',
  (name, side) => {
    const { says, prints } = programs[name] ?? { says: [], prints: '' };
    expect(ran.get(fileOf(name, side))).toMatchObject({ printed: prints, asked: says.length });
  },
);

test.runIf(built)('wherever there is a picture the model sees it, on both sides', () => {
  const wordsOnly = ['approval', 'resume-and-fork', 'schemas', 'stream-and-abort', 'structured-output', 'testing'];
  const blind = [...ran.values()].filter(({ sawPicture }) => !sawPicture).map(({ file }) => file.split('/')[2]);
  expect(new Set(blind)).toEqual(new Set(wordsOnly));
});
