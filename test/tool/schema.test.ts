// Arguments against JSON Schema: what is right passes, and what is wrong is told in words a model can act on.
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkJsonSchema, checkStandard, withoutNulls } from '../../src/tool/schema.ts';
import type { JsonSchema } from '../../src/tool/schema.ts';

function errorsOf(schema: JsonSchema, value: unknown): string[] {
  const checked = checkJsonSchema(schema, value);
  return checked.ok ? [] : checked.errors;
}

const person = {
  type: 'object',
  properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
  required: ['name'],
  additionalProperties: false,
};

describe('what is right passes', () => {
  const tree = {
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, additionalProperties: false } },
    $ref: '#/$defs/node',
  };
  const rows: readonly (readonly [string, JsonSchema, unknown])[] = [
    ['no rule', {}, undefined],
    ['a string', { type: 'string' }, ''],
    ['an integer', { type: 'integer' }, 1.0],
    ['one of two types', { type: ['string', 'null'] }, null],
    ['an object', person, { name: 'Ada', tags: ['a'] }],
    ['an enum', { enum: [1, 'a', null] }, null],
    ['an enum of objects', { enum: [{ a: 1 }] }, { a: 1 }],
    ['a constant', { const: 5 }, 5],
    ['any of several', { anyOf: [{ type: 'string' }, { type: 'number' }] }, 5],
    ['one of several', { oneOf: [{ type: 'string' }, { type: 'null' }] }, null],
    ['all of several', { allOf: [{ type: 'number' }, { minimum: 3 }] }, 3],
    ['limits', { type: 'number', minimum: 1, maximum: 1, multipleOf: 1 }, 1],
    ['a price', { type: 'number', multipleOf: 0.01 }, 19.99],
    ['a very small step', { type: 'number', multipleOf: 0.0001 }, 0.0075],
    ['characters, not units', { type: 'string', minLength: 2, maxLength: 2 }, '😀😀'],
    ['a pattern', { type: 'string', pattern: '^a+$' }, 'aa'],
    ['a pattern of another dialect', { type: 'string', pattern: '(?i)a' }, 'A'],
    ['other properties', { type: 'object' }, { anything: 1 }],
    ['other properties with a rule', { additionalProperties: { type: 'number' } }, { a: 1 }],
    [
      'properties by pattern',
      { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
      { 'x-a': '1' },
    ],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }, ['a', 1]],
    ['a reference', { $defs: { a: { type: 'string' } }, properties: { x: { $ref: '#/$defs/a' } } }, { x: 'a' }],
    ['a reference with escapes', { $defs: { 'a/b~c': { type: 'string' } }, $ref: '#/$defs/a~1b~0c' }, 'x'],
    ['a reference that leads nowhere', { $ref: '#/$defs/none' }, 5],
    ['a reference with a percent sign', { $ref: '#/$defs/100%' }, 5],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, 5],
    ['a tree', tree, { next: { next: {} } }],
    ['keywords nobody knows', { type: 'string', 'x-unit': 'px', format: 'color', if: false, not: {} }, 'a'],
    [
      'a property called like a method',
      { type: 'object', properties: { toString: { type: 'string' } } },
      { toString: 'a' },
    ],
  ];

  test.each(rows)('%s', (_name, schema, value) => {
    expect(checkJsonSchema(schema, value)).toEqual({ ok: true, value });
  });
});

