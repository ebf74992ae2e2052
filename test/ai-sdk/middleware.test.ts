// The AI SDK as it is, its models wrapped with the middleware, against a server that speaks every wire. What the server
// reads is judged by schemas nobody here wrote.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai';
import type { ToolSet } from 'ai';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { sightlineMiddleware } from '../../src/ai-sdk/index.ts';
import type { MiddlewareOptions, Receipt } from '../../src/ai-sdk/index.ts';
import { isMedia } from '../../src/content/block.ts';
import { parseDataUri } from '../../src/content/base64.ts';
import type { BlockInput } from '../../src/content/input.ts';
import type { WireName } from '../../src/core.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedRequest, ScriptedServer } from '../../src/model/script/index.ts';
import { base64InText, schemaErrors } from '../judge/judge.ts';
import { asOpenai } from '../judge/mistral.ts';

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const file = (name: string): string => readFileSync(`examples/${name}`).toString('base64');
const chart = file('chart.png');
const report = file('report.pdf');
const said = 'Sales rose.';

type Row = { name: string; wire: WireName; place: 'inside' | 'after'; model: (url: string) => LanguageModelV4 };

const apiKey = 'key';
const rows: Row[] = [
  {
    name: 'OpenAI Chat',
    wire: 'openai-chat',
    place: 'after',
    model: (url) => createOpenAI({ apiKey, baseURL: `${url}/v1` }).chat('gpt-4.1'),
  },
  {
    name: 'OpenAI Responses',
    wire: 'openai-responses',
    place: 'inside',
    model: (url) => createOpenAI({ apiKey, baseURL: `${url}/v1` }).responses('gpt-5.2'),
  },
  {
    name: 'Anthropic',
    wire: 'anthropic-messages',
    place: 'inside',
    model: (url) => createAnthropic({ apiKey, baseURL: `${url}/v1` })('claude-sonnet-4-5'),
  },
  {
    name: 'Gemini 2.5',
    wire: 'gemini',
    place: 'after',
    model: (url) => createGoogleGenerativeAI({ apiKey, baseURL: `${url}/v1beta` })('gemini-2.5-pro'),
  },
  {
    name: 'Gemini 3',
    wire: 'gemini',
    place: 'inside',
    model: (url) => createGoogleGenerativeAI({ apiKey, baseURL: `${url}/v1beta` })('gemini-3-flash'),
  },
  {
    name: 'Mistral',
    wire: 'openai-chat',
    place: 'after',
    model: (url) => createMistral({ apiKey, baseURL: `${url}/v1` })('pixtral-large-latest'),
  },
  {
    name: 'a compatible server',
    wire: 'openai-chat',
    place: 'after',
    model: (url) => createOpenAICompatible({ apiKey, name: 'own', baseURL: `${url}/v1` })('qwen2.5-vl'),
  },
];

/** What a tool may give to the AI SDK's models. */
const outputs = {
  parts: {
    type: 'content' as const,
    value: [
      { type: 'text' as const, text: 'The chart:' },
      { type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: chart } },
    ],
  },
  bytes: {
    type: 'content' as const,
    value: [
      { type: 'text' as const, text: 'The chart:' },
      {
        type: 'file' as const,
        mediaType: 'image/png',
        data: { type: 'data' as const, data: new Uint8Array(Buffer.from(chart, 'base64')) },
      },
    ],
  },
  json: { type: 'json' as const, value: { words: 'The chart:', screenshot: chart } },
  text: { type: 'text' as const, value: `The chart: data:image/png;base64,${chart}` },
};

const openChart = (output: (typeof outputs)[keyof typeof outputs]): ToolSet[string] =>
  tool({
    description: 'Opens the chart.',
    inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
    execute: () => 'done',
    toModelOutput: () => output,
  });

function wrapped(row: Row, { url }: ScriptedServer, options?: MiddlewareOptions): LanguageModelV4 {
  return wrapLanguageModel({ model: row.model(url), middleware: sightlineMiddleware(options) });
}

const loop = (): Promise<ScriptedServer> =>
  scriptedServer(script([{ calls: [{ name: 'open_chart', input: {} }] }, { text: said }]));

/** What an SDK writes on its own and the judges do not know. */
const ownManner = /unknown field "(?:name|annotations|prefix)"|\/tools\/\d/;

async function judge(row: Row, request: ScriptedRequest): Promise<void> {
  const body = row.name === 'Mistral' ? asOpenai(request.body) : request.body;
  expect((await schemaErrors(row.wire, body)).filter((error) => !ownManner.test(error))).toEqual([]);
  expect(base64InText(row.wire, body)).toEqual([]);
}

