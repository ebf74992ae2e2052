// Tools that a vendor spells itself: a program asks for one, its calls and screenshots go as the vendor wants them, and
// models that know no such tool get a function.
import type { BetaToolComputerUse20251124 } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { ComputerTool, ResponseComputerToolCall } from 'openai/resources/responses/responses';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import type { AgentOptions } from '../../src/agent/options.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { Message } from '../../src/message/message.ts';
import { prepare } from '../../src/model/prepare.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { memorySessions } from '../../src/session/index.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { wires } from '../../src/wire/registry.ts';
import { schemaErrors } from '../judge/judge.ts';
import { faultServer } from '../model/fault-server.ts';
import type { Act } from '../model/fault-server.ts';

const claudes = {
  type: 'computer_20251124',
  name: 'computer',
  display_width_px: 2600,
  display_height_px: 1400,
} as const satisfies BetaToolComputerUse20251124;
const openais = { type: 'computer' } as const satisfies ComputerTool;

const screen = await sharp({ create: { width: 2600, height: 1400, channels: 3, background: 'white' } })
  .png()
  .toBuffer();

function computerTool(run: () => unknown = () => screen) {
  const asked: unknown[] = [];
  const tool = defineTool({
    name: 'computer',
    description: 'Uses a computer and shows its screen.',
    input: { type: 'object', properties: { actions: { type: 'array', items: { type: 'object' } } } },
    approve: false,
    hosted: { 'anthropic-messages': claudes, 'openai-responses': openais },
    run: (input) => {
      asked.push(input);
      return run();
    },
  });
  return { tool, asked };
}

const look = defineTool({ name: 'look', description: 'Looks.', run: () => 'nothing' });

const click: ResponseComputerToolCall = {
  id: 'cu_1',
  type: 'computer_call',
  call_id: 'call_1',
  status: 'completed',
  actions: [{ type: 'click', button: 'left', x: 10, y: 20 }],
  pending_safety_checks: [],
};
const doubted: ResponseComputerToolCall = {
  ...click,
  pending_safety_checks: [{ id: 'sc_1', code: 'malicious_instructions', message: 'The page gives orders.' }],
};

const words = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
};

/** One answer as the Responses API streams it. */
function framesOf(...output: object[]): object[] {
  const response = { id: 'resp_1', object: 'response', status: 'in_progress', output: [] };
  const items = output.flatMap((item, output_index) => [
    { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
    { type: 'response.output_item.done', output_index, item },
  ]);
  const completed = { ...response, status: 'completed', output, usage: { input_tokens: 9, output_tokens: 9 } };
  return [{ type: 'response.created', response }, ...items, { type: 'response.completed', response: completed }];
}

function streams(...output: object[]): Act {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      framesOf(...output)
        .map((frame) => `data: ${JSON.stringify(frame)}\n\n`)
        .join(''),
    );
  };
}

type Body = { tools?: object[]; tool_choice?: object; input: { type?: string; output?: { image_url?: string } }[] };

async function ran(call: object, options: Partial<AgentOptions>) {
  const server = await faultServer([streams(call), streams(words)]);
  try {
    const run = { model: 'openai/gpt-5.4', baseUrl: server.url, key: 'k', prompt: 'Open the page.', tries: 1 };
    const { messages, text } = await runAgent({ ...run, assets: memoryAssets(), ...options });
    const bodies = server.heard.map(({ body }) => JSON.parse(body) as Body);
    for (const body of bodies) expect(await schemaErrors('openai-responses', body)).toEqual([]);
    return { messages, text, bodies, output: bodies[1]?.input.find(({ type }) => type === 'computer_call_output') };
  } finally {
    await server.close();
  }
}

