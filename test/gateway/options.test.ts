// Every option that a client asks for goes to whoever answers, in its own spelling, or is told by a receipt.
import { expect, test } from 'vitest';
import { openGateway } from '../../src/gateway/index.ts';
import { prepare } from '../../src/model/prepare.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { PrepareOptions } from '../../src/index.ts';
import { wires } from '../../src/wire/registry.ts';
import type { WireName } from '../../src/window/profile.ts';
import { schemaErrors } from '../judge/judge.ts';

const perWire = {
  'anthropic-messages': 'anthropic/claude-sonnet-5',
  'openai-chat': 'openai-chat/gpt-4.1',
  'openai-responses': 'openai/gpt-4.1',
  gemini: 'gemini/gemini-2.5-pro',
  ollama: 'ollama/qwen3-vl',
  'bedrock-converse': 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
} as const;

const tools = ['look', 'read', 'write'].map((name) => ({ name, description: '', inputSchema: { type: 'object' } }));
const transcript = { tools, messages: [{ role: 'user' as const, content: 'Hi.' }] };

const asked: Partial<PrepareOptions> = {
  stop: ['END'],
  topP: 0.5,
  topK: 7,
  seed: 11,
  parallelCalls: false,
  verbosity: 'low',
  user: 'u1',
};

/** What each API takes of them; of the others there is a receipt. */
const spelt: Record<WireName, [sent: object, told: string[]]> = {
  'anthropic-messages': [
    { stop_sequences: ['END'], metadata: { user_id: 'u1' }, tool_choice: { disable_parallel_tool_use: true } },
    ['topP', 'topK', 'seed', 'verbosity'],
  ],
  'openai-chat': [
    { stop: ['END'], top_p: 0.5, seed: 11, parallel_tool_calls: false, verbosity: 'low', user: 'u1' },
    ['topK'],
  ],
  'openai-responses': [
    { top_p: 0.5, parallel_tool_calls: false, text: { verbosity: 'low' }, user: 'u1' },
    ['stop', 'topK', 'seed'],
  ],
  gemini: [
    { generationConfig: { stopSequences: ['END'], topP: 0.5, topK: 7, seed: 11 } },
    ['parallelCalls', 'verbosity', 'user'],
  ],
  ollama: [{ options: { stop: ['END'], top_p: 0.5, top_k: 7, seed: 11 } }, ['parallelCalls', 'verbosity', 'user']],
  'bedrock-converse': [
    { inferenceConfig: { stopSequences: ['END'], topP: 0.5 } },
    ['topK', 'seed', 'parallelCalls', 'verbosity', 'user'],
  ],
};

test.each(Object.entries(spelt))('%s gets what it takes, and the rest is told', async (wire, [sent, told]) => {
  const request = await prepare(transcript, { ...asked, model: perWire[wire as WireName] });
  const body: object = await request.json();
  expect(body).toMatchObject(sent);
  expect(await schemaErrors(wire as WireName, body)).toEqual([]);
  const ignored = request.receipts.filter(({ action }) => action === 'ignored').map(({ subject }) => subject);
  expect(ignored).toEqual(told);
  const read = wires[wire as WireName].accept(body);
  const left = Object.fromEntries(Object.entries(asked).filter(([name]) => !told.includes(name)));
  expect(read.ok && read.value.options, 'and is read back').toMatchObject(left);
});

test('an API that cannot forbid calls is not silently told to make them', async () => {
  const request = await prepare(transcript, { model: perWire['bedrock-converse'], toolChoice: 'none' });
  expect(request.receipts).toContainEqual(expect.objectContaining({ action: 'ignored', subject: 'toolChoice' }));
  expect(await request.json()).not.toHaveProperty('toolConfig.toolChoice');
});