/** The media that a message shows, as whoever serves the model reads it. */
function shownIn(content: unknown): string[] {
  return (content as BlockInput[]).flatMap((block) =>
    isMedia(block) && 'data' in block && typeof block.data === 'string'
      ? [parseDataUri(block.data)?.data ?? block.data]
      : [],
  );
}

const shownBy = ({ transcript }: ScriptedRequest): string[] =>
  (transcript?.messages ?? []).flatMap(({ content }) => (typeof content === 'string' ? [] : shownIn(content)));

test.each(rows.flatMap((row) => Object.entries(outputs).map(([form, output]) => ({ ...row, form, output }))))(
  '$name: a picture that a tool returns as $form is seen once, $place its result',
  async ({ output, ...row }) => {
    await using server = await loop();
    const receipts: Receipt[] = [];
    const { text } = await generateText({
      model: wrapped(row, server, { onReceipts: (told) => receipts.push(...told) }),
      tools: { open_chart: openChart(output) },
      stopWhen: stepCountIs(3),
      prompt: 'How did we do?',
      maxRetries: 0,
    });
    expect(text).toBe(said);
    const request = server.requests.at(-1) as ScriptedRequest;
    await judge(row, request);
    expect(shownBy(request)).toEqual([chart]);
    expect(receipts.map(({ action }) => action)).toEqual([row.place]);
    expect(JSON.stringify(request.body)).toContain('The chart:');
  },
);

/** One request of a model, its body as it arrived. */
async function bodyOf(
  row: Row,
  prompt: LanguageModelV4Prompt,
  options?: MiddlewareOptions | 'bare',
  more: Partial<LanguageModelV4CallOptions> = {},
): Promise<ScriptedRequest> {
  await using server = await scriptedServer(script([{ text: said }]));
  const model = options === 'bare' ? row.model(server.url) : wrapped(row, server, options);
  await model.doGenerate({ prompt, ...more });
  return server.requests.at(-1) as ScriptedRequest;
}

const call = (id: string): LanguageModelV4Prompt[number] => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: 'open_chart', input: {} }],
});
const answered = (id: string, output: (typeof outputs)[keyof typeof outputs]): LanguageModelV4Prompt[number] => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: id, toolName: 'open_chart', output }],
});
const asked: LanguageModelV4Prompt[number] = { role: 'user', content: [{ type: 'text', text: 'How did we do?' }] };
const chat = rows[0] as Row;
const compatible = rows.at(-1) as Row;

test.each(rows)('$name: a prompt without media arrives byte for byte as without the middleware', async (row) => {
  const letters = 'Q'.repeat(500); // long, and no medium
  const prompt: LanguageModelV4Prompt = [
    { role: 'system', content: 'Be brief.' },
    asked,
    { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, ...(call('c00000001').content as [])] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c00000001',
          toolName: 'open_chart',
          output: { type: 'json', value: { token: letters, rows: [1, 2] } },
        },
      ],
    },
  ];
  const [bare, with_] = [await bodyOf(row, prompt, 'bare'), await bodyOf(row, prompt)];
  expect(JSON.stringify(with_.body)).toBe(JSON.stringify(bare.body));
});

test('pictures of several calls say whose they are, and options of parts stay', async () => {
  const other = readFileSync('docs/images/inspector-saw.png').toString('base64');
  const part = { type: 'file' as const, mediaType: 'image/*', data: { type: 'data' as const, data: other } };
  const noted = { ...part, providerOptions: { openai: { imageDetail: 'low' } } };
  const prompt: LanguageModelV4Prompt = [
    asked,
    { role: 'assistant', content: ['a', 'b'].flatMap((id) => call(id).content as []) },
    {
      role: 'tool',
      content: [
        ...(answered('a', outputs.parts).content as []),
        ...(answered('b', { type: 'content', value: [noted] }).content as []),
      ],
    },
  ];
  const request = await bodyOf(chat, prompt);
  await judge(chat, request);
  const text = JSON.stringify(request.body);
  expect(text.indexOf('call a')).toBeLessThan(text.indexOf(chart));
  expect(text.indexOf(chart)).toBeLessThan(text.indexOf('call b'));
  expect(text).toContain('"detail":"low"');
});

