// The tools of Scrapybara's SDK as it makes them, in `act` without a change. The package has no licence, so it is not among
// our dependencies: where SIGHTLINE_SCRAPYBARA names its folder, its own tools run against a server of its API here; else
// tools of the same shape, made below.
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod/v3';
import { act } from '../../src/agent/act.ts';
import { ourMessages, ourModels } from '../../src/agent/scrapybara.ts';
import type { ActStep, ForeignTool } from '../../src/agent/act.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';

const screen = readFileSync(new URL('../../examples/chart.png', import.meta.url)).toString('base64');

type Answer = { output?: string; error?: string; base64Image?: string };
type Instance = Record<'computer' | 'edit' | 'bash', (request: Record<string, unknown>) => Promise<Answer>>;
type Sdk = Record<'computerTool' | 'editTool' | 'bashTool', (instance: Instance) => ForeignTool>;

/** What the machine answers, whoever asks it. */
const answers: Record<keyof Instance, Answer> = {
  computer: { output: 'Took a screenshot', error: '', base64Image: screen },
  edit: { output: 'one\ntwo' },
  bash: { output: '', error: 'ls: no such file' },
};

/** The parameters of that SDK, with its descriptions: zod 3, with `.optional().default()`, enums and lists in lists. */
const shapes: Sdk = {
  computerTool: (instance) => ({
    name: 'computer',
    description: 'Control mouse and keyboard for computer interaction',
    parameters: z.object({
      action: z.enum(['move_mouse', 'click_mouse', 'take_screenshot']).describe('The computer action to execute'),
      button: z.enum(['left', 'right']).optional().describe('The button to click'),
      coordinates: z.array(z.number()).optional().describe('The coordinates to move to'),
      path: z.array(z.array(z.number())).optional().describe('The path to move to'),
    }),
    execute: async ({ action, button, coordinates }: Record<string, unknown>) => {
      if (action === 'click_mouse' && button === undefined)
        throw new Error('button is required for click_mouse action');
      return await instance.computer({ action, button, coordinates });
    },
  }),
  editTool: (instance) => ({
    name: 'str_replace_editor',
    description: 'View, create, and edit files in the filesystem',
    parameters: z.object({
      command: z.enum(['view', 'create']).describe('The edit command to execute'),
      path: z.string().describe('Path to the file to edit'),
      view_range: z.array(z.number()).optional().describe('Line range for view command'),
    }),
    execute: async ({ command, path, view_range: viewRange }: Record<string, unknown>) =>
      await instance.edit({ command, path, viewRange }),
  }),
  bashTool: (instance) => ({
    name: 'bash',
    description: 'Execute bash commands in the shell',
    parameters: z.object({
      command: z.string().optional().describe('The bash command to execute'),
      restart: z.boolean().optional().default(false).describe('Whether to restart the shell'),
      timeout: z.number().optional().describe('Timeout for command execution'),
    }),
    execute: async ({ command, restart, timeout }: Record<string, unknown>) =>
      await instance.bash({ command, restart, timeout }),
  }),
};

type Machine = { sdk: Sdk; instance: Instance; asked: () => Record<string, unknown>[]; close: () => void };

function machineOfOurs(): Machine {
  const asked: Record<string, unknown>[] = [];
  const answering =
    (what: keyof Instance): Instance['bash'] =>
    async (request) => {
      asked.push(request);
      return answers[what];
    };
  const instance = { computer: answering('computer'), edit: answering('edit'), bash: answering('bash') };
  return { sdk: shapes, instance, asked: () => asked, close: () => undefined };
}

type Package = { ScrapybaraClient: new (options: object) => { startUbuntu: () => Promise<Instance> } };

