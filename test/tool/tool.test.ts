// A definition that could not work on some API fails at once, and what a tool gets is what its schema says.
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { SightlineError } from '../../src/content/refusal.ts';
import type { StandardSchema } from '../../src/tool/schema.ts';
import type { ToolContext } from '../../src/tool/tool.ts';
import { defineTool } from '../../src/tool/tool.ts';

const description = 'Does something.';
const open = { type: 'object' } as const;

const validate = (value: unknown): { value: { a: string } } => ({ value: { a: String(value) } });

/** A schema of some library, with or without JSON Schema. */
function schemaOf(vendor: string, json?: Record<string, unknown>): StandardSchema<{ a: string }> {
  const base = { version: 1 as const, vendor, validate };
  return { '~standard': json === undefined ? base : { ...base, jsonSchema: { input: () => json } } };
}

describe('a tool with a zod schema', () => {
  const tool = defineTool({
    name: 'resize',
    description,
    input: z.object({
      path: z.string().describe('The file'),
      width: z.number().int().min(1).default(800),
      mode: z.enum(['fit', 'fill']).optional(),
      size: z.string().transform((text) => text.length),
    }),
    run(input, context) {
      expectTypeOf(input).toEqualTypeOf<{
        path: string;
        width: number;
        mode?: 'fit' | 'fill' | undefined;
        size: number;
      }>();
      expectTypeOf(context).toEqualTypeOf<ToolContext>();
      return input.path;
    },
  });

  test('tells models what goes in, as JSON Schema of an object', () => {
    expect(tool.name).toBe('resize');
    expect(tool.description).toBe(description);
    expect(tool.inputSchema).toMatchObject({
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file' },
        width: { type: 'integer', minimum: 1, default: 800 },
        mode: { type: 'string', enum: ['fit', 'fill'] },
        size: { type: 'string' },
      },
      required: ['path', 'size'],
    });
    expect(tool.inputSchema).not.toHaveProperty('$schema');
    expect(JSON.parse(JSON.stringify(tool.inputSchema))).toEqual(tool.inputSchema);
  });

  test('gets what the schema gives: defaults filled in, values transformed', async () => {
    expect(await tool.check({ path: 'a.png', size: 'abc' })).toEqual({
      ok: true,
      value: { path: 'a.png', width: 800, size: 3 },
    });
  });

  test('names each wrong argument by its path', async () => {
    const checked = await tool.check({ path: 5, width: 0.5, size: 'x' });
    expect(checked.ok).toBe(false);
    const errors = checked.ok ? [] : checked.errors;
    expect(errors.some((error) => error.startsWith('path: '))).toBe(true);
    expect(errors.some((error) => error.startsWith('width: '))).toBe(true);
  });

  test('names a wrong argument inside a list', async () => {
    const nested = defineTool({
      name: 'crop',
      description,
      input: z.object({ boxes: z.array(z.object({ x: z.number() })) }),
      run: ({ boxes }) => {
        expectTypeOf(boxes).toEqualTypeOf<{ x: number }[]>();
        return boxes.length;
      },
    });
    expect(await nested.check({ boxes: [{ x: 1 }, { x: 'two' }] })).toMatchObject({
      ok: false,
      errors: [expect.stringMatching(/^boxes\.1\.x: /)],
    });
  });

  test('may check asynchronously', async () => {
    const slow = defineTool({
      name: 'slow',
      description,
      input: z.object({ id: z.string().refine(async (id) => id === 'known', 'unknown id') }),
      run: () => 'ok',
    });
    expect(await slow.check({ id: 'known' })).toEqual({ ok: true, value: { id: 'known' } });
    expect(await slow.check({ id: 'x' })).toEqual({ ok: false, errors: ['id: unknown id'] });
  });
});

describe('a tool with plain JSON Schema', () => {
  test('gets a record, checked', async () => {
    const tool = defineTool({
      name: 'plain',
      description,
      input: { $schema: 'x', type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      run(input) {
        expectTypeOf(input).toEqualTypeOf<{ n: number }>();
        return input.n;
      },
    });
    expect(tool.inputSchema).toEqual({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] });
    expect(await tool.check({ n: 1 })).toEqual({ ok: true, value: { n: 1 } });
    expect(await tool.check({})).toMatchObject({ ok: false });
  });

  test.each([{}, { properties: { a: {} } }, open])('is announced as an object with properties: %j', async (input) => {
    const tool = defineTool({ name: 'plain', description, input, run: () => 'ok' });
    expect(tool.inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) });
    expect(await tool.check({})).toMatchObject({ ok: true });
    for (const wrong of ['text', 5, [], null, undefined]) expect(await tool.check(wrong)).toMatchObject({ ok: false });
  });

  test('leaves the schema that was given as it was', () => {
    const input = Object.freeze({ $schema: 'x', properties: Object.freeze({}) });
    defineTool({ name: 'plain', description, input, run: () => 'ok' });
    expect(input).toEqual({ $schema: 'x', properties: {} });
  });
});