const address = 'https://example.org/chart.png';
const byAddress = (url: string): LanguageModelV4Prompt => [
  asked,
  call('c00000001'),
  answered('c00000001', {
    type: 'content',
    value: [
      { type: 'text', text: 'The chart:' },
      { type: 'file', mediaType: 'image', data: { type: 'url', url: new URL(url) } },
    ] as never,
  }),
];

/** Those whose API shows what lies at an address, in the place where it does. */
const showsAddresses = new Set(['OpenAI Chat', 'OpenAI Responses', 'Anthropic', 'Mistral']);

test.each(rows)('$name: a picture that a tool names by its address goes as references go', async (row) => {
  const receipts: Receipt[] = [];
  const request = await bodyOf(row, byAddress(address), { onReceipts: (told) => receipts.push(...told) });
  await judge(row, request);
  const blocks = (request.transcript?.messages ?? []).flatMap(({ content }) => content as BlockInput[]);
  const seen = blocks.flatMap((block) => (isMedia(block) && 'url' in block ? [[block.type, block.url]] : []));
  const isShown = showsAddresses.has(row.name);
  expect(seen).toEqual(isShown ? [['image', address]] : []);
  expect(receipts.map(({ action, carrier }) => [action, carrier])).toEqual(
    isShown ? [[row.place, 'url']] : [['words', undefined]],
  );
  expect(JSON.stringify(request.body)).toContain('The chart:');
});

test('what an API does not open is fetched where that is allowed', async () => {
  const bytes = Buffer.from(chart, 'base64');
  const files = createServer((_, answer) => answer.setHeader('content-type', 'image/png').end(bytes));
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(files.address() as AddressInfo).port}`;
  try {
    const row = rows.find(({ name }) => name === 'Gemini 2.5') as Row;
    const urls = { fetch: { hosts: [host] } };
    const request = await bodyOf(row, byAddress(`http://${host}/chart.png`), { urls });
    await judge(row, request);
    expect(shownBy(request)).toEqual([chart]);
  } finally {
    files.close();
  }
});

const turns = (count: number): LanguageModelV4Prompt => [
  asked,
  ...Array.from({ length: count }, (_, at) => [call(`call_${at}`), answered(`call_${at}`, outputs.parts)]).flat(),
];

const picture = async (at: number): Promise<string> => {
  const background = { r: at * 9, g: 40, b: 90 };
  const bytes = await sharp({ create: { width: 80 + at, height: 60, channels: 3, background } })
    .png()
    .toBuffer();
  return bytes.toString('base64');
};

const isPrefix = (one: unknown[] = [], two: unknown[] = []): boolean =>
  one.every((item, at) => JSON.stringify(item) === JSON.stringify(two[at]));

const parts = (mediaType: string, data: string | Uint8Array): LanguageModelV4Prompt => [
  asked,
  call('c00000001'),
  answered('c00000001', {
    type: 'content',
    value: [{ type: 'file', mediaType, filename: 'file', data: { type: 'data', data } }] as never,
  }),
];

test('what was sent stays what it was while a conversation grows, and too many pictures leave in one batch', async () => {
  await using server = await scriptedServer(script(() => ({ text: said })));
  const model = wrapped(chat, server, { budget: { images: 6 } });
  for (const count of [1, 2, 5, 6, 7, 8]) await model.doGenerate({ prompt: turns(count) });
  const bodies = server.requests.map(({ body }) => (body as { messages: unknown[] }).messages);
  expect(bodies.slice(1).map((body, at) => isPrefix(bodies[at], body))).toEqual([true, true, true, false, true]);
  expect(server.requests.map((request) => shownBy(request).length)).toEqual([1, 2, 5, 6, 4, 5]);
  for (const request of server.requests) await judge(chat, request);
});

test('a PDF, a sound and a Word document reach each model in the form it takes', async () => {
  const rtf = Buffer.from(String.raw`{\rtf1\ansi The turnover was 42 million, a good deal more than before.}`);
  for (const row of rows) {
    const pdf = await bodyOf(row, parts('application/pdf', report));
    await judge(row, pdf);
    expect(shownBy(pdf).length, row.name).toBeGreaterThan(0);
    const words = await bodyOf(row, parts('application/rtf', new Uint8Array(rtf)));
    await judge(row, words);
    expect(JSON.stringify(words.body), row.name).toContain('The turnover was 42 million');
    const broken = await bodyOf(row, parts('image/png', chart.slice(0, 900)));
    expect(shownBy(broken), row.name).toEqual([]);
    expect(base64InText(row.wire, broken.body)).toEqual([]);
  }
});

