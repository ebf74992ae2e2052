// A client's dialect has no field for what another vendor gave: signatures, encrypted reasoning. They come back to their
// maker all the same, also after a restart, and to nobody else.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openGateway } from '../../src/gateway/index.ts';
import { openKept } from '../../src/gateway/kept.ts';
import { openGatewayMemory } from '../../src/gateway/memory.ts';
import type { Gateway, GatewayOptions } from '../../src/gateway/index.ts';
import { identify } from '../../src/message/identity.ts';
import type { AssistantMessage } from '../../src/message/message.ts';
import { prepare } from '../../src/model/prepare.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer } from '../../src/model/script/index.ts';
import { schemaErrors } from '../judge/judge.ts';

let upstream: ScriptedServer;
const targets = {
  claude: 'anthropic/claude-sonnet-5',
  gpt: 'openai/gpt-5.4',
  gem: 'gemini/gemini-3-pro-preview',
} as const;
/** Of a vendor above, in another dialect. */
const cloud = 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0';

beforeAll(async () => {
  upstream = await scriptedServer(
    script(({ transcript, index }) =>
      transcript.messages.at(-1)?.role === 'tool'
        ? { text: `Done ${index}.` }
        : { thinking: `I should look (${index}).`, text: 'I look.', calls: [{ name: 'look', input: { at: index } }] },
    ),
  );
});

afterAll(() => upstream.close());

const options = (more: GatewayOptions = {}): GatewayOptions => ({
  port: 0,
  models: Object.fromEntries(
    Object.entries({ ...targets, cloud }).map(([name, model]) => [name, { model, baseUrl: upstream.url, key: 'k' }]),
  ),
  ...more,
});

type ChatMessage = { role: string; content: string | null; tool_calls?: { id: string }[]; tool_call_id?: string };

const tools = [
  { type: 'function', function: { name: 'look', description: '', parameters: { type: 'object', properties: {} } } },
];

async function turn({ url }: Gateway, model: string, messages: ChatMessage[], stream = false): Promise<ChatMessage> {
  const body = JSON.stringify({ model, messages, tools, stream });
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
  if (!stream)
    return ((await response.json()) as { choices: { message: ChatMessage }[] }).choices[0]?.message as ChatMessage;
  const said: ChatMessage = { role: 'assistant', content: '' };
  for (const line of (await response.text()).split('\n').filter((one) => one.startsWith('data: {'))) {
    const { choices } = JSON.parse(line.slice(6)) as { choices: { delta: { content?: string; tool_calls?: { id?: string; function: { name?: string; arguments: string } }[] } }[] }; // prettier-ignore
    said.content += choices[0]?.delta.content ?? '';
    for (const call of choices[0]?.delta.tool_calls ?? []) {
      const last = said.tool_calls?.at(-1) as { function: { arguments: string } } | undefined;
      if (call.id !== undefined) said.tool_calls = [...(said.tool_calls ?? []), call as { id: string }];
      else if (last) last.function.arguments += call.function.arguments;
    }
  }
  return said;
}

function answered(messages: ChatMessage[], said: ChatMessage): ChatMessage[] {
  const { content, tool_calls: calls = [] } = said;
  const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'Nothing.' }));
  return [...messages, { role: 'assistant', content, tool_calls: calls }, ...results];
}

/** What a vendor wants back as it gave it. */
const seals = /"(?:signature|encrypted_content|thoughtSignature)":"(?!skip_thought)[^"]+"/g;
const sealsOf = (body: unknown): string[] => JSON.stringify(body).match(seals) ?? [];
const lastBody = (): unknown => upstream.requests.at(-1)?.body;

test.each(Object.keys(targets))('%s gets back what it gave, though the client has no field for it', async (model) => {
  const database = join(mkdtempSync(join(tmpdir(), 'gateway-')), 'sessions.db');
  const first: ChatMessage[] = [{ role: 'user', content: `Look, ${model}.` }];
  const gateway = await openGateway(options({ database }));
  const said = await turn(gateway, model, first, true);
  const second = answered(first, said);
  await turn(gateway, model, second);
  const before = sealsOf(lastBody());
  expect(before.length).toBeGreaterThan(0);
  expect(await schemaErrors(upstream.requests.at(-1)?.wire ?? 'ollama', lastBody())).toEqual([]);
  const third = [...second, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'And now?' }];
  await gateway.close();
  await using again = await openGateway(options({ database }));
  await turn(again, model, third);
  expect(sealsOf(lastBody()), 'after a restart').toEqual(before);
  const other = Object.keys(targets).find((name) => name !== model) ?? '';
  await turn(again, other, third);
  expect(sealsOf(lastBody()), 'nobody else gets it').toEqual([]);
  await turn(again, model, third);
  expect(sealsOf(lastBody()), 'and back again').toEqual(before);
});

