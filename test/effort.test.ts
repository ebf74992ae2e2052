// The short form of the tests leaves nothing out for good, and CI runs the long one.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { effortOf } from './effort.ts';
import { drawn, testsIn } from './some.ts';

test('CI asks for the long form: a hundred runs of each law, a hundred kills', () => {
  expect(readFileSync('.ci/run', 'utf8')).toMatch(/ SIGHTLINE_LONG=1 npm test /);
  expect(effortOf({ SIGHTLINE_LONG: '1' })).toMatchObject({ isLong: true, runs: 100, kills: 100, mutants: 600 });
});

test('only npm test without more tries some tests of a file; the long form and who names a file try all', () => {
  const npmTest = { npm_lifecycle_event: 'test' };
  const forms = [npmTest, { ...npmTest, SIGHTLINE_LONG: '1' }, {}, { npm_lifecycle_event: 'mutate' }];
  expect(forms.map((variables) => effortOf(variables).isWhole)).toEqual([false, true, true, true]);
});

const task = (id: string, mode = 'run'): { id: string; mode: string } => ({ id, mode });

test('tests are drawn among those that would run, in groups too', () => {
  const tasks = [
    task('a'),
    task('b', 'skip'),
    { ...task('c'), tasks: [task('d', 'queued'), task('e', 'todo')] },
    { ...task('f', 'skip'), tasks: [task('g')] },
  ];
  expect(testsIn(tasks)).toEqual(['a', 'd']);
});

test('a count of its own goes before either form', () => {
  const own = { SIGHTLINE_RUNS: '250' };
  expect([effortOf(own).runs, effortOf({ ...own, SIGHTLINE_LONG: '1' }).runs]).toEqual([250, 250]);
  expect(effortOf(own).kills).toBe(effortOf({}).kills);
});

test('rows that are drawn are the same for a seed, and in some run each of them is', () => {
  const rows = Array.from({ length: 12 }, (_, at) => at);
  expect(drawn(rows, 3, 77)).toEqual(drawn(rows, 3, 77));
  const seen = Array.from({ length: 200 }, (_, seed) => drawn(rows, 3, seed * 7919));
  expect(new Set(seen.flat()).size).toBe(rows.length);
  for (const few of seen) expect([few.length, few]).toEqual([3, few.toSorted((one, other) => one - other)]);
});
