// An answer in a given form: natively where the API can be held to it, in words elsewhere, checked and asked for again.
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { runAgent } from '../../src/agent/run.ts';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { AgentOptions } from '../../src/agent/options.ts';
import type { AgentRun } from '../../src/agent/run.ts';
import { prepare } from '../../src/model/prepare.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer, Step } from '../../src/model/script/index.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { readOutput } from '../../src/window/output.ts';
import type { OutputOf } from '../../src/window/output.ts';
import { schemaErrors } from '../judge/judge.ts';

const look = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, run: () => 'It rises.' });
const answer: Step = { text: '{"quarter":"Q3","rising":true}' };
const whole = { quarter: 'Q3', rising: true };
const form = z.object({ quarter: z.string().min(2), rising: z.boolean() });
const plain = {
  type: 'object',
  properties: { quarter: { type: 'string' }, rising: { type: 'boolean' } },
  required: ['quarter', 'rising'],
};

function at(server: ScriptedServer, model: string): Pick<AgentOptions, 'model' | 'baseUrl' | 'key' | 'prompt'> {
  const baseUrl = /^(?:openai|compatible|groq)/.test(model) ? `${server.url}/v1` : server.url;
  return { model, baseUrl, key: 'key', prompt: 'How did it go?' };
}

async function eventsOf(run: AgentRun): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

test.each([
  ['zod', form],
  ['zod 3', z3.object({ quarter: z3.string(), rising: z3.boolean() })],
  ['JSON Schema', plain],
])('a run gives its answer in the form of a schema: %s', async (_, output) => {
  await using server = await scriptedServer(script([answer]));
  expect(await runAgent({ ...at(server, 'openai/gpt-5.2'), output })).toMatchObject({ stop: 'end', output: whole });
});

test('the types of the answer are those of the schema', async () => {
  await using server = await scriptedServer(script([answer, { text: 'Fine.' }]));
  const asked = at(server, 'openai/gpt-5.2');
  const result = await runAgent({ ...asked, output: form.transform(({ quarter }) => ({ name: quarter })) });
  if (result.stop !== 'end') throw new Error(result.stop);
  expectTypeOf(result.output).toEqualTypeOf<{ name: string }>();
  expect(result.output).toEqual({ name: 'Q3' });
  const literal = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;
  expectTypeOf<OutputOf<typeof literal>>().toEqualTypeOf<{ n: number }>();
  const without = await runAgent(asked);
  if (without.stop === 'end') expectTypeOf(without.output).toEqualTypeOf<undefined>();
  expect(without.text).toBe('Fine.');
});

