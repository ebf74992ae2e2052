// The form of an answer: what counts as a schema, how each API is asked for it, and what is read out of an answer.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { jsonRequest, outputRequest } from '../../src/content/words.ts';
import type { Transcript } from '../../src/message/message.ts';
import type { JsonSchema } from '../../src/tool/schema.ts';
import { checkOutput, outputForm, readOutput, settleOutput, settleTools } from '../../src/window/output.ts';
import type { RequestOptions } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';

const whole: JsonSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

describe('a schema as requests carry it', () => {
  test('JSON Schema stays as it is, without its dialect; its title is its name', () => {
    expect(outputForm({ $schema: 'https://json-schema.org/draft', ...whole })).toEqual({ schema: whole });
    expect(outputForm({ ...whole, title: 'How it, went -- 2_b!' })).toEqual({
      name: 'How_it_went_--_2_b_',
      schema: { ...whole, title: 'How it, went -- 2_b!' },
    });
    expect(outputForm({ ...whole, title: 'x'.repeat(100) }).name).toBe('x'.repeat(64));
    expect(outputForm({ ...whole, title: 7 })).toEqual({ schema: { ...whole, title: 7 } });
  });

  test('a schema of a library is written as JSON Schema', () => {
    const { schema } = outputForm(z.object({ n: z.number() }));
    expect(schema).toMatchObject(whole);
    expect(schema).not.toHaveProperty('$schema');
  });

  const framed: [string, unknown][] = [
    ['a schema alone', { schema: whole }],
    ['a schema and its name', { name: 'total', schema: whole }],
  ];
  test.each(framed)(
    'one in its frame is taken as it is where a request was read, and told where a person wrote it: %s',
    (_, given) => {
      expect(outputForm(given as JsonSchema)).toBe(given);
      expect(() => checkOutput(given)).toThrow(
        'The "output" is the schema itself: write output: schema, not output: { schema }.',
      );
    },
  );

  test.each([
    ['no schema inside', { schema: 'text' }],
    ['a type of its own', { type: 'object', schema: whole }],
    ['a name that is none', { name: 7, schema: whole }],
  ])('a frame is nothing else: %s', (_, given) => {
    expect(() => checkOutput(given)).not.toThrow();
    expect(outputForm(given as unknown as JsonSchema)).toEqual({ schema: given });
  });

  test('what is no schema is told', () => {
    expect(() => checkOutput('text')).not.toThrow();
    expect(() => outputForm('text' as never)).toThrow(
      'The "output" is no schema. Give one of zod, valibot or arktype, or JSON Schema.',
    );
  });
});

const said = (...texts: string[]) => ({ content: texts.map((text) => ({ type: 'text' as const, text })) });

describe('what is read out of an answer', () => {
  const rows: [string, string][] = [
    ['JSON alone', '{"n":1}'],
    ['in a fence', 'Here:\n```json\n{"n":1}\n```\nDone {really}.'],
    ['in a fence without a language', '```\n{"n":1}\n```'],
    ['in an indented fence', '```json  \n  {"n":1}\n   ```'],
    ['between words', 'The answer is {"n":1}, as you see.'],
  ];
  test.each(rows)('%s', async (_, text) => {
    expect(await readOutput(said(text), whole)).toEqual({ ok: true, value: { n: 1 } });
  });

  test('a list between words, too', async () => {
    const list = { type: 'array', items: { type: 'number' } };
    expect(await readOutput(said('They are [1, 2].'), list)).toEqual({ ok: true, value: [1, 2] });
  });

  test.each(['', 'no JSON', '}{', '] [', '{', 'a } b', '{"n":1} and {"n":2}'])('nothing: %j', async (text) => {
    expect(await readOutput(said(text), whole)).toEqual({ ok: false, errors: ['the answer is not one JSON value'] });
  });

  test('it is checked, and may be transformed', async () => {
    const read = await readOutput(said('{"n":"one"}'), whole);
    expect(read.ok ? [] : read.errors.join(' ')).toContain('n');
    const doubled = z.object({ n: z.number() }).transform(({ n }) => n * 2);
    expect(await readOutput(said('{"n":4}'), doubled)).toEqual({ ok: true, value: 8 });
  });
});