test.each(rows)('$name: a stream and what it took pass through', async (row) => {
  const ask = async (options: 'bare' | 'wrapped'): Promise<[string, number | undefined]> => {
    await using server = await loop();
    const result = streamText({
      model: options === 'bare' ? row.model(server.url) : wrapped(row, server),
      tools: { open_chart: openChart(outputs.parts) },
      stopWhen: stepCountIs(3),
      prompt: 'How did we do?',
    });
    const text = await result.text;
    expect(server.requests.map(({ stream }) => stream)).toEqual([true, true]);
    return [text, (await result.totalUsage).outputTokens];
  };
  const came = await ask('wrapped');
  expect(came[0]).toBe(said);
  expect(came).toEqual(await ask('bare'));
});

test('an abort is the caller’s own', async () => {
  const aborted = AbortSignal.abort(new Error('enough'));
  const prompt = [asked, call('a'), answered('a', outputs.parts)];
  await expect(bodyOf(chat, prompt, {}, { abortSignal: aborted })).rejects.toThrow('enough');
});

test('a model of a name of one’s own is told by its own name, and a wrong name at once', async () => {
  const row = { ...chat, model: (url: string) => createOpenAI({ apiKey, baseURL: `${url}/v1` }).chat('our-model') };
  const prompt = [asked, call('a'), answered('a', outputs.parts)];
  expect(shownBy(await bodyOf(row, prompt))).toEqual([]);
  expect(shownBy(await bodyOf(row, prompt, { model: 'openai-chat/gpt-4.1' }))).toEqual([chart]);
  expect(shownBy(await bodyOf(row, prompt, { profile: { capabilities: { vision: true } } }))).toEqual([chart]);
  expect(() => sightlineMiddleware({ model: 'gpt-4.1' })).toThrow('openai/gpt-4.1');
});

test.each([
  ['generate', 0],
  ['generate', 2],
  ['stream', 0],
  ['stream', 1],
] as const)('a picture that the provider refuses goes a rung lower, and is not tried again in the next turn: %s, %i', async (how, at) => {
  const row = rows[at] ?? chat;
  let refusals = 0;
  await using server = await scriptedServer(
    script(() => ({ text: said, usage: { inputTokens: 7, outputTokens: 3 } })),
    { check: ({ body }) => JSON.stringify(body).includes(chart) ? (refusals++, { status: 400, message: 'Could not process image' }) : undefined },
  );
  const receipts: Receipt[] = [];
  const model = wrapped(row, server, { onReceipts: (more) => void receipts.push(...more) });
  const prompt = [asked, call('a'), answered('a', outputs.parts)];
  const text = async (given: LanguageModelV4Prompt): Promise<string> => {
    if (how === 'generate') return JSON.stringify(await model.doGenerate({ prompt: given }));
    const { stream } = await model.doStream({ prompt: given });
    const came: unknown[] = [];
    for await (const part of stream) came.push(part);
    return JSON.stringify(came);
  };
  expect(await text(prompt)).toContain('rose.');
  expect(receipts).toContainEqual(expect.objectContaining({ action: 'checkpoint', subject: 'quarantine' }));
  const shown = shownBy(server.requests.at(-1) as ScriptedRequest);
  expect(shown).toHaveLength(1); // smaller, and still a picture
  expect(shown).not.toContain(chart);
  const more: LanguageModelV4Prompt = [...prompt, { role: 'assistant', content: [{ type: 'text', text: said }] }, asked];
  const again = await text(more);
  expect(again).toContain('rose.');
  expect(again).toContain('"total":7'); // what it took passes
  expect(refusals).toBe(1);
}); // prettier-ignore

test('a server that lets no user speak after a result gets words between them', async () => {
  const roles = /"role":"tool"(?:(?!"role").)*"role":"user"/;
  const message = "Unexpected role 'user' after role 'tool'";
  await using server = await scriptedServer(
    script(() => ({ text: said })),
    { check: ({ body }) => (roles.test(JSON.stringify(body)) ? { status: 400, message } : undefined) },
  );
  const model = wrapped(compatible, server);
  const prompt = [asked, call('a'), answered('a', outputs.parts)];
  expect(JSON.stringify(await model.doGenerate({ prompt }))).toContain('rose.');
  expect(shownBy(server.requests.at(-1) as ScriptedRequest)).toEqual([chart]);
});

