// Schemas of the libraries themselves: what they infer is what a tool gets, and what they say is what a model reads.
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { Block } from '../../src/content/block.ts';
import type { Tool } from '../../src/tool/tool.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { readOutput } from '../../src/window/output.ts';

type Trip = { city: string; days?: number };

const city = { type: 'string', minLength: 1 };
const libraries = {
  zod: z.object({ city: z.string().min(1), days: z.number().optional() }),
  valibot: toStandardJsonSchema(v.object({ city: v.pipe(v.string(), v.minLength(1)), days: v.optional(v.number()) })),
  arktype: type({ city: 'string >= 1', 'days?': 'number' }),
};

test('what a tool gets is typed by the schema of each library', () => {
  const tools = {
    zod: defineTool({ name: 'a', description: 'a', input: libraries.zod, run: ({ days }) => days ?? 0 }),
    valibot: defineTool({ name: 'a', description: 'a', input: libraries.valibot, run: ({ days }) => days ?? 0 }),
    arktype: defineTool({ name: 'a', description: 'a', input: libraries.arktype, run: ({ days }) => days ?? 0 }),
  };
  type Given<T> = T extends Tool<'a', infer Input, infer _Context> ? Input : never;
  expectTypeOf<Given<typeof tools.zod>['city']>().toEqualTypeOf<Trip['city']>();
  expectTypeOf<Given<typeof tools.valibot>['city']>().toEqualTypeOf<Trip['city']>();
  expectTypeOf<Given<typeof tools.arktype>['city']>().toEqualTypeOf<Trip['city']>();
});

const said = (text: string): { content: Block[] } => ({ content: [{ type: 'text', text }] });

test.each(Object.entries(libraries))('%s: the model is told the form, and what does not fit', async (_name, input) => {
  const tool = defineTool({ name: 'trip', description: 'Plans.', input, run: () => 'planned' });
  expect(tool.inputSchema).toMatchObject({
    type: 'object',
    properties: { city, days: { type: 'number' } },
    required: ['city'],
  });
  expect(await tool.check({ city: 'Rome', days: 3 })).toEqual({ ok: true, value: { city: 'Rome', days: 3 } });
  expect(await tool.check({ city: 'Rome', days: 'three' })).toMatchObject({
    ok: false,
    errors: [expect.stringMatching(/days.*number/) as string],
  });
});

test.each(Object.entries(libraries))(
  '%s: an answer in this form is read, and another is not',
  async (_name, schema) => {
    expect(await readOutput(said('{"city":"Rome"}'), schema)).toMatchObject({
      ok: true,
      value: { city: 'Rome' },
    });
    expect(await readOutput(said('{"city":""}'), schema)).toMatchObject({ ok: false });
  },
);
