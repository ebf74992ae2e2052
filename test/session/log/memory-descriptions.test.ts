// Descriptions of pictures in memory: one asks for each, and who does not come back gives it up.
import { expect, test } from 'vitest';
import { forgetDescribed, memoryDescriptions } from '../../../src/session/log/memory-descriptions.ts';
import type { DescriptionChange } from '../../../src/session/log/memory-descriptions.ts';

function opened(): {
  table: ReturnType<typeof memoryDescriptions>;
  changes: DescriptionChange[];
  tick: (ms: number) => void;
} {
  let clock = 1000;
  const known = new Map<string, string>();
  const changes: DescriptionChange[] = [];
  const table = memoryDescriptions(known, {
    changed: async (change) => {
      changes.push(change);
      known.set(change[1], change[2]);
    },
    now: () => clock,
  });
  return { table, changes, tick: (ms) => (clock += ms) };
}

test('a picture is described by one, and known to all from then on', async () => {
  const { table, changes } = opened();
  expect(await table.find('a eyes')).toBeUndefined();
  expect(await table.claim('a eyes')).toBe(true);
  expect(await table.claim('a eyes')).toBe(false);
  expect(await table.claim('b eyes')).toBe(true);
  await table.keep('a eyes', 'a red door');
  expect(changes).toEqual([['described', 'a eyes', 'a red door']]);
  expect(await table.find('a eyes')).toBe('a red door');
  expect(await table.claim('a eyes')).toBe(false);
});

test('a claim is given back, or lapses after a minute', async () => {
  const { table, tick } = opened();
  expect(await table.claim('a')).toBe(true);
  await table.free('a');
  expect(await table.claim('a')).toBe(true);
  tick(59_999);
  expect(await table.claim('a')).toBe(false);
  tick(1);
  expect(await table.claim('a')).toBe(true);
  expect(await table.claim('a')).toBe(false);
});

test('what was said of pictures goes with them, unless somebody needs them', () => {
  const known = new Map([
    ['sha256:aa openai/gpt-5.2 1', 'others'],
    ['sha256:bb openai/gpt-5.2 1', 'gone'],
    ['sha256:cc openai/gpt-5.2 1', 'needed'],
  ]);
  forgetDescribed(known, new Set(['sha256:bb', 'sha256:cc'] as const), new Set(['sha256:aa', 'sha256:cc'] as const));
  expect([...known.values()]).toEqual(['others', 'needed']);
});
