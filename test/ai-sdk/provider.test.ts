// Sightline as a provider of the AI SDK: the SDK's own loop and streams over every wire, against a server on this machine.
import { readFileSync } from 'node:fs';
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import type { LanguageModel } from 'ai';
import { expect, test } from 'vitest';
import { createSightline } from '../../src/ai-sdk/index.ts';
import type { SightlineSettings } from '../../src/ai-sdk/index.ts';
import { profileFor } from '../../src/core.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedRequest, ScriptedServer, Step, Answer } from '../../src/model/script/index.ts';
import { base64InText, schemaErrors } from '../judge/judge.ts';

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const chart = readFileSync('examples/chart.png').toString('base64');
const said = 'Sales rose.';
const looks: Answer = {
  text: 'One moment.',
  calls: [{ name: 'open_chart', input: { quarter: 'Q3' } }],
};

const models = [
  'openai-chat/gpt-4.1',
  'openai/gpt-5.2',
  'anthropic/claude-sonnet-5',
  'gemini/gemini-2.5-pro',
  'gemini/gemini-3-flash',
  'mistral/pixtral-large-latest',
  'ollama/qwen3-vl',
];

const tools = {
  open_chart: tool({
    description: 'Opens the chart of a quarter.',
    inputSchema: jsonSchema<{ quarter: string }>({ type: 'object', properties: { quarter: { type: 'string' } } }),
    execute: ({ quarter }) => ({ quarter, chart }),
  }),
};

function model(
  name: string,
  { url }: ScriptedServer,
  settings: SightlineSettings = {},
): Exclude<LanguageModel, string> {
  const path = /^(?:openai|mistral)/.test(name) ? '/v1' : '';
  return createSightline({ key: 'key', baseUrl: `${url}${path}`, ...settings })(name);
}

async function judge(name: string, request: ScriptedRequest | undefined): Promise<void> {
  const { wire } = profileFor(name);
  const ofMistral = /unknown field "name"/; // which its tool messages have
  expect((await schemaErrors(wire, request?.body)).filter((error) => !ofMistral.test(error))).toEqual([]);
  expect(base64InText(wire, request?.body)).toEqual([]);
  expect(JSON.stringify(request?.body)).toContain(chart);
}

test.each(models)('%s: a loop of the AI SDK with a tool that returns a picture, streamed', async (name) => {
  await using server = await scriptedServer(script([looks, { text: said }]));
  const result = streamText({
    model: model(name, server),
    tools,
    stopWhen: stepCountIs(3),
    instructions: 'Be brief.',
    prompt: 'How did we do?',
  });
  const seen: string[] = [];
  for await (const part of result.stream) seen.push(part.type);
  expect(seen.filter((type) => /error|abort/.test(type))).toEqual([]);
  expect(seen).toEqual(
    expect.arrayContaining(['text-start', 'text-delta', 'text-end', 'tool-call', 'tool-result', 'finish']),
  );
  expect(await result.text).toBe(said);
  const [first, last] = await result.steps;
  expect(first?.toolCalls.map(({ input }) => input)).toEqual([{ quarter: 'Q3' }]);
  if (name !== models[5]) expect(last?.usage.inputTokens).toBeGreaterThan(0); // no usage in its streams is asked for
  expect(last?.providerMetadata?.['sightline']?.['receipts']).toEqual(
    expect.arrayContaining([expect.objectContaining({ subject: 'image "image.png" 640×400' })]),
  );
  await judge(name, server.requests.at(-1));
});

const itemsOf = (body: unknown): unknown[] => {
  const { messages, input, contents } = body as Record<string, unknown[] | undefined>;
  return messages ?? input ?? contents ?? [];
};

test.each([models[0], models[1], models[3]] as string[])(
  '%s: the same in one piece, and the second request only appends',
  async (name) => {
    await using server = await scriptedServer(script([looks, looks, { text: said }]));
    const { text, steps, totalUsage } = await generateText({
      model: model(name, server),
      tools,
      stopWhen: stepCountIs(4),
      prompt: 'How did we do?',
    });
    expect(text).toBe(said);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'tool-calls', 'stop']);
    expect(totalUsage.outputTokens).toBeGreaterThan(0);
    await judge(name, server.requests.at(-1));
    const lists = server.requests.map(({ body }) => itemsOf(body));
    for (const [at, list] of lists.slice(1).entries()) expect(list.slice(0, lists[at]?.length)).toEqual(lists[at]);
  },
);

