// What moves by itself moves only for those who have not asked for less of it.
import { expect, test } from 'vitest';
import { style } from '../../src/page/style.ts';

test('nothing moves for who wants reduced motion', () => {
  const [always = '', moving = ''] = style.split('@media (prefers-reduced-motion: no-preference)');
  expect(always).not.toMatch(/animation|transition|scroll-behavior/);
  expect(moving).toContain('animation');
});
