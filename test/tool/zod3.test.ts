// Tools whose input is a schema of zod 3, as programs written for older SDKs have them.
import { expect, test } from 'vitest';
import { z } from 'zod/v3';
import { defineTool } from '../../src/tool/tool.ts';

const input = z.object({
  action: z.enum(['click', 'scroll']).describe('The action'),
  at: z.array(z.number()).length(2).optional(),
  times: z.number().int().min(1).max(9).default(1),
  text: z.string().min(1).max(5).nullable(),
  mode: z.union([z.literal('fast'), z.literal('slow')]).optional(),
  extra: z.record(z.boolean()).optional(),
  size: z.string().transform(Number),
});

const tool = defineTool({ name: 'computer', description: 'Clicks.', input, run: (given) => given });

test('its schema is written for the model', () => {
  expect(tool.inputSchema).toEqual({
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['click', 'scroll'], description: 'The action' },
      at: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
      times: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
      text: { anyOf: [{ type: 'string', minLength: 1, maxLength: 5 }, { type: 'null' }] },
      mode: { anyOf: [{ const: 'fast' }, { const: 'slow' }] },
      extra: { type: 'object', additionalProperties: { type: 'boolean' } },
      size: { type: 'string' },
    },
    required: ['action', 'text', 'size'],
  });
});

test('it checks and changes what a call gives, itself', async () => {
  expect(await tool.check({ action: 'click', text: null, size: '7' })).toEqual({
    ok: true,
    value: { action: 'click', text: null, size: 7, times: 1 },
  });
  expect(await tool.check({ action: 'jump', text: null, size: '7' })).toMatchObject({ ok: false });
});

type Tree = { name: string; below: Tree[] };
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), below: z.array(tree) }));

test('one that holds itself ends', () => {
  const own = defineTool({ name: 'tree', description: '', input: z.object({ tree }), run: () => '' });
  expect(JSON.stringify(own.inputSchema)).toContain('"name":{"type":"string"}');
});