test('a schema of another library works when it offers JSON Schema', async () => {
  const input = schemaOf('other', { type: 'object', properties: { a: { type: 'string' } } });
  const tool = defineTool({
    name: 'other',
    description,
    input,
    run(given) {
      expectTypeOf(given).toEqualTypeOf<{ a: string }>();
    },
  });
  expect(tool.inputSchema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
  expect(await tool.check('x')).toEqual({ ok: true, value: { a: 'x' } });
});

test('a schema may be a function, as with some libraries', () => {
  const input = Object.assign((): void => undefined, schemaOf('arktype', { type: 'object' }));
  expect(defineTool({ name: 'callable', description, input, run: () => 'ok' }).inputSchema).toMatchObject({
    type: 'object',
  });
});

test.each([
  ['valibot', /@valibot\/to-json-schema/],
  ['zod', /zod 4/],
  ['arktype', /arktype 2/],
  ['homemade', /homemade/],
  ['constructor', /converter of constructor/],
])('a schema of %s without JSON Schema is refused with the way out', (vendor, wanted) => {
  const define = (): unknown => defineTool({ name: 'broken', description, input: schemaOf(vendor), run: () => 'ok' });
  expect(define).toThrow(SightlineError);
  expect(define).toThrow(wanted);
  expect(define).toThrow(/"broken"/);
});

test.each([
  ['a string', z.string()],
  ['a list', z.array(z.string())],
  ['a plain list', { type: 'array', items: {} }],
  ['several types', { type: ['object', 'null'] }],
])('an input that is %s is refused: APIs take objects only', (_name, input) => {
  expect(() => defineTool({ name: 'broken', description, input, run: () => 'ok' })).toThrow(/object/);
});

test.each(['', ' ', '1st', 'a b', 'a.b', 'a/b', 'ä', '-a', 'a\n', 'a'.repeat(65), 'Ａ', '😀'])(
  'the name %j is refused',
  (name) => {
    expect(() => defineTool({ name, description, input: open, run: () => 'ok' })).toThrow(SightlineError);
  },
);

test.each(['a', '_a', 'A1', 'read_file', 'read-file', 'a'.repeat(64)])('the name %j is taken', (name) => {
  expect(defineTool({ name, description, input: open, run: () => 'ok' }).name).toBe(name);
});

test('a schema that JSON cannot hold is refused, and one way out is named', () => {
  const input = { type: 'object', properties: {} as Record<string, unknown> };
  input.properties['parent'] = input;
  const define = (): unknown => defineTool({ name: 'broken', description, input, run: () => 'ok' });
  expect(define).toThrow(SightlineError);
  expect(define).toThrow(/^The input schema of tool "broken" cannot be written as JSON: .* by "\$ref"\.$/);
});

test('a tool that does nothing is refused', () => {
  const idle = { name: 'idle', description, input: open };
  expect(() => defineTool(idle as never)).toThrow('The tool "idle" has no function "run".');
});

test.each([
  [
    'zod',
    { q: z.string(), n: z.number() },
    'The input of tool "find" is fields, not a schema: "q" is one of zod. Write input: z.object({ q: … }).',
  ],
  ['another library', { q: schemaOf('other') }, /"q" is one of other\. Write input: an object schema of\(\{ q: … \}\)/],
  ['plain JSON', { q: { type: 'string' } }, /Write input: \{ type: 'object', properties: \{ q: … \} \}\./],
  ['names that JSON Schema has, too', { title: { type: 'string' }, required: { type: 'boolean' } }, /\{ title: … \}/],
])('fields of %s without the object around them are refused, and what to write is said', (_name, input, wanted) => {
  expect(() => defineTool({ name: 'find', description, input, run: () => 'ok' })).toThrow(wanted);
});

test.each([
  ['nothing', {}],
  ['properties alone', { properties: { q: { type: 'string' } } }],
  ['a title and words that stand for it', { title: 'Find', required: ['q'] }],
  ['definitions', { $defs: { q: { type: 'string' } } }],
])('a schema that says only %s is one', (_name, input) => {
  expect(defineTool({ name: 'find', description, input, run: () => 'ok' }).inputSchema.type).toBe('object');
});

test.each([
  ['inputSchema', 'input'],
  ['parameters', 'input'],
  ['execute', 'run'],
  ['needsApproval', 'approve'],
  ['timeout', 'timeoutMs'],
])('the word "%s" of other libraries is answered with ours', (theirs, ours) => {
  const run = ours === 'run' ? {} : { run: () => 'ok' };
  const define = (): unknown => defineTool({ name: 'find', description, ...run, [theirs]: {} } as never);
  expect(define).toThrow(`The tool "find" has "${theirs}". Did you mean "${ours}"?`);
});

test('a tool that takes nothing needs no schema', async () => {
  const tool = defineTool({ name: 'now', description, run: () => 'noon' });
  expect(tool.inputSchema).toEqual({ type: 'object', properties: {} });
  expect(await tool.check({})).toEqual({ ok: true, value: {} });
});

test.each([0, -1, Number.NaN])('a time limit of %d is refused, and so are as many calls at once', (timeoutMs) => {
  expect(() => defineTool({ name: 'slow', description, timeoutMs, run: () => 'ok' })).toThrow(/milliseconds above 0/);
  expect(() => defineTool({ name: 'slow', description, concurrency: timeoutMs, run: () => 'ok' })).toThrow(
    'The concurrency of tool "slow" must be a number of calls above 0.',
  );
});