describe('what is wrong is told', () => {
  const rows: readonly (readonly [string, JsonSchema, unknown, readonly RegExp[]])[] = [
    ['a wrong type', { type: 'string' }, 5, [/^input: .*string.*number/]],
    ['a list for an object', { type: 'object' }, [], [/^input: .*object.*array/]],
    ['null for an object', { type: 'object' }, null, [/^input: .*object.*null/]],
    ['a fraction', { type: 'integer' }, 1.5, [/^input: .*integer/]],
    ['one of two types', { type: ['string', 'null'] }, 5, [/string.*null/]],
    ['a missing property', person, {}, [/^input\.name: .*required/]],
    ['a property that only its prototype has', { required: ['toString'] }, {}, [/toString/]],
    ['an unknown property, with the known ones', person, { name: 'a', nam: 'b' }, [/^input\.nam: .*name, tags/]],
    ['a deep value, by its path', person, { name: 'a', tags: ['x', 5] }, [/^input\.tags\[1\]: .*string/]],
    ['a value outside an enum, with the choices', { enum: ['fit', 'fill'] }, 'fat', [/"fit".*"fill"/]],
    ['another constant', { const: 5 }, 6, [/5/]],
    ['too small', { minimum: 3 }, 2, [/at least 3/]],
    ['too large', { maximum: 3 }, 4, [/at most 3/]],
    ['at the open limits', { exclusiveMinimum: 3 }, 3, [/more than 3/]],
    ['at the other open limit', { exclusiveMaximum: 3 }, 3, [/less than 3/]],
    ['no multiple', { multipleOf: 0.01 }, 19.995, [/multiple of 0\.01/]],
    ['too short', { minLength: 3 }, 'ab', [/at least 3/]],
    ['too long', { maxLength: 1 }, 'ab', [/at most 1/]],
    ['a wrong pattern', { pattern: '^a$' }, 'b', [/\^a\$/]],
    ['too few items', { minItems: 2 }, [1], [/at least 2/]],
    ['too many items', { maxItems: 1 }, [1, 2], [/at most 1/]],
    ['none of several', { anyOf: [{ type: 'string' }, { type: 'number' }] }, true, [/string/]],
    ['not all of several', { allOf: [{ minimum: 3 }, { multipleOf: 2 }] }, 1, [/at least 3/, /multiple of 2/]],
    [
      'behind a reference',
      { $defs: { a: { type: 'string' } }, properties: { x: { $ref: '#/$defs/a' } } },
      { x: 5 },
      [/^input\.x: .*string/],
    ],
    ['what is never allowed', { properties: { x: false } }, { x: 1 }, [/^input\.x: /]],
    [
      'a property with a rule for others',
      { additionalProperties: { type: 'number' } },
      { a: 'x' },
      [/^input\.a: .*number/],
    ],
    ['two things at once', person, { tags: 'x' }, [/name/, /tags/]],
  ];

  test.each(rows)('%s', (_name, schema, value, wanted) => {
    const errors = errorsOf(schema, value);
    expect(errors.length).toBe(wanted.length);
    for (const pattern of wanted) expect(errors.some((error) => pattern.test(error))).toBe(true);
  });

  test('but not more of it than a model can read', () => {
    const value = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, at]));
    expect(errorsOf({ additionalProperties: false, properties: {} }, value).length).toBeLessThanOrEqual(10);
  });

  test('nor from a schema of a library', async () => {
    const many = Array.from({ length: 1000 }, () => 'x');
    const checked = await checkStandard(z.object({ many: z.array(z.number()) }), { many });
    expect(checked.ok ? [] : checked.errors).toHaveLength(10);
  });
});

test('a value nested deeper than a person writes is still checked', () => {
  const schema = {
    $defs: { n: { type: 'object', properties: { next: { $ref: '#/$defs/n' }, v: { type: 'string' } } } },
    $ref: '#/$defs/n',
  };
  let value: unknown = { v: 5 };
  for (let level = 0; level < 8; level++) value = { next: value };
  expect(errorsOf(schema, value)).toHaveLength(1);
});

test('a schema that refers to itself without end is left in time', () => {
  let looks = 0;
  const looping = {
    get allOf(): unknown {
      if (++looks > 100_000) throw new Error('no end in sight');
      return [{ $ref: '#' }, { $ref: '#' }];
    },
  };
  expect(checkJsonSchema(looping, 5).ok).toBe(true);
  expect(checkJsonSchema({ $ref: '#' }, 5).ok).toBe(true);
  expect(
    checkJsonSchema({ $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, 5).ok,
  ).toBe(true);
});

test('an independent validator agrees', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const leaf = fc.constantFrom<JsonSchema>(
    { type: 'string', minLength: 1 },
    { type: 'integer', minimum: 0 },
    { type: ['number', 'null'] },
    { type: 'boolean' },
    { enum: ['a', 1] },
    { type: 'string', pattern: '^a' },
  );
  const schema = fc.letrec<{ node: JsonSchema }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      leaf,
      tie('node').map((items): JsonSchema => ({ type: 'array', items, maxItems: 2 })),
      fc
        .tuple(fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node')), fc.boolean(), fc.subarray(['a', 'b']))
        .map(([properties, more, required]): JsonSchema => ({
          type: 'object',
          properties,
          additionalProperties: more,
          required,
        })),
      fc.array(tie('node'), { minLength: 1, maxLength: 2 }).map((anyOf): JsonSchema => ({ anyOf })),
    ),
  })).node;
  const value = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<unknown>('', 'a', 'b', 0, 1, -1, 1.5, true, null),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('node')),
    ),
  })).node;
  fc.assert(
    fc.property(schema, value, (rules, given) => {
      expect(checkJsonSchema(rules, given).ok).toBe(ajv.validate(rules, given));
    }),
    { numRuns: 400 },
  );
});

test('null for what may be left out means that it is not given, and stays where the schema takes it', () => {
  const region = { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } }, required: ['x'] };
  const properties = {
    path: { type: 'string' },
    pages: { type: 'string' },
    mode: { enum: ['a', 'b'] },
    note: { type: ['string', 'null'] },
    any: {},
    either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    region: { $ref: '#/$defs/region' },
    list: { type: 'array', items: region },
  };
  const schema = { type: 'object', properties, required: ['path'], $defs: { region } };
  const given = { path: 'a', pages: null, mode: null, note: null, any: null, either: null, more: null };
  expect(withoutNulls(schema, given)).toEqual({ path: 'a', note: null, any: null, either: null, more: null });
  expect(withoutNulls(schema, { path: null, region: null })).toEqual({ path: null });
  expect(withoutNulls(schema, { region: { x: null, y: null }, list: [{ x: 1, y: null }] })).toEqual({
    region: { x: null },
    list: [{ x: 1 }],
  });
  const whole = { path: 'a', list: [{ x: 1 }] };
  expect(withoutNulls(schema, whole)).toBe(whole);
});
