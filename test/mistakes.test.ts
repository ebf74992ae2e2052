// What one reads who makes a mistake: the page of them is what happens, and every sentence helps.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('the page of mistakes is what happens when they are made: `npm run mistakes` writes it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/mistakes.ts', '--check']).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});

test('no mistake goes unnoticed, and none is told in the words of the machine', () => {
  const rows = readFileSync('docs/mistakes.md', 'utf8').match(/^\| `.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThanOrEqual(60);
  const useless = /\| (?:nothing\b|thrown:|TypeError|RangeError|ReferenceError|Hi\.)/;
  expect(rows.filter((row) => useless.test(row))).toEqual([]);
});