/** Where each API has its own place for a schema, and what tools beside it make of that. */
const places: [model: string, native: RegExp | undefined, withTools: 'native' | 'words'][] = [
  ['anthropic/claude-sonnet-5', /"output_config":\{"format":.*"additionalProperties":false/, 'native'],
  ['anthropic/claude-sonnet-4-20250514', undefined, 'words'],
  ['openai/gpt-5.2', /"text":\{"format":\{"type":"json_schema"/, 'native'],
  ['openai-chat/gpt-4.1', /"response_format":\{"type":"json_schema"/, 'native'],
  ['gemini/gemini-3-pro-preview', /"responseJsonSchema":/, 'native'],
  ['gemini/gemini-2.5-pro', /"responseJsonSchema":/, 'words'],
  ['ollama/qwen3-vl', /"format":\{/, 'words'],
  ['compatible/some-model', undefined, 'words'],
];

test.each(places)('%s is asked by its own option where it has one', async (model, native, withTools) => {
  await using server = await scriptedServer(script([answer, { calls: [{ name: 'look' }] }, answer]));
  expect((await runAgent({ ...at(server, model), output: form })).output).toEqual(whole);
  const tools = await runAgent({ ...at(server, model), output: form, tools: [look], system: 'Be brief.' });
  expect(tools).toMatchObject({ stop: 'end', output: whole });
  const asked = server.requests.filter(({ wire }) => wire !== undefined);
  expect(asked).toHaveLength(3);
  for (const [index, { body, transcript, wire }] of asked.entries()) {
    const inWords = index === 0 ? native === undefined : withTools === 'words';
    expect(/fits this JSON Schema.*"quarter"/s.test(transcript?.system ?? ''), `${index}`).toBe(inWords);
    expect(native?.test(JSON.stringify(body)) ?? false, `${index}`).toBe(!inWords);
    if (index > 0) expect(transcript?.system).toMatch(/^Be brief\./);
    if (wire) expect(await schemaErrors(wire, body)).toEqual([]);
  }
});

test('an answer that does not fit is asked for again, and the model is told what is wrong', async () => {
  await using server = await scriptedServer(
    script([
      { text: '{"quarter":"Q","rising":"yes"}' },
      { text: 'Sure!\n```json\n{"quarter":"Q3","rising":true}\n```' },
    ]),
  );
  const run = runAgent({ ...at(server, 'compatible/some-model'), output: form });
  const events = await eventsOf(run);
  expect(await run).toMatchObject({ stop: 'end', output: whole });
  const rejected = events.flatMap((event) => (event.type === 'output-rejected' ? event.errors : []));
  expect(rejected).toEqual([expect.stringMatching(/^quarter: /), expect.stringMatching(/^rising: /)]);
  const [, again] = server.requests.filter(({ wire }) => wire !== undefined);
  expect(JSON.stringify(again?.transcript?.messages.at(-1))).toMatch(/does not have the form.*quarter: .*rising: /);
});

test('a model that never gives the form ends the run with what does not fit', async () => {
  await using server = await scriptedServer(script([1, 2, 3].map(() => ({ text: 'It went well.' }))));
  const result = await runAgent({ ...at(server, 'openai/gpt-5.2'), output: form });
  expect(result).toMatchObject({ stop: 'error', error: { code: 'output' } });
  expect(result.error?.message).toMatch(/After 3 tries.*not one JSON value/);
});

test('with a request of your own, readOutput reads the answer', async () => {
  const request = await prepare(
    { messages: [{ role: 'user', content: 'Hi.' }] },
    { model: 'openai/gpt-5.2', output: form },
  );
  expect((await request.json()).text).toMatchObject({ format: { type: 'json_schema' } });
  const message = { content: [{ type: 'text' as const, text: '{"quarter":"Q3","rising":true}' }] };
  const read = await readOutput(message, form);
  if (read.ok) expectTypeOf(read.value).toEqualTypeOf<{ quarter: string; rising: boolean }>();
  expect(read).toEqual({ ok: true, value: whole });
  expect(await readOutput({ content: [] }, plain)).toMatchObject({ ok: false });
});

test.each([
  ['the schema in a wrapper', { schema: plain }, /write output: schema/],
  [
    'a schema without JSON Schema',
    { '~standard': { version: 1, vendor: 'valibot', validate: (value: unknown) => ({ value }) } } as const,
    /output".*valibot.*toStandardJsonSchema/,
  ],
])('%s is refused with what to write', async (_, output, told) => {
  await using server = await scriptedServer(script([]));
  const result = await runAgent({ ...at(server, 'openai/gpt-5.2'), output });
  expect(result.error?.message).toMatch(told);
  expect(server.requests).toEqual([]);
});

test('where a constraint cannot be held by the API, it is told in words and checked', async () => {
  const dated = z.object({
    list: z.array(z.object({ n: z.number().int().min(3) })).max(2),
    note: z.string().optional(),
  });
  const model = 'anthropic/claude-sonnet-5';
  const request = await prepare({ messages: [{ role: 'user', content: 'Hi.' }] }, { model, output: dated });
  const schema = JSON.stringify((await request.json()).output_config);
  expect(schema).not.toMatch(/"(?:minimum|maxItems)":/);
  expect(schema).toMatch(/minimum: 3/);
  expect(schema.match(/"additionalProperties":false/g)).toHaveLength(2);
  const open = await prepare(
    { messages: [{ role: 'user', content: 'Hi.' }] },
    { model, output: z.object({ counts: z.record(z.string(), z.number()) }) },
  );
  expect(open.receipts).toContainEqual(expect.objectContaining({ action: 'words', subject: 'output' }));
});
