import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../src/config/make-folder.ts';
import { run } from '../cli/run.ts';

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a folder is made with those above it, for its owner alone where that is asked for, and stays when it is there', () => {
  const folder = join(temporary(), 'a', 'b');
  makeFolder(folder, 0o700);
  makeFolder(folder);
  expect([folder, join(folder, '..')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
});

test('where a file stands in the way, it is told', () => {
  const file = join(temporary(), 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow('EEXIST');
  expect(() => makeFolder(join(file, 'inside'))).toThrow(/EEXIST|ENOTDIR/);
});

test.runIf(process.platform === 'linux')('where nobody can make one, the program says so and ends', async () => {
  const env = { SIGHTLINE_HOME: '/proc/nope', SIGHTLINE_MODEL: 'anthropic/claude-sonnet-5', ANTHROPIC_API_KEY: 'none' };
  const { code, stderr } = await run(['ask', 'hello'], { env });
  expect(stderr).toContain('No folder can be made at /proc/nope');
  expect(stderr).toContain('SIGHTLINE_HOME');
  expect(code).toBe(1);
});