test('on Responses the vendor’s computer is offered, called and answered by one whole screenshot', async () => {
  const { tool, asked } = computerTool(() => ['It moved.', screen]);
  const { text, bodies, output, messages } = await ran(click, {
    tools: [look, tool],
    toolChoice: { tool: 'computer' },
  });
  expect(text).toBe('Done.');
  expect(bodies[0]?.tools).toEqual([expect.objectContaining({ type: 'function', name: 'look' }), openais]);
  expect(bodies[0]?.tool_choice).toEqual(openais);
  expect(asked).toEqual([{ actions: click.actions }]);
  const [, call, , beside, ...more] = bodies[1]?.input ?? [];
  expect(call).toEqual(click);
  expect(output).toEqual({
    type: 'computer_call_output',
    call_id: 'call_1',
    output: { type: 'computer_screenshot', image_url: expect.stringMatching(/^data:image\//) as string },
  });
  expect(JSON.stringify(beside)).toMatch(/It moved\..*scaled from 2600×1400/s);
  expect(JSON.stringify(bodies[1]).match(/data:image/g)).toHaveLength(1);
  expect(more).toEqual([]);
  expect(messages.map(({ role }: Message) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
});

test('a call that OpenAI has doubts about runs only if a person says so, and only then are they acknowledged', async () => {
  const checks = doubted.pending_safety_checks;
  const nobody = computerTool();
  const unasked = await ran(doubted, { tools: [nobody.tool] });
  expect(nobody.asked).toEqual([]);
  expect(unasked.output).not.toHaveProperty('acknowledged_safety_checks');
  expect(JSON.stringify(unasked.bodies[1]?.input.at(-1))).toContain('need the approval of a person');

  const denied = computerTool();
  const refused = await ran(doubted, { tools: [denied.tool], approve: () => 'not that page' });
  expect(denied.asked).toEqual([]);
  expect(refused.output).not.toHaveProperty('acknowledged_safety_checks');

  const told: unknown[] = [];
  const approve: AgentOptions['approve'] = ({ doubts }) => told.push(doubts) > 0;
  const allowed = await ran(doubted, { tools: [computerTool().tool], approve });
  expect(told).toEqual([['The page gives orders.']]);
  expect(allowed.output).toMatchObject({ acknowledged_safety_checks: checks });

  const broken = computerTool(() => {
    throw new Error('no screen');
  });
  const failed = await ran(doubted, { tools: [broken.tool], approve });
  expect(failed.output).toMatchObject({ acknowledged_safety_checks: checks, output: { type: 'computer_screenshot' } });
});

test('a session keeps how a tool is hosted, and a call left open is answered as its vendor wants it', async () => {
  const session = await memorySessions().create();
  const { tool } = computerTool();
  await ran(click, { tools: [tool], session, assets: session.assets });
  const kept = await session.transcript();
  expect(kept.tools).toMatchObject([{ name: 'computer', hosted: { 'openai-responses': openais } }]);
  const open = kept.messages.filter(({ role }) => role !== 'tool').slice(0, 2);
  const request = await prepare({ ...kept, messages: open }, { model: 'openai/gpt-5.4', assets: session.assets });
  const body = (await request.json()) as Body;
  expect(body.tools).toEqual([openais]);
  expect(body.input.slice(1, 3)).toMatchObject([click, { type: 'computer_call_output', call_id: 'call_1' }]);
  expect(await schemaErrors('openai-responses', body)).toEqual([]);
});

test('a whole answer with a call of the computer is read like a streamed one, and a client gets it as it came', async () => {
  const request = await prepare({ messages: [{ role: 'user', content: 'Hi.' }] }, { model: 'openai/gpt-5.4' });
  const whole = await request.decode({ object: 'response', status: 'completed', output: [click] });
  expect(whole).toMatchObject({ stop: 'calls', content: [{ type: 'call', id: 'call_1', name: 'computer' }] });
  const author = { endpoint: 'openai', model: 'gpt-5.4' };
  const { decode, emit } = wires['openai-responses'];
  const [reader, writer] = [decode(author), emit({ model: 'gpt-5.4' })];
  const frames = framesOf(click)
    .flatMap((frame) => reader.push(frame))
    .flatMap((event) => writer.push(event))
    .map((text) => JSON.parse(/data: (.*)/.exec(String(text))?.[1] ?? '') as { type: string; item?: object });
  expect(frames.map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(frames[2]?.item).toEqual({ ...click, status: 'in_progress' });
  expect(frames[3]?.item).toEqual(click);
  expect(writer.whole(whole).body).toMatchObject({ output: [click] });
});

const use = { name: 'computer', input: { actions: [{ type: 'screenshot' }] } };

test('Claude is offered the computer as Anthropic spells it', async () => {
  await using server = await scriptedServer(script([{ calls: [use] }, { text: 'Done.' }]));
  const headers = { 'anthropic-beta': 'computer-use-2025-11-24' };
  const run = { model: 'anthropic/claude-sonnet-4-5', baseUrl: server.url, key: 'k', prompt: 'Open it.' };
  const { text } = await runAgent({ ...run, tools: [computerTool().tool], headers, assets: memoryAssets() });
  expect(text).toBe('Done.');
  const bodies = server.requests.map(({ body }) => body as { tools: object[]; messages: object[] });
  expect(bodies[0]?.tools).toEqual([{ ...claudes, cache_control: { type: 'ephemeral' } }]);
  expect(claudes).not.toHaveProperty('cache_control');
  expect(server.requests[0]?.headers).toMatchObject(headers);
  const result = {
    type: 'tool_result',
    content: [
      { type: 'text' },
      { text: expect.stringContaining('multiply coordinates by 1.3') as string },
      { type: 'image' },
    ],
  };
  expect(bodies[1]?.messages.at(-1)).toMatchObject({ content: [result] });
  for (const { tools: _beta, ...body } of bodies) expect(await schemaErrors('anthropic-messages', body)).toEqual([]);
});

test.each([
  ['openai-chat/gpt-4.1', '/v1', 'openai-chat'],
  ['gemini/gemini-2.5-flash', '', 'gemini'],
] as const)('%s gets a function with its schema', async (model, path, wire) => {
  await using server = await scriptedServer(script([{ calls: [use] }, { text: 'Done.' }]));
  const run = { model, baseUrl: `${server.url}${path}`, key: 'k', prompt: 'Open it.' };
  const { text } = await runAgent({ ...run, tools: [computerTool().tool], assets: memoryAssets() });
  expect(text).toBe('Done.');
  for (const { body } of server.requests) {
    expect(JSON.stringify(body)).toContain('Uses a computer and shows its screen.');
    expect(await schemaErrors(wire, body)).toEqual([]);
  }
});

test('a tool of Gemini’s own stands beside the functions', async () => {
  const search = defineTool({
    name: 'search',
    description: 'Searches.',
    hosted: { gemini: { googleSearch: {} } },
    run: () => '',
  });
  const given = { messages: [{ role: 'user' as const, content: 'Hi.' }], tools: [look, search] };
  const body = (await (await prepare(given, { model: 'gemini/gemini-3-pro-preview' })).json()) as { tools: object[] };
  expect(body.tools).toMatchObject([{ functionDeclarations: [{ name: 'look' }] }, { googleSearch: {} }]);
  expect(await schemaErrors('gemini', body)).toEqual([]);
});

test('a tool whose calls would not be found is refused where it is made, and one for no wire before the run', async () => {
  const screenTool = { description: 'A screen.', run: () => screen };
  expect(() => defineTool({ ...screenTool, name: 'screen', hosted: { 'anthropic-messages': claudes } })).toThrow(
    '"hosted" of tool "screen"',
  );
  const tool = defineTool({ ...screenTool, name: 'computer', hosted: { openai: openais } });
  const { error } = await runAgent({ model: 'openai/gpt-5.4', prompt: 'Hi.', tools: [tool] });
  expect(error?.message).toContain('There is no wire "openai" to host a tool.');
});
