// One writer per session, who is told apart from others and from oneself.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { writtenElsewhere } from '../../../src/session/log/port.ts';
import { lockSession } from '../../../src/session/log/sqlite-lock.ts';
import { openFiles } from '../open-files.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-lock-'));
const newFolder = (): string => mkdtempSync(join(scratch, 'home-'));
afterAll(() => rmSync(scratch, { recursive: true }));

test('is taken once, by whichever way the folder is named, and again when it was let go of', () => {
  const folder = newFolder();
  const locks = join(folder, 'deep', 'locks');
  const free = lockSession(locks, 'one');
  expect(existsSync(join(locks, 'one.lock'))).toBe(true);
  expect(statSync(locks).mode & 0o777).toBe(0o700);
  expect(() => lockSession(locks, 'one')).toThrow(writtenElsewhere('one', 'us'));
  symlinkSync(locks, join(folder, 'link'));
  expect(() => lockSession(join(folder, 'link'), 'one')).toThrow(writtenElsewhere('one', 'us'));
  lockSession(locks, 'two')();
  free();
  lockSession(locks, 'one')();
});

test('that somebody else has is told so, also after it was ours', () => {
  const locks = newFolder();
  lockSession(locks, 'three')();
  const other = new DatabaseSync(join(locks, 'three.lock'));
  other.exec('BEGIN EXCLUSIVE');
  try {
    expect(() => lockSession(locks, 'three')).toThrow(writtenElsewhere('three', 'others'));
  } finally {
    other.close();
  }
  lockSession(locks, 'three')();
});

/** How often this process has a file open. */
function opened(path: string): number {
  return openFiles().filter((one) => one === realpathSync(path)).length;
}

test.runIf(process.platform === 'linux')('who is refused again and again holds nothing open', () => {
  const locks = newFolder();
  const other = new DatabaseSync(join(locks, 'six.lock'));
  other.exec('BEGIN EXCLUSIVE');
  const before = opened(join(locks, 'six.lock'));
  for (let tries = 0; tries < 3; tries++) expect(() => lockSession(locks, 'six')).toThrow('six');
  other.close();
  lockSession(locks, 'six')();
  expect(before).toBe(1);
  expect(opened(join(locks, 'six.lock'))).toBe(0);
});

test('another trouble is told as it is', () => {
  const locks = newFolder();
  mkdirSync(join(locks, 'four.lock'));
  expect(() => lockSession(locks, 'four')).toThrow(/unable to open/);
  writeFileSync(join(locks, 'five.lock'), 'something else '.repeat(100));
  expect(() => lockSession(locks, 'five')).toThrow(/not a database/);
});