/** The real package and a server that speaks its API: snake case on the wire, camel case in its hands. */
async function machineOfTheirs(folder: string): Promise<Machine> {
  const asked: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request
      .on('data', (chunk: Buffer) => (body += chunk.toString()))
      .on('end', () => {
        response.setHeader('content-type', 'application/json');
        const what = request.url?.split('/').at(-1) ?? '';
        const started = { id: 'i1', launch_time: new Date().toISOString(), status: 'running', instance_type: 'ubuntu' };
        if (what === 'start') return void response.end(JSON.stringify(started));
        asked.push(JSON.parse(body) as Record<string, unknown>);
        const { output, error, base64Image } = answers[what as keyof Instance];
        return void response.end(JSON.stringify({ output, error, base64_image: base64Image, system: null }));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const environment = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const load = createRequire(join(folder, 'index.js'));
  const { ScrapybaraClient } = load(folder) as Package;
  const instance = await new ScrapybaraClient({ apiKey: 'x', environment }).startUbuntu();
  return { sdk: load(join(folder, 'tools')) as Sdk, instance, asked: () => asked, close: () => server.close() };
}

const folder = process.env['SIGHTLINE_SCRAPYBARA'];
const machines: [string, () => Promise<Machine>][] = [
  ['of the same shape', async () => machineOfOurs()],
  ...(folder === undefined
    ? []
    : [['of the package', () => machineOfTheirs(folder)] as [string, () => Promise<Machine>]]),
];

test.each(machines)('tools %s run in act as they are', async (_name, open) => {
  const { sdk, instance, asked, close } = await open();
  const tools = [sdk.computerTool(instance), sdk.editTool(instance), sdk.bashTool(instance)];
  const calls = [
    { name: 'computer', input: { action: 'take_screenshot' }, id: 'c1' },
    { name: 'str_replace_editor', input: { command: 'view', path: '/a', view_range: [1, 2] }, id: 'c2' },
    { name: 'bash', input: { command: 'ls' }, id: 'c3' },
    { name: 'computer', input: { action: 'click_mouse' }, id: 'c4' },
    { name: 'computer', input: { action: 'dance' }, id: 'c5' },
  ];
  await using server = await scriptedServer(script([{ calls }, { text: 'Done.' }]));
  const steps: ActStep[] = [];
  const result = await act({
    model: { provider: 'anthropic', name: 'claude-3-7-sonnet-20250219', apiKey: 'sk-own' },
    baseUrl: server.url,
    prompt: 'Go.',
    tools,
    assets: memoryAssets(),
    onStep: (step) => void steps.push(step),
  }).finally(close);
  expect(result).toMatchObject({ text: 'Done.', stop: 'end' });

  // What the model reads of the parameters.
  const [first, second] = server.requests.map(({ body }) => body as Sent);
  const schemas = Object.fromEntries((first?.tools ?? []).map((tool) => [tool.name, tool.input_schema]));
  expect(schemas['computer']).toMatchObject({
    type: 'object',
    required: ['action'],
    properties: {
      action: { type: 'string', enum: expect.arrayContaining(['take_screenshot']) as string[] },
      path: { type: 'array', items: { type: 'array', items: { type: 'number' } }, description: 'The path to move to' },
    },
  });
  expect(schemas['bash']).toMatchObject({ properties: { restart: { type: 'boolean', default: false } } });
  expect(schemas['bash']).not.toHaveProperty('required');

  // What the machine was asked: checked and filled in by zod 3 itself.
  const told = asked().map((request) => JSON.parse(JSON.stringify(request)) as object);
  expect(told).toHaveLength(3);
  expect(told).toContainEqual(expect.objectContaining({ action: 'take_screenshot' }));
  expect(told).toContainEqual(expect.objectContaining({ command: 'ls', restart: false }));

  // What the program hears: its names, and the very value that its tool gave.
  const [step] = steps;
  expect(step?.toolResults.map(({ toolCallId, toolName, isError }) => [toolCallId, toolName, isError])).toEqual([
    ['c1', 'computer', false],
    ['c2', 'str_replace_editor', false],
    ['c3', 'bash', true],
    ['c4', 'computer', true],
    ['c5', 'computer', true],
  ]);
  expect(step?.toolResults[0]?.result).toMatchObject({ output: 'Took a screenshot', base64Image: screen });

  // What the model gets: words, the picture inside its result, no base64 as text.
  const sent = second?.messages.at(-1)?.content ?? [];
  expect(sent.map(({ content }) => content)).toMatchObject([
    [{ type: 'text', text: 'Took a screenshot' }, { type: 'image' }],
    [{ type: 'text', text: 'one\ntwo' }],
    [{ type: 'text', text: 'Error: ls: no such file' }],
    [{ type: 'text', text: expect.stringContaining('button is required') as string }],
    [{ type: 'text', text: expect.stringContaining('action') as string }],
  ]);
});

type Sent = {
  tools: { name: string; input_schema: object }[];
  messages: { content: { content: unknown }[] }[];
};

test('the answer in a form of zod 3 is its output', async () => {
  await using server = await scriptedServer(script([{ text: '{"title":"News","rank":"7"}' }]));
  const result = await act({
    model: { provider: 'openai', name: 'computer-use-preview', apiKey: 'sk-own' },
    baseUrl: `${server.url}/v1`,
    prompt: 'Go.',
    schema: z.object({ title: z.string(), rank: z.coerce.number() }),
    assets: memoryAssets(),
  });
  expect(result.output).toEqual({ title: 'News', rank: 7 });
});

const call = (id: string): object => ({ type: 'call', id, name: 'bash', input: {} });
const part = (more: object): object => ({
  type: 'tool-result',
  toolName: 'bash',
  result: { output: 'done' },
  ...more,
});

test('a stored message with results of several calls is one answer for each, in either spelling', async () => {
  const said = { role: 'assistant', model: 'a/b', content: [call('one'), call('two'), call('three')] };
  const answered = await ourMessages(
    [
      said,
      {
        role: 'tool',
        content: [
          part({ toolCallId: 'one', result: { output: 'seen', base64Image: screen } }),
          { type: 'tool_result', tool_call_id: 'two', tool_name: 'bash', result: { output: 'no' }, is_error: true },
          part({ toolCallId: 'three', isError: true }),
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'And?' }] },
    ],
    { assets: memoryAssets() },
    'original',
  );
  expect(answered).toMatchObject([
    { role: 'assistant' },
    { role: 'tool', callId: 'one', name: 'bash', content: [{ text: 'seen' }, { type: 'image', detail: 'original' }] },
    { role: 'tool', callId: 'two', name: 'bash', content: [{ text: 'no' }], isError: true },
    { role: 'tool', callId: 'three', name: 'bash', content: [{ text: 'done' }], isError: true },
    { role: 'user', content: [{ text: 'And?' }] },
  ]);
  expect(answered[1]).not.toHaveProperty('isError');
  expect(JSON.stringify(answered[2])).not.toContain('detail');
  await expect(ourMessages([{ role: 'nobody' }], {})).rejects.toMatchObject({ code: 'input' });
});

test('what a stored result says besides its words is kept, and only what their machines answer is taken for that', async () => {
  const results = [
    { output: 'seen', error: '', system: null },
    { output: 'seen', base64_image: screen, system: 'restarted' },
    { output: 'two', rows: [1, 2] },
    'a line of words\n'.repeat(30_000),
  ];
  const content = results.map((result, at) => ({ ...part({ toolCallId: `c${at}`, toolName: `tool${at}` }), result }));
  const answered = await ourMessages([{ role: 'tool', content }], { assets: memoryAssets() });
  expect(answered).toMatchObject([
    { callId: 'c0', name: 'tool0', content: [{ type: 'text', text: 'seen' }] },
    { callId: 'c1', name: 'tool1', content: [{ type: 'text', text: 'seen' }, { type: 'image' }] },
    { callId: 'c2', name: 'tool2', details: results[2], content: [{ text: JSON.stringify(results[2], null, 2) }] },
    { callId: 'c3', name: 'tool3', kept: expect.anything() as unknown },
  ]);
  expect(answered.flatMap((message) => Object.keys(message)).filter((key) => /details|kept/.test(key))).toEqual([
    'details',
    'kept',
  ]);
  const spelled = { type: 'tool_result', tool_call_id: 'c9', tool_name: 'tool9', result: 'fine' };
  expect(await ourMessages([{ role: 'tool', content: [spelled] }], {})).toMatchObject([
    { callId: 'c9', name: 'tool9' },
  ]);
});

test('what is no result of theirs stays, or is told as what it is', async () => {
  const words = { role: 'user', content: [{ type: 'text', text: 'And?', result: 'none' }] };
  expect(await ourMessages([words], {})).toMatchObject([{ role: 'user', content: [{ text: 'And?' }] }]);
  const { result: _result, ...empty } = part({ toolCallId: 'one' }) as { result: unknown };
  await expect(ourMessages([{ role: 'tool', content: [empty] }], {})).rejects.toThrow('needs the "callId"');
  await expect(ourMessages([{ role: 'tool', content: [null, 'x'] }], {})).rejects.toThrow('not a transcript');
});

test('a model of theirs thinks when its name says so, one of ours is taken as it is', () => {
  const claude = { provider: 'anthropic', name: 'claude-sonnet-4-5-thinking', apiKey: 'key' } as const;
  const plain = { provider: 'openai', name: 'computer-use-preview' } as const;
  expect(ourModels([claude, plain])).toStrictEqual({
    model: [{ model: 'anthropic/claude-sonnet-4-5', key: 'key' }, { model: 'openai/computer-use-preview' }],
    thinking: 'medium',
  });
  expect(ourModels([plain, { model: 'ollama/x-thinking' }])).toStrictEqual({
    model: [{ model: 'openai/computer-use-preview' }, { model: 'ollama/x-thinking' }],
  });
});
