import { expect, test } from 'vitest';
import { patience } from '../../src/session/away.ts';

const isPassing = (error: unknown): boolean => error === 'away';

test('a store that is away is waited for once: from then on each question has two tries, until one is answered', () => {
  let clock = 1000;
  const { isOver, answered } = patience(100, isPassing, () => clock);
  expect([isOver('away', 1000, 1), isOver('away', 1000, 2)]).toEqual([false, false]);
  clock = 1101;
  expect(isOver('away', 1000, 9)).toBe(true);
  clock = 5000;
  expect([isOver('away', 5000, 1), isOver('away', 5000, 2)]).toEqual([false, true]);
  answered();
  expect([isOver('away', 5000, 1), isOver('away', 5000, 2)]).toEqual([false, false]);
});

test('a store that answers that it has no such thing is not away', () => {
  let clock = 1000;
  const { isOver } = patience(100, isPassing, () => clock);
  expect([isOver('away', 1000, 1), isOver('no such thing', 1000, 2)]).toEqual([false, true]);
  clock = 5000;
  expect([isOver('away', 5000, 1), isOver('away', 5000, 2)]).toEqual([false, false]);
});