test.each(Object.entries(perWire))('%s is asked for any JSON, and for some tools of many', async (wire, model) => {
  const choice = { among: ['look', 'read'], required: true };
  const request = await prepare(transcript, { model, json: true, toolChoice: choice });
  const body: object = await request.json();
  expect(await schemaErrors(wire as WireName, body)).toEqual([]);
  expect(JSON.stringify(body)).toMatch(/JSON|application\/json/);
  const { tools: offered, toolChoice } =
    request.plan.options.toolChoice === undefined
      ? { tools: request.plan.tools.map(({ name }) => name), toolChoice: undefined }
      : { tools: request.plan.tools.map(({ name }) => name), toolChoice: request.plan.options.toolChoice };
  const native = typeof toolChoice === 'object' && 'among' in toolChoice;
  expect(offered).toEqual(native ? ['look', 'read', 'write'] : ['look', 'read']);
  expect(request.receipts.some(({ subject }) => subject === 'toolChoice')).toBe(!native);
});

test('what nobody else can answer is refused, and what is only lost is told or refused as the settings say', async () => {
  await using upstream = await scriptedServer(script(() => ({ text: 'Fine.' })));
  const models = { claude: { model: 'anthropic/claude-sonnet-5' as const, baseUrl: upstream.url, key: 'k' } };
  await using tells = await openGateway({ port: 0, models });
  await using refuses = await openGateway({ port: 0, models, carry: 'refuse' });
  const messages = [{ role: 'user', content: 'Hi.' }];
  const asks = async (url: string, more: object): Promise<[number, string]> => {
    const body = JSON.stringify({ model: 'claude', messages, ...more });
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
    return [response.status, await response.text()];
  };
  expect(await asks(tells.url, { n: 2 })).toMatchObject([400, expect.stringContaining('Several answers')]);
  expect(await asks(tells.url, { modalities: ['text', 'audio'] })).toMatchObject([400, expect.any(String)]);
  expect((await asks(tells.url, { logit_bias: { 1: 2 } }))[0]).toBe(200);
  expect(await asks(refuses.url, { logit_bias: { 1: 2 } })).toMatchObject([
    400,
    expect.stringContaining('anthropic/claude-sonnet-5 has no place for logit_bias'),
  ]);
  expect((await asks(refuses.url, { reasoning_effort: 'minimal' }))[0], 'nearly the same is asked for').toBe(200);
  const file = [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-abc' } }] }];
  expect(await asks(refuses.url, { messages: file })).toMatchObject([400, expect.stringContaining('file-abc')]);
  expect((await asks(refuses.url, { store: false, metadata: { a: 'b' } }))[0]).toBe(200);
});

test.each([
  [
    'tools.strict',
    '/v1/chat/completions',
    {
      messages: [{ role: 'user', content: 'Hi.' }],
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' }, strict: true } }],
    },
  ],
  [
    'tools.strict',
    '/v1/responses',
    { input: 'Hi.', tools: [{ type: 'function', name: 'look', parameters: { type: 'object' }, strict: true }] },
  ],
  ['messages.name', '/v1/chat/completions', { messages: [{ role: 'user', name: 'bob', content: 'Hi.' }] }],
  [
    'citations',
    '/v1/messages',
    {
      max_tokens: 9,
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              citations: { enabled: true },
              source: { type: 'text', media_type: 'text/plain', data: 'Words.' },
            },
          ],
        },
      ],
    },
  ],
])('%s of a request at %s is told where it is lost, or refused as the settings say', async (lost, path, body) => {
  await using upstream = await scriptedServer(script(() => ({ text: 'Fine.' })));
  const models = { gem: { model: 'gemini/gemini-2.5-pro' as const, baseUrl: upstream.url, key: 'k' } };
  const asks = async (carry: 'tell' | 'refuse'): Promise<[number, string | null, string]> => {
    await using gateway = await openGateway({ port: 0, models, carry });
    const sent = JSON.stringify({ model: 'gem', ...body });
    const response = await fetch(gateway.url + path, { method: 'POST', body: sent });
    return [response.status, response.headers.get('x-sightline-receipts'), await response.text()];
  };
  expect(await asks('tell')).toEqual([200, expect.stringMatching(/^(?:.*, )?1 ignored[,;]/), expect.any(String)]);
  const [status, , words] = await asks('refuse');
  expect([status, words]).toEqual([400, expect.stringContaining(`gemini/gemini-2.5-pro has no place for ${lost}`)]);
  expect(upstream.requests).toHaveLength(1);
});

