// The judges are only worth something if they accept what is right and refuse what is wrong.

import { describe, expect, test, vi } from 'vitest';
import { base64InText, judge, schemaErrors } from './judge.ts';
import { below, isObject } from './json.ts';
import type { Json, JsonObject } from './json.ts';
import { changed, respelt } from './edit.ts';
import { png, sampleBody } from './sample-body.ts';
import { wireNames } from './wire-name.ts';

// OpenAI's specification leaves its objects open, and the rules look only at what they rule.
const closed = /(sdk|descriptor|openapi ChatRequest)$/;

describe.each(wireNames)('%s', (wire) => {
  test('every judge accepts a good body', async () => {
    expect(await schemaErrors(wire, sampleBody[wire])).toEqual([]);
  });

  test('every judge accepts the good body without streaming', async () => {
    const body = changed(changed(sampleBody[wire], '/stream', undefined), '/stream_options', undefined);
    expect(await schemaErrors(wire, body)).toEqual([]);
  });

  test('a field with one wrong letter is refused by every judge that knows all fields, wherever it stands', async () => {
    const missed: string[] = [];
    for (const { pointer, key } of places(sampleBody[wire])) {
      if (key === undefined) continue;
      const { opinions } = await judge(wire, respelt(sampleBody[wire], pointer, `${key}x`));
      for (const opinion of opinions.filter((one) => closed.test(one.judge))) {
        if ('errors' in opinion && opinion.errors.length === 0) missed.push(`${opinion.judge}: ${pointer}`);
      }
    }
    expect(missed).toEqual([]);
  });

  test('a value of the wrong kind is refused, wherever it stands', async () => {
    const missed: string[] = [];
    for (const { pointer, value } of places(sampleBody[wire])) {
      const wrong = typeof value === 'object' ? 7 : { wrong: true };
      const errors = await schemaErrors(wire, changed(sampleBody[wire], pointer, wrong));
      if (errors.length === 0) missed.push(pointer);
    }
    expect(missed).toEqual([]);
  });

  test('base64 in a text is refused and short base64 is not', () => {
    const body: JsonObject = { messages: [{ content: `see data:image/png;base64,${base64(300)} there` }] };
    expect(base64InText(wire, body)).toEqual(['/messages/0/content: 400 characters of base64 in a text']);
    expect(base64InText(wire, { text: base64(150), line: '-'.repeat(500), words: 'sentence '.repeat(80) })).toEqual([]);
  });
});

test('a wrong branch of a large union is explained in one line', async () => {
  const body = changed(sampleBody['openai-responses'], '/input/4/output/1/detail', 'enormous');
  const verdict = await judge('openai-responses', body);
  for (const opinion of verdict.opinions) {
    if ('errors' in opinion) expect(opinion.errors.length).toBeLessThanOrEqual(1);
  }
});

test('judges without their specification say so in one line and do not fail', async () => {
  vi.stubEnv('SIGHTLINE_SHARED', '/nowhere');
  vi.resetModules();
  const fresh = await import('./judge.ts');
  const { opinions } = await fresh.judge('ollama', sampleBody.ollama);
  vi.unstubAllEnvs();
  expect(opinions[0]).toEqual({
    judge: 'ollama openapi ChatRequest',
    skipped: 'corpora/spec/ollama-openapi.yaml not found; set SIGHTLINE_SHARED to the folder that has it',
  });
  expect(opinions.slice(1)).toEqual([
    { judge: 'ollama sdk', errors: [] },
    { judge: 'ollama rules', errors: [] },
  ]);
});

function base64(bytes: number): string {
  return Buffer.alloc(bytes, png, 'base64').toString('base64');
}

type Somewhere = { pointer: string; key: string | undefined; value: Json };

// JSON of the tool's own author: any key, any value.
const freeForm = new Set([
  'input',
  'input_schema',
  'parameters',
  'parametersJsonSchema',
  'args',
  'arguments',
  'response',
  'json',
]);
// A wire takes any option it does not know and ignores it.
const open = new Set(['options']);

/** Every place of a body where the wire, and not the user, decides what may stand. */
function places(node: Json, pointer = '', key?: string): Somewhere[] {
  const here = pointer === '' ? [] : [{ pointer, key, value: node }];
  if (Array.isArray(node)) return [...here, ...node.flatMap((item, index) => places(item, below(pointer, index)))];
  if (!isObject(node) || (key !== undefined && (freeForm.has(key) || open.has(key)))) return here;
  return [...here, ...Object.entries(node).flatMap(([name, item]) => places(item, below(pointer, name), name))];
}
