import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCode, isRunning, writePrivately } from '../../src/config/system.ts';

test('what went wrong has a code where somebody gave it one', () => {
  const given = [Object.assign(new Error('no'), { code: 'ENOENT' }), { code: '28P01' }, { code: 7 }, 'x', undefined];
  expect(given.map(errorCode)).toEqual(['ENOENT', '28P01', undefined, undefined, undefined]);
});

test('a file of the home is whole, its own person reads it, and nothing is left beside it', () => {
  const home = join(mkdtempSync(join(tmpdir(), 'sightline-')), 'home');
  const file = join(home, 'model-lists', 'one.json');
  writePrivately(file, 'first');
  writePrivately(file, 'second');
  expect(readFileSync(file, 'utf8')).toBe('second');
  expect([file, home].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
  const taken = join(home, 'taken');
  mkdirSync(taken);
  expect(() => writePrivately(taken, 'x')).toThrow(/EISDIR|EEXIST|ENOTEMPTY|EPERM/);
  expect(readdirSync(home).toSorted()).toEqual(['model-lists', 'taken']);
});

test('a process runs or has ended; one that may not be asked runs', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect([process.pid, 1, pid, Number.NaN].map(isRunning)).toEqual([true, true, false, false]);
});