test("Codex's groups of tools and tools that take a text work with every model, and are called in its own words", async () => {
  const calls = [
    { name: 'agents__spawn', input: { task: 'look' } },
    { name: 'apply_patch', input: { input: '*** Begin Patch' } },
  ];
  await using upstream = await scriptedServer(
    script(({ transcript: heard }) =>
      heard.messages.some(({ role }) => role === 'tool') ? { text: 'Done.' } : { calls },
    ),
  );
  const models = { claude: { model: 'anthropic/claude-sonnet-5' as const, baseUrl: upstream.url, key: 'k' } };
  await using gateway = await openGateway({ port: 0, models });
  const offered = [
    {
      type: 'namespace',
      name: 'agents',
      description: '',
      tools: [{ type: 'function', name: 'spawn', parameters: { type: 'object' } }],
    },
    { type: 'custom', name: 'apply_patch', description: 'Patches.', format: { type: 'text' } },
    { type: 'web_search' },
  ];
  const asks = async (input: unknown): Promise<{ output: { type: string; call_id: string }[] }> => {
    const body = JSON.stringify({ model: 'claude', input, tools: offered });
    const response = await fetch(`${gateway.url}/v1/responses`, { method: 'POST', body });
    return (await response.json()) as { output: { type: string; call_id: string }[] };
  };
  const first = await asks('Hi.');
  expect(upstream.requests[0]?.body).toMatchObject({ tools: [{ name: 'agents__spawn' }, { name: 'apply_patch' }] });
  expect(first.output).toMatchObject([
    { type: 'function_call', namespace: 'agents', name: 'spawn', arguments: '{"task":"look"}' },
    { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch' },
  ]);
  const [spawned, patched] = first.output;
  await asks([
    { role: 'user', content: 'Hi.' },
    ...first.output,
    { type: 'function_call_output', call_id: spawned?.call_id, output: 'ok' },
    { type: 'custom_tool_call_output', call_id: patched?.call_id, output: 'patched' },
  ]);
  const sent = JSON.stringify(upstream.requests[1]?.body);
  expect(sent).toContain('"name":"agents__spawn","input":{"task":"look"}');
  expect(sent).toMatch(/tool_result.*patched/);
  expect(await schemaErrors('anthropic-messages', upstream.requests[1]?.body)).toEqual([]);
});

test('a tool whose name an API does not take goes by another one, and its client hears its own', async () => {
  const long = `mcp__claude_ai_${'atlassian_'.repeat(6)}search.issues`; // as Claude Code names tools of servers
  await using upstream = await scriptedServer(
    script(({ index, transcript: heard }) =>
      index === 0 ? { calls: [{ name: heard.tools?.[0]?.name ?? '', input: { query: 'x' } }] } : { text: 'Found.' },
    ),
  );
  const models = { gpt: { model: 'openai/gpt-4.1' as const, baseUrl: `${upstream.url}/v1`, key: 'k' } };
  await using gateway = await openGateway({ port: 0, models });
  const offered = [{ name: long, description: 'Searches.', input_schema: { type: 'object', properties: {} } }];
  const asks = async (messages: unknown[]): Promise<{ content: { type: string; id: string; name: string }[] }> => {
    const body = JSON.stringify({ model: 'gpt', max_tokens: 99, tools: offered, messages });
    const response = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body });
    return (await response.json()) as { content: { type: string; id: string; name: string }[] };
  };
  const question = { role: 'user', content: 'Hi.' };
  const { content } = await asks([question]);
  expect(content).toMatchObject([{ type: 'tool_use', name: long, input: { query: 'x' } }]);
  const result = { type: 'tool_result', tool_use_id: content[0]?.id, content: 'one' };
  await asks([question, { role: 'assistant', content }, { role: 'user', content: [result] }]);
  const [first, second] = upstream.requests.map(({ body }) => body as { tools: { name: string }[]; input: unknown[] });
  expect(first?.tools[0]?.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(second?.tools).toEqual(first?.tools);
  expect(second?.input[1]).toMatchObject({ type: 'function_call', name: first?.tools[0]?.name });
});
