// What of a caller's options is about writing on pictures.
import { expect, test } from 'vitest';
import type { MediaPolicy } from '../../src/window/plan-types.ts';
import { sightPolicy, wrongSight } from '../../src/window/sight-policy.ts';

test('only what concerns writing is taken over, and only what is set', () => {
  const all: MediaPolicy = { tiles: 'off', legibility: 'thrifty', pages: 'text', imagesToKeep: 3 };
  expect(sightPolicy(all)).toStrictEqual({ tiles: 'off', legibility: 'thrifty', pages: 'text' });
  expect(sightPolicy({ imagesToKeep: 3 } as MediaPolicy)).toStrictEqual({});
});

test('every word that is known is taken, and any other is answered with those that are', () => {
  for (const tiles of ['careful', 'auto', 'off'] as const) expect(sightPolicy({ tiles })).toStrictEqual({ tiles });
  for (const legibility of ['full', 'thrifty'] as const)
    expect(sightPolicy({ legibility })).toStrictEqual({ legibility });
  for (const pages of ['picture', 'picture+text', 'text'] as const)
    expect(sightPolicy({ pages })).toStrictEqual({ pages });
  expect(wrongSight({ pages: 'words', tiles: 'no' })).toEqual({ name: 'tiles', words: '"careful", "auto" or "off"' });
  expect(wrongSight({ legibility: 1 })).toEqual({ name: 'legibility', words: '"full" or "thrifty"' });
  expect(wrongSight({ pages: '' })).toEqual({ name: 'pages', words: '"picture", "picture+text" or "text"' });
  expect(wrongSight({ other: 'x' })).toBeUndefined();
  const wrong = { pages: 'words' } as unknown as MediaPolicy;
  expect(() => sightPolicy(wrong)).toThrow('"pages" is "words", and must be "picture", "picture+text" or "text".');
});