const tool = { name: 'look', description: '', inputSchema: { type: 'object' } };
const other = { ...tool, name: 'see' };
const bare: Transcript = { version: 1, messages: [] };

function settled(model: string, schema: JsonSchema, given: Partial<Transcript> = {}, options: RequestOptions = {}) {
  return settleOutput({ ...bare, ...given }, { temperature: 1, output: { schema }, ...options }, profileFor(model));
}

describe('how an API is asked for a schema', () => {
  test.each([
    ['openai/gpt-5.2', { tools: [tool] }],
    ['gemini/gemini-2.5-flash', {}],
    ['gemini/gemini-2.5-flash', { tools: [] }],
    ['gemini/gemini-3-pro-preview', { tools: [tool] }],
  ])('natively: %s %j', (model, given) => {
    const { transcript, options, receipts } = settled(model, whole, given, { json: true });
    expect(transcript).toEqual({ ...bare, ...given });
    expect(options).toEqual({ temperature: 1, output: { schema: whole } });
    expect(receipts).toEqual([]);
  });

  const inWords: [string, Partial<Transcript>, JsonSchema, string][] = [
    [
      'anthropic/claude-3-5-haiku-latest',
      {},
      whole,
      'claude-3-5-haiku-latest on anthropic cannot be held to this schema; the system prompt asks for it',
    ],
    [
      'openai/gpt-5.2',
      {},
      { type: 'array' },
      'gpt-5.2 on openai cannot be held to this schema; the system prompt asks for it',
    ],
    [
      'gemini/gemini-2.5-flash',
      { tools: [tool] },
      whole,
      'gemini-2.5-flash on gemini is held to a schema only without tools; the system prompt asks for it',
    ],
  ];
  test.each(inWords)('in words: %s %j', (model, given, schema, why) => {
    const { transcript, options, receipts } = settled(model, schema, given);
    expect(transcript).toEqual({ ...bare, ...given, system: outputRequest(JSON.stringify(schema)) });
    expect(options).toEqual({ temperature: 1 });
    expect(receipts).toEqual([{ action: 'words', subject: 'output', why }]);
  });

  test('in words they follow what stands in the system prompt', () => {
    const words = outputRequest('{"type":"array"}');
    expect(settled('openai/gpt-5.2', { type: 'array' }, { system: 'Be kind.' }).transcript.system).toBe(
      `Be kind.\n\n${words}`,
    );
    expect(settled('openai/gpt-5.2', { type: 'array' }, { system: '  ' }).transcript.system).toBe(words);
  });
});

const object = (properties: Record<string, unknown>, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});

test('Gemini is told one value as a list of one', () => {
  const schema = object({ kind: { type: 'string', const: 'a' }, const: { default: { const: 1 } } });
  expect(settled('gemini/gemini-3-pro-preview', schema).options.output?.schema).toEqual(
    object({ kind: { type: 'string', enum: ['a'] }, const: { default: { const: 1 } } }),
  );
  expect(settled('openai/gpt-5.2', schema).options.output?.schema).toEqual(schema);
});

