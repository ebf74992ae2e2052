import { expect, test } from 'vitest';
import { clipped, cutText } from '../../src/content/text.ts';

test('a cut never leaves half a character', () => {
  expect([4, 3, 2, 1].map((max) => cutText('ab😀', max))).toEqual(['ab😀', 'ab', 'ab', 'a']);
  expect([0, -1, -5].map((max) => cutText('ab😀', max))).toEqual(['', '', '']);
  expect([4, 3, 2].map((max) => clipped('ab😀', max))).toEqual(['ab😀', 'ab…', 'ab…']);
});
