// One work after the other, whatever becomes of each.
import { expect, test } from 'vitest';
import { inTurns } from '../../../src/session/log/in-turns.ts';

test('work is done in the order it was handed over, one at a time; one that fails holds up nobody', async () => {
  const inTurn = inTurns();
  const told: string[] = [];
  const first = Promise.withResolvers<string>();
  const one = inTurn(async () => (told.push('one begins'), await first.promise));
  const two = inTurn(() => {
    told.push('two begins');
    throw new Error('two fails');
  });
  const three = inTurn(() => (told.push('three begins'), 3));
  await Promise.resolve();
  await Promise.resolve();
  expect(told).toEqual(['one begins']);
  first.resolve('one');
  expect(await one).toBe('one');
  await expect(two).rejects.toThrow('two fails');
  expect(await three).toBe(3);
  expect(told).toEqual(['one begins', 'two begins', 'three begins']);
});