test('what a model gave to be returned goes back to it as it was', async () => {
  await using server = await scriptedServer(script([{ ...looks, thinking: 'I look.' }, { text: said }]));
  await generateText({
    model: model('anthropic/claude-sonnet-5', server),
    tools,
    stopWhen: stepCountIs(3),
    prompt: 'Hm?',
  });
  const messages = server.requests.at(-1)?.transcript?.messages ?? [];
  const thought = messages
    .flatMap(({ content }) => content as { type: string }[])
    .find(({ type }) => type === 'thinking');
  expect(thought).toMatchObject({ text: 'I look.', seal: { wire: 'anthropic-messages' } });
});

test('a picture that a tool names by its address is a picture', async () => {
  await using server = await scriptedServer(script([{ text: said }]));
  const url = new URL('https://example.org/chart.png');
  await model('anthropic/claude-sonnet-5', server, { urls: { pass: 'all' } }).doGenerate({
    prompt: [
      { role: 'user', content: [{ type: 'text', text: 'How did we do?' }] },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'open_chart', input: {} }] },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'open_chart',
            output: { type: 'content', value: [{ type: 'file', mediaType: 'image', data: { type: 'url', url } }] },
          },
        ],
      },
    ],
  } as never);
  expect(JSON.stringify(server.requests[0]?.body)).toContain(
    '{"type":"image","source":{"type":"url","url":"https://example.org/chart.png"}}',
  );
});

test('a form is asked for and read', async () => {
  await using server = await scriptedServer(script([{ text: '{"quarter":"Q3"}' }]));
  const schema = jsonSchema<{ quarter: string }>({
    type: 'object',
    properties: { quarter: { type: 'string' } },
    required: ['quarter'],
    additionalProperties: false,
  });
  const { output } = await generateText({
    model: model('openai/gpt-5.2', server),
    output: Output.object({ schema }),
    prompt: 'Which?',
  });
  expect(output).toEqual({ quarter: 'Q3' });
  expect(JSON.stringify(server.requests[0]?.body)).toContain('json_schema');
});

test('a refused picture is healed, and the loop goes on', async () => {
  const refused: Step = { error: { status: 400, message: 'messages.2.content.0: Could not process image' } };
  await using server = await scriptedServer(
    script([{ calls: [{ name: 'open_chart', input: { quarter: 'Q3' } }] }, refused, { text: said }]),
  );
  const { text } = await generateText({
    model: model('anthropic/claude-sonnet-5', server),
    tools,
    stopWhen: stepCountIs(3),
    prompt: 'How did we do?',
    maxRetries: 0,
  });
  expect(text).toBe(said);
  expect(server.requests).toHaveLength(3);
});

test('an error says what the provider said, and what cannot be had is told at once', async () => {
  await using server = await scriptedServer(script([{ error: { status: 401, message: 'invalid x-api-key' } }]));
  const asked = { model: model('anthropic/claude-sonnet-5', server), prompt: 'Hm?', maxRetries: 0 };
  await expect(generateText(asked)).rejects.toThrow('invalid x-api-key');
  const sightline = createSightline();
  expect(() => sightline('claude-sonnet-5')).toThrow('anthropic/claude-sonnet-5');
  expect(() => sightline.embeddingModel('x')).toThrow('no embedding models');
});

test('an abort ends the request, and the AI SDK hears of it', async () => {
  await using server = await scriptedServer(script([{ text: 'word '.repeat(2000), slow: 20 }]));
  const stopped = new AbortController();
  const result = streamText({
    model: model('openai-chat/gpt-4.1', server),
    prompt: 'Speak.',
    abortSignal: stopped.signal,
  });
  const seen: string[] = [];
  for await (const part of result.stream) {
    seen.push(part.type);
    if (part.type === 'text-delta') stopped.abort();
  }
  expect(seen.at(-1)).toBe('abort');
});
