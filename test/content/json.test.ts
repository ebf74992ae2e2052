import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsedFromPython, toJsonText } from '../../src/content/json.ts';
import { cpuMs } from '../cpu.ts';

describe('JSON text', () => {
  test('of plain JSON is what JSON.stringify gives', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        expect(toJsonText(value, indent)).toBe(JSON.stringify(value, undefined, indent));
      }),
    );
  });

  const shared = { a: 1 };
  const circle: Record<string, unknown> = { name: 'circle' };
  circle['self'] = circle;
  const throughMap = new Map<string, unknown>([['name', 'map']]);
  throughMap.set('self', { inner: throughMap });
  const broken = {
    toJSON(): never {
      throw new Error('no JSON of this');
    },
  };

  const rows: readonly (readonly [string, unknown, string])[] = [
    ['a bigint is its digits', { n: 12345678901234567890n }, '{"n":"12345678901234567890"}'],
    ['a map is an object', new Map([['a', 1]]), '{"a":1}'],
    ['a query says a name several times as a list', new URLSearchParams('a=1&b=2&a=3'), '{"a":["1","3"],"b":"2"}'],
    ['headers are an object', { headers: new Headers({ etag: 'x' }) }, '{"headers":{"etag":"x"}}'],
    ['shared memory is its length', { memory: new SharedArrayBuffer(3) }, '{"memory":"[3 bytes]"}'],
    ['a set is a list', { s: new Set([1, 2]) }, '{"s":[1,2]}'],
    ['an error is its message', { e: new TypeError('bad') }, '{"e":"TypeError: bad"}'],
    ['a date is its ISO text', { d: new Date(0) }, '{"d":"1970-01-01T00:00:00.000Z"}'],
    ['a promise says that nobody awaited it', { p: Promise.resolve(1) }, '{"p":"[a promise that was not awaited]"}'],
    ['a stream says that nobody read it', { s: new ReadableStream() }, '{"s":"[a stream that was not read]"}'],
    ['a stream of Node says so, too', { s: Readable.from(['x']) }, '{"s":"[a stream that was not read]"}'],
    ['so does a generator', [new Set([1]).values()], '["[a stream that was not read]"]'],
    ['a function is named as such', { f: (): void => undefined }, '{"f":"[function]"}'],
    ['a symbol is named as such', { s: Symbol('x') }, '{"s":"[symbol]"}'],
    ['a circle is cut', circle, '{"name":"circle","self":"[circular]"}'],
    ['an object that stands twice is no circle', [shared, shared], '[{"a":1},{"a":1}]'],
    ['an object that stands twice at different depths is no circle', [[shared], shared], '[[{"a":1}],{"a":1}]'],
  ];

  test.each(rows)('%s', (_name, value, wanted) => {
    expect(toJsonText(value)).toBe(wanted);
  });

  test('survives a circle that goes through a map', () => {
    expect(toJsonText({ through: throughMap, kept: 'words' })).toContain('"kept":"words"');
  });

  test('keeps everything else when one part cannot be written', () => {
    const text = toJsonText({ kept: 'words', broken, list: [broken, 'more'] });
    expect(text).toContain('words');
    expect(text).toContain('more');
    expect(text).not.toContain('[object Object]');
  });

  test('is text for any value at all', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 20_000; level++) deep = [deep];
    const bare = Object.assign(Object.create(null) as object, broken);
    for (const value of [deep, bare, broken, Object.create(null)]) expect(typeof toJsonText(value)).toBe('string');
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        expect(typeof toJsonText(value)).toBe('string');
      }),
    );
  });
});

test('JSON with numbers of Python that breaks off inside a text full of quotes costs no more than one look', async () => {
  const broken = `{"mean": NaN, "page": "${String.raw`\"`.repeat(200_000)}`;
  expect(await cpuMs(() => expect(parsedFromPython(broken)).toBeUndefined())).toBeLessThan(2000); // it was a minute
});
