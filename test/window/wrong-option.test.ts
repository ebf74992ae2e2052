// Options told by hand: the first wrong one is named, with what it must be.
import { expect, test } from 'vitest';
import { countPolicy, wrongOption } from '../../src/window/wrong-option.ts';

const above = 'a whole number above 0';
const flag = 'true or false';

/** What each takes, what it does not take, and what is said then. */
const rows: [string, unknown[], unknown[], string][] = [
  ['maxTokens', [1, 4096], [0, -1, 1.5, '1', Infinity, null], above],
  ['temperature', [0, 0.7, 2], [-0.1, '1', Number.NaN, null], 'a number of 0 or more'],
  ['topP', [0, 0.5, 1], [-0.1, 1.1, '1'], 'a number from 0 to 1'],
  ['topK', [1, 40], [0, 2.5, true], above],
  ['seed', [0, -7, 12], [0.5, '1'], 'a whole number'],
  ['stop', [[], ['END'], ['a', 'b']], ['END', [''], ['a', 1], {}], 'a list of words'],
  ['verbosity', ['low', 'medium', 'high'], ['off', '', 1], 'low, medium or high'],
  [
    'thinking',
    ['off', 'low', 'medium', 'high', 'xhigh', 'max'],
    ['none', '', true],
    'off, low, medium, high, xhigh or max',
  ],
  ['user', ['u1'], ['', 1], 'a word'],
  ['json', [true, false], ['true', 1], flag],
  ['parallelCalls', [true, false], ['false', 0], flag],
  ['citations', [true, false], ['yes', 1], flag],
];

test.each(rows)('%s is taken, or told to be what it must be', (name, right, wrong, words) => {
  for (const value of [undefined, ...right]) expect(wrongOption({ [name]: value }), String(value)).toBeUndefined();
  for (const value of wrong) expect(wrongOption({ [name]: value }), String(value)).toEqual({ name, words });
});

test('the first that is wrong is told; what is no option of a request is nobody’s business here', () => {
  expect(wrongOption({ topK: 0, topP: 3, maxTokens: 5 })).toEqual({ name: 'topP', words: 'a number from 0 to 1' });
  expect(wrongOption({ colour: 'red' })).toBeUndefined();
});

test('how many pictures are wished is kept as it is; what is no such number is refused by its name', () => {
  expect(countPolicy({ batch: undefined } as object)).toStrictEqual({});
  const given = { imagesToKeep: 0, batch: 1, maxImagesPerMessage: 0, maxImageTokens: 1 };
  expect(countPolicy({ ...given, strict: true } as object)).toEqual(given);
  for (const [name, least] of [
    ['imagesToKeep', 0],
    ['batch', 1],
    ['maxImagesPerMessage', 0],
    ['maxImageTokens', 1],
  ] as const)
    for (const [value, told] of [
      [least - 1, `${least - 1}`],
      [1.5, '1.5'],
      [Number.NaN, 'NaN'],
      ['2', '"2"'],
    ] as [never, string][]) {
      const must = `a whole number ${least === 0 ? 'of 0 or more' : 'above 0'}`;
      expect(() => countPolicy({ [name]: value })).toThrow(`"${name}" is ${told}, and must be ${must}.`);
    }
});
