// What fails once among all the others and passes alone is told; what fails twice, or cannot be tried alone, refuses.
import { expect, test } from 'vitest';
import { secondLook } from '../scripts/test-again.ts';

const six = ['a', 'b', 'c', 'd', 'e', 'f'];

test.each<[string, string[], string[], boolean, string[]]>([
  ['a file that passes alone', ['a'], [], true, ['!!! failed once, passed alone: a']],
  ['one that fails again', ['a', 'bad'], [], false, ['!!! failed once, passed alone: a', '!!! failed twice: bad']],
  ['too many files', six, [], false, ['6 test files failed; no more than 5 are tried again.']],
  ['a run that failed without any', [], [], false, ['The run failed, and no test file did.']],
  ['an error of nobody', ['a'], ['x'], false, ['An error that nobody caught belongs to no test file: x']],
])('%s', (_what, files, homeless, isSound, lines) => {
  expect(secondLook({ seed: 1, files, homeless }, (file) => file !== 'bad')).toEqual({ isSound, lines });
});