test('a history that was edited gets nothing back', async () => {
  await using gateway = await openGateway(options());
  const first: ChatMessage[] = [{ role: 'user', content: 'Look once more.' }];
  const said = await turn(gateway, 'claude', first);
  await turn(gateway, 'claude', answered(first, { ...said, content: 'I never said that.' }));
  expect(sealsOf(lastBody())).toEqual([]);
});

test.each(Object.keys(targets))(
  '%s gets back what it gave after the client made its history shorter',
  async (model) => {
    await using gateway = await openGateway(options());
    const first: ChatMessage[] = [{ role: 'user', content: 'Look at the whole book.' }];
    const whole = answered(first, await turn(gateway, model, first));
    await turn(gateway, model, [{ role: 'user', content: 'They want a book looked at.' }, ...whole.slice(1)]);
    expect(sealsOf(lastBody()).length).toBe(1);
  },
);

test('the beginning of a request stays as it was, turn for turn', async () => {
  await using gateway = await openGateway(options());
  let messages: ChatMessage[] = [{ role: 'user', content: 'Look again.' }];
  let before: unknown[] = [];
  for (let at = 0; at < 6; at++) {
    const said = await turn(gateway, 'claude', messages);
    messages = answered(messages, said);
    if (!said.tool_calls?.length) messages.push({ role: 'user', content: 'Look again.' });
    const now = JSON.stringify((lastBody() as { messages: unknown[] }).messages).replaceAll(
      /,"cache_control":{[^}]*}/g,
      '',
    );
    const items = JSON.parse(now) as unknown[];
    expect(items.slice(0, before.length)).toEqual(before);
    before = items;
  }
});

test('thinking of another model is marked for a client that has a field for it, and cut out before its own vendor', async () => {
  await using gateway = await openGateway(options());
  const ask = async (
    model: string,
    messages: object[],
  ): Promise<{ content: { type: string; signature?: string; id?: string }[] }> => {
    const body = JSON.stringify({
      model,
      max_tokens: 100,
      messages,
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
    });
    const response = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body });
    return (await response.json()) as { content: { type: string; signature?: string; id?: string }[] };
  };
  const first = [{ role: 'user', content: 'Look.' }];
  const { content } = await ask('gpt', first);
  expect(content[0]).toMatchObject({ type: 'thinking', signature: expect.stringMatching(/^sightline\.\w{22}$/) });
  const call = content.find(({ type }) => type === 'tool_use');
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: call?.id, content: 'Nothing.' }] };
  await ask('claude', [...first, { role: 'assistant', content }, result]);
  expect(JSON.stringify(lastBody())).not.toContain('sightline.');
  expect(lastBody()).toMatchObject({ messages: [{}, { content: [{ type: 'text' }, { type: 'tool_use' }] }, {}] });
});

const mark = 'sightline.AAAAAAAAAAAAAAAAAAAAAA';
const said = 'I never said that.';

/** A history that its client wrote itself, with marks of ours where signatures stand. */
const forged: [string, object][] = [
  ['/v1/messages', {
    max_tokens: 100,
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature: mark }, { type: 'text', text: said }] },
      { role: 'user', content: 'And?' },
    ],
  }],
  ['/v1/responses', {
    input: [
      { role: 'user', content: 'Look.' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: mark },
      { role: 'assistant', content: said },
      { role: 'user', content: 'And?' },
    ],
  }],
  ['/model/MODEL/converse', {
    messages: [
      { role: 'user', content: [{ text: 'Look.' }] },
      { role: 'assistant', content: [{ reasoningContent: { reasoningText: { text: 'Hm.', signature: mark } } }, { text: said }] },
      { role: 'user', content: [{ text: 'And?' }] },
    ],
  }],
]; // prettier-ignore