describe('objects that have to be closed', () => {
  const claude = 'anthropic/claude-sonnet-4-5';
  const native = (schema: JsonSchema): unknown => settled(claude, schema).options.output?.schema;

  test('all of them are, at any depth, and nothing else changes', () => {
    const inner = object({ n: { type: 'number' } });
    const shut = { ...inner, additionalProperties: false };
    const schema = object(
      {
        one: inner,
        many: { type: 'array', items: inner },
        either: { anyOf: [inner, { type: 'null' }] },
        at: { $ref: '#/$defs/at' },
      },
      { $defs: { at: inner }, required: ['one'], description: 'All.', additionalProperties: false },
    );
    expect(native(schema)).toEqual({
      ...schema,
      properties: {
        one: shut,
        many: { type: 'array', items: shut },
        either: { anyOf: [shut, { type: 'null' }] },
        at: { $ref: '#/$defs/at' },
      },
      $defs: { at: shut },
    });
    expect(native(object({ deep: { properties: {} } }))).toEqual({
      ...object({ deep: { properties: {}, additionalProperties: false } }),
      additionalProperties: false,
    });
  });

  test('bounds are told in words', () => {
    const bounds = {
      minimum: 1,
      maximum: 2,
      exclusiveMinimum: 3,
      exclusiveMaximum: 4,
      multipleOf: 5,
      minLength: 6,
      maxLength: 7,
      pattern: 'x',
      minItems: 8,
      maxItems: 9,
      uniqueItems: true,
    };
    const told = Object.entries(bounds)
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
      .join(', ');
    const made = native(
      object({ n: { type: 'number', description: 'A number.', ...bounds }, m: { type: 'number', minimum: 0 } }),
    );
    expect(made).toMatchObject({
      properties: {
        n: { type: 'number', description: `A number. (${told})` },
        m: { type: 'number', description: '(minimum: 0)' },
      },
    });
    expect(Object.keys((made as { properties: { n: object } }).properties.n)).toEqual(['type', 'description']);
  });

  test('a union is told in the one word that is known, and a format that is not in words', () => {
    const [one, two] = ['a', 'b'].map((kind) => object({ kind: { const: kind } }, { required: ['kind'] }));
    const shut = [one, two].map((each) => ({ ...each, additionalProperties: false }));
    expect(native(object({ either: { oneOf: [one, two] } }))).toMatchObject({
      properties: { either: { anyOf: shut } },
    });
    expect(
      native(object({ at: { type: 'string', format: 'date' }, id: { type: 'string', format: 'cuid' } })),
    ).toMatchObject({
      properties: { at: { format: 'date' }, id: { type: 'string', description: '(format: "cuid")' } },
    });
  });

  test('fields may be named as keywords are, and values look like schemas', () => {
    const plain = { pattern: { type: 'string' }, minimum: { type: 'number' } };
    const schema = object({
      ...plain,
      pick: { enum: [{ type: 'object' }] },
      fixed: { const: { type: 'object' } },
      given: { default: { type: 'object' } },
      shown: { examples: [{ type: 'object' }] },
    });
    expect(native(schema)).toEqual({ ...schema, additionalProperties: false });
    expect(native(object({ n: { $ref: '#/definitions/one' } }, { definitions: { one: object({}) } }))).toMatchObject({
      definitions: { one: { additionalProperties: false } },
    });
  });

  const at = { $ref: '#/$defs/node' };
  test.each([
    ['any fields', object({}, { additionalProperties: true })],
    ['fields of one form', object({}, { additionalProperties: { type: 'string' } })],
    ['no fields named', { type: 'object' }],
    ['one inside', object({ inner: { type: 'object' } })],
    ['one in a list', object({ inner: { anyOf: [{ type: 'object' }] } })],
    ['one by name', object({}, { $defs: { a: { type: 'object' } } })],
    ['itself', object({ inner: { $ref: '#' } })],
    [
      'itself, by way of a definition',
      object({ tree: at }, { $defs: { node: object({ children: { type: 'array', items: at } }) } }),
    ],
    ['something outside', object({ inner: { $ref: 'https://example.com/schema.json' } })],
    [
      'more than a few fields that may be left out',
      object(Object.fromEntries('abcdefghijklm'.split('').map((name) => [name, { type: 'string' }]))),
    ],
  ])('an object that must stay open is asked for in words: %s', (_, schema) => {
    expect(native(schema)).toBeUndefined();
  });

  test('a definition that two fields point to holds neither', () => {
    expect(native(object({ left: at, right: at }, { $defs: { node: object({}) } }))).toBeDefined();
  });

  test('a field that is called $ref is a field', () => {
    expect(native(object({ $ref: { type: 'string' } }))).toBeDefined();
  });
});