test('a model that sees no pictures gets words, also where its vendor says it as it says it of results', async () => {
  const message = "BedrockException - This model doesn't support the image field for user messages. Remove the image.";
  await using server = await scriptedServer(
    script(() => ({ text: said })),
    { check: ({ body }) => (JSON.stringify(body).includes('image_url') ? { status: 400, message } : undefined) },
  );
  const model = wrapped(compatible, server);
  const prompt = [asked, call('a'), answered('a', outputs.parts)];
  expect(JSON.stringify(await model.doGenerate({ prompt }))).toContain('rose.');
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('[image');
});

test('what a provider refuses for another reason is the caller’s own, and so is a picture that nothing helps', async () => {
  let status = 401;
  await using server = await scriptedServer(
    script(() => ({ text: said })),
    {
      check: () => ({ status, message: status === 401 ? 'Incorrect API key provided' : 'Could not process image' }),
    },
  );
  const model = wrapped(chat, server);
  const prompt = [asked, call('a'), answered('a', outputs.parts)];
  await expect(model.doGenerate({ prompt })).rejects.toThrow('Incorrect API key');
  expect(server.requests.filter(({ wire }) => wire)).toHaveLength(1);
  status = 400;
  await expect(model.doGenerate({ prompt })).rejects.toThrow('Could not process image');
  expect(server.requests.filter(({ wire }) => wire).length).toBeLessThanOrEqual(6);
});

test('what was tried in vain is forgotten: a provider that refuses for a while is shown the picture again', async () => {
  let isDown = true;
  const message = 'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting';
  await using server = await scriptedServer(
    script(() => ({ text: said })),
    { check: () => (isDown ? { status: 400, message } : undefined) },
  );
  const model = wrapped(compatible, server);
  const prompt = turns(2);
  await expect(model.doGenerate({ prompt })).rejects.toThrow('Unable to process');
  isDown = false;
  await model.doGenerate({ prompt });
  expect(shownBy(server.requests.at(-1) as ScriptedRequest)).toEqual([chart, chart]);
}); // prettier-ignore

test('a server that takes one picture is shown the newest, and asked no more with several', async () => {
  const all = await Promise.all([1, 2, 3].map(picture));
  const message = 'At most 1 image(s) may be provided in one prompt.';
  let refusals = 0;
  await using server = await scriptedServer(
    script(() => ({ text: said })),
    { check: (request) => (shownBy(request).length > 1 ? (refusals++, { status: 400, message }) : undefined) },
  );
  const model = wrapped(compatible, server);
  const looks = all.map((data, at) => [call(`call_${at}`), answered(`call_${at}`, { ...outputs.json, value: { words: 'The chart:', screenshot: data } })]); // prettier-ignore
  await model.doGenerate({ prompt: [asked, ...looks.slice(0, 2).flat()] });
  expect(shownBy(server.requests.at(-1) as ScriptedRequest)).toEqual([all[1]]);
  await model.doGenerate({ prompt: [asked, ...looks.flat()] });
  expect(shownBy(server.requests.at(-1) as ScriptedRequest)).toEqual([all[2]]);
  expect(refusals).toBe(1);
});

const unknownModel = (url: string): LanguageModelV4 =>
  createOpenAICompatible({ apiKey, name: 'own', baseURL: `${url}/v1` })('our-model');

test('bytes in a prompt are never written as JSON: not to weigh it, and not to see whether a repair changed it', async () => {
  let written = 0;
  const toJSON = (): string => ((written += 1), 'x'.repeat(chart.length * 3));
  const bytes = Object.defineProperty(Buffer.from(chart, 'base64'), 'toJSON', { value: toJSON });
  let refusals = 1;
  const message = 'Could not process image';
  await using server = await scriptedServer(
    script(() => ({ text: said })),
    {
      check: () => (refusals-- > 0 ? { status: 400, message } : undefined),
    },
  );
  const sees = { profile: { capabilities: { vision: true } }, budget: { bytes: chart.length * 3 } };
  const model = wrapped({ ...chat, model: unknownModel }, server, sees);
  const data = { type: 'data' as const, data: bytes };
  const look: LanguageModelV4Prompt[number] = {
    role: 'user',
    content: [
      { type: 'text', text: 'Look.' },
      { type: 'file', mediaType: 'image/png', data },
    ],
  };
  await model.doGenerate({ prompt: [look, call('a'), answered('a', outputs.parts)] });
  const [first, last] = [server.requests[0], server.requests.at(-1)].map((request) =>
    shownBy(request as ScriptedRequest),
  );
  expect(first).toEqual([chart, chart]);
  expect(last).toHaveLength(2); // one of them smaller
  expect([written, refusals]).toEqual([0, -1]);
});