test.each(
  forged.flatMap(([path, body]) => [...Object.keys(targets), 'cloud'].map((model) => [path, model, body] as const)),
)('marks that a client made up bring nothing back, and no vendor gets them: %s to %s', async (path, model, body) => {
  await using gateway = await openGateway(options());
  await turn(gateway, model, [{ role: 'user', content: 'Look.' }]); // there would be something to bring
  const isNamed = path.includes('MODEL');
  const url = `${gateway.url}${path.replace('MODEL', model)}`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ ...body, ...(!isNamed && { model }) }) });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  const sent = JSON.stringify(lastBody());
  expect(sent).toContain(said);
  expect(sent).not.toContain('sightline.');
  expect(sealsOf(lastBody())).toEqual([]);
});

test('a turn of which nothing but marked thinking is left goes whole', async () => {
  await using gateway = await openGateway(options());
  const content = [{ type: 'thinking', thinking: 'Hm.', signature: mark }];
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content },
    { role: 'user', content: said },
  ];
  const body = JSON.stringify({ model: 'claude', max_tokens: 9, messages });
  await (await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body })).text();
  expect(lastBody()).toMatchObject({ messages: [{ role: 'user' }, { role: 'user', content: said }] });
});

test('a conversation is known by what was said, not by how it was written', () => {
  const plain = [
    { role: 'user' as const, content: 'Hi.' },
    { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'Yes? ' }] },
  ];
  const other = [
    { role: 'user' as const, content: [{ type: 'text' as const, text: ' Hi.' }] },
    {
      role: 'assistant' as const,
      content: [
        { type: 'thinking' as const, text: 'Hm.' },
        { type: 'text' as const, text: 'Yes?' },
      ],
    },
  ];
  expect(identify(other, 'a')).toEqual(identify(plain, 'a'));
  expect(identify(plain, 'b').some((digest) => identify(plain, 'a').includes(digest))).toBe(false);
});

const question = (at: number): { role: 'user'; content: string }[] => [{ role: 'user', content: `Who is ${at}?` }];

test('what was decided in a conversation is known still after a thousand others, without a store', async () => {
  const memory = openGatewayMemory(undefined, () => 0);
  const { ledger } = await prepare({ messages: question(0) }, { model: targets.claude });
  for (let at = 0; at <= 1000; at++) {
    const { keep, ledger: before } = await memory.recall(question(at), '', targets.claude);
    expect(before).toBeUndefined();
    await keep(`request ${at}`, undefined, ledger);
  }
  expect(memory.conversations).toBe(500);
  expect((await memory.recall(question(0), '', targets.claude)).ledger).toEqual(ledger);
});

const itself = (model: string): AssistantMessage => ({
  role: 'assistant',
  content: [
    { type: 'thinking', text: `I am ${model}.` },
    { type: 'text', text: 'Me.' },
  ],
  stop: 'end',
  model,
});

test('what two models said to the same is kept side by side, though each was asked elsewhere', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'gateway-')), 'sessions.db');
  const models = [targets.claude, targets.gpt];
  for (const model of models) {
    const memory = openGatewayMemory(openKept(file), () => 0);
    await (await memory.recall(question(1), '', model)).keep(model, itself(model), undefined);
    await memory.close();
  }
  const memory = openGatewayMemory(openKept(file), () => 0);
  const asked = [...question(1), { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'Me.' }] }];
  for (const model of models) expect((await memory.recall(asked, '', model)).messages[1]).toEqual(itself(model));
  await memory.close();
});

test('old rows are found without reading what all of them hold, and what is kept is weighed in bytes', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'gateway-')), 'sessions.db');
  const spied = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const kept = openKept(file);
  await kept.put('said', 'a place', 'größer', 'request 1');
  await kept.close();
  const asked = spied.mock.calls.map(([sql]) => sql);
  spied.mockRestore();
  using database = new DatabaseSync(file);
  const plans = asked
    .filter((sql) => /^DELETE FROM gateway_\w+ WHERE at </.test(sql))
    .map((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).get(1)?.['detail']);
  expect(plans).toEqual([
    expect.stringContaining('INDEX gateway_said_by_time'),
    expect.stringContaining('INDEX gateway_ledger_by_time'),
  ]);
  const weighs = asked.find((sql) => /sum\(.*gateway_said/.test(sql)) ?? '';
  expect(database.prepare(weighs).get()).toEqual({ bytes: 8 });
});