const asked = (model: string, given: Partial<Transcript> = {}, json = true) =>
  settleOutput({ ...bare, ...given }, { temperature: 1, json }, profileFor(model));

describe('any JSON object', () => {
  test('not asked for: nothing', () => {
    expect(asked('openai/gpt-5.2', {}, false)).toEqual({ transcript: bare, options: { temperature: 1 }, receipts: [] });
  });

  test('natively, and in the system prompt unless the word is there', () => {
    const given = { system: 'Answer in json.' };
    expect(asked('openai/gpt-5.2', given)).toEqual({
      transcript: { ...bare, ...given },
      options: { temperature: 1, json: true },
      receipts: [],
    });
    expect(asked('openai/gpt-5.2', { system: 'Be kind.' })).toEqual({
      transcript: { ...bare, system: `Be kind.\n\n${jsonRequest}` },
      options: { temperature: 1, json: true },
      receipts: [
        { action: 'words', subject: 'json', why: 'gpt-5.2 on openai is asked for it in the system prompt, too' },
      ],
    });
  });

  test.each([
    ['anthropic/claude-sonnet-4-5', { system: ' ' }, 'claude-sonnet-4-5 on anthropic'],
    ['anthropic/claude-sonnet-4-5', {}, 'claude-sonnet-4-5 on anthropic'],
    ['gemini/gemini-2.5-flash', { tools: [tool] }, 'gemini-2.5-flash on gemini'],
  ])('in words alone: %s %j', (model, given, whose) => {
    expect(asked(model, given)).toEqual({
      transcript: { ...bare, ...given, system: jsonRequest },
      options: { temperature: 1 },
      receipts: [
        { action: 'words', subject: 'json', why: `${whose} cannot be held to JSON; the system prompt asks for it` },
      ],
    });
  });

  test('tools beside it trouble those alone that take none beside a form', () => {
    expect(asked('gemini/gemini-2.5-flash', { tools: [] }).options).toEqual({ temperature: 1, json: true });
    expect(asked('gemini/gemini-3-pro-preview', { tools: [tool] }).options).toEqual({ temperature: 1, json: true });
  });
});

describe('some tools of many', () => {
  const given: Transcript = { ...bare, tools: [tool, other] };
  const among = (model: string, toolChoice: RequestOptions['toolChoice'], transcript = given) =>
    settleTools(transcript, { temperature: 1, ...(toolChoice && { toolChoice }) }, profileFor(model));

  test.each([
    ['openai/gpt-5.2', { among: ['see'] }],
    ['gemini/gemini-2.5-flash', { among: ['see'], required: true }],
    ['anthropic/claude-sonnet-4-5', undefined],
    ['anthropic/claude-sonnet-4-5', 'auto'],
    ['anthropic/claude-sonnet-4-5', { name: 'see' }],
  ] as [string, RequestOptions['toolChoice']][])('as asked: %s %j', (model, toolChoice) => {
    expect(among(model, toolChoice)).toEqual({
      transcript: given,
      options: { temperature: 1, ...(toolChoice && { toolChoice }) },
      receipts: [],
    });
  });

  test.each([
    ['gemini/gemini-2.5-flash', { among: ['see'] }, 'auto', 'gemini'],
    ['anthropic/claude-sonnet-4-5', { among: ['see'], required: true }, 'required', 'anthropic'],
  ] as [string, { among: string[] }, string, string][])(
    'only these are offered: %s %j',
    (model, toolChoice, choice, endpoint) => {
      expect(among(model, toolChoice)).toEqual({
        transcript: { ...given, tools: [other] },
        options: { temperature: 1, toolChoice: choice },
        receipts: [
          {
            action: 'repaired',
            subject: 'toolChoice',
            why: `${endpoint} has no choice among some tools; only these are offered`,
          },
        ],
      });
      expect(among(model, toolChoice, bare).transcript.tools).toEqual([]);
    },
  );
});
