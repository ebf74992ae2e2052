// What rows of the catalog say alike.
import { expect, test } from 'vitest';
import { profileFor } from '../../src/window/profile.ts';
import { efforts, unshown } from '../../src/window/rules.ts';

test('a kind that is not shown goes nowhere and by nothing', () => {
  const rule = profileFor('anthropic/claude-sonnet-4-5').media.image;
  expect(rule.types.length).toBeGreaterThan(0);
  const words = { types: [], result: 'words', errorResult: 'words', user: 'words', carriers: {} };
  expect(unshown(rule)).toEqual({ ...rule, ...words });
});

test('efforts go from none to as much as a model can', () => {
  expect(efforts).toEqual(['off', 'low', 'medium', 'high', 'xhigh', 'max']);
});
