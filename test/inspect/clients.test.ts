// What clients of other vendors send through the gateway, as its inspector tells it: their own SDKs, whole and streamed.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer } from '../../src/model/script/index.ts';
import type { TimelineTurn } from '../../src/page/timeline.ts';
import type { RequestView } from '../../src/page/view.ts';
import { mainFile } from '../cli/run.ts';
import { shotBytes } from '../model/shots.ts';

const home = mkdtempSync(join(tmpdir(), 'sightline-clients-'));
const [shot = new Uint8Array()] = await shotBytes(1, 400);
const data = Buffer.from(shot).toString('base64');
const asks = {
  thinking: 'I should look.',
  text: 'I look.',
  calls: [{ name: 'screenshot', input: { of: 'sales' }, id: 'c1' }],
};
const sees = { text: 'The sales **rise**.' };

let [upstream, child]: [ScriptedServer?, ReturnType<typeof spawn>?] = [];
let [gateway, base, cookie] = ['', '', ''];

beforeAll(async () => {
  upstream = await scriptedServer(script([asks, sees, asks, sees]));
  const env = { ...process.env, SIGHTLINE_HOME: home, OPENAI_API_KEY: 'ours', OPENAI_BASE_URL: `${upstream.url}/v1` };
  const words = ['serve', '--inspect', '--port', '0', '-m', 'openai-chat/gpt-4.1'];
  child = spawn(process.execPath, [mainFile, ...words], { cwd: home, env });
  const { stderr } = child;
  const said = await new Promise<string>((resolve) => {
    let heard = '';
    stderr?.on('data', (chunk: Buffer) => {
      heard += chunk.toString();
      if (/Listening on \S+\s/.test(heard)) resolve(heard);
    });
    stderr?.once('close', () => resolve(heard));
  });
  gateway = /Listening on .*?(http:[\w/.:]+)/.exec(said)?.[1] ?? '';
  const [address = '', token = ''] = (/Inspector: (\S+)/.exec(said)?.[1] ?? '').split('/#token=');
  base = address;
  const entered = await fetch(`${base}/api/enter`, { method: 'POST', body: JSON.stringify({ token }) });
  cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
}, 120_000);

afterAll(async () => {
  const over = new Promise((resolve) => child?.once('close', resolve));
  child?.kill('SIGKILL');
  await over;
  await upstream?.close();
  rmSync(home, { recursive: true, force: true });
});

async function look<Value>(path: string): Promise<Value> {
  return (await (await fetch(`${base}${path}`, { headers: { cookie } })).json()) as Value;
}

type Listed = { id: string; title: string; requests: number; running: number }[];

/** The timeline of a conversation, and what its last request was. */
async function told(title: string): Promise<{ turns: TimelineTurn[]; view: RequestView }> {
  const found = async (): Promise<Listed[number] | undefined> =>
    (await look<Listed>('/api/conversations')).find((one) => one.title === title);
  await expect.poll(found).toMatchObject({ requests: 2, running: 0 });
  const { id = '' } = (await found()) ?? {};
  const { requests } = await look<{ requests: { id: string }[] }>(`/api/conversations/${id}`);
  const { turns } = await look<{ turns: TimelineTurn[] }>(`/api/conversations/${id}/entries`);
  return { turns, view: await look<RequestView>(`/api/requests/${requests[1]?.id ?? ''}?whole`) };
}

async function withAnthropic(): Promise<void> {
  const client = new Anthropic({ apiKey: 'any', baseURL: gateway });
  const tools: Anthropic.Tool[] = [{ name: 'screenshot', input_schema: { type: 'object' } }];
  const frame = { model: 'any', max_tokens: 300, system: 'You look at pages.', tools };
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'How are the sales?' }];
  const { content } = await client.messages.create({ ...frame, messages });
  const call = content.find(({ type }) => type === 'tool_use') as Anthropic.ToolUseBlock;
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } } as const;
  const result = {
    type: 'tool_result',
    tool_use_id: call.id,
    content: [{ type: 'text', text: 'Here.' }, picture],
  } as const;
  messages.push(
    { role: 'assistant', content },
    { role: 'user', content: [{ ...result, content: [...result.content] }] },
  );
  await client.messages.create({ ...frame, messages });
}

async function withOpenAi(): Promise<void> {
  const client = new OpenAI({ apiKey: 'any', baseURL: `${gateway}/v1` });
  const parameters = { type: 'object', properties: {} };
  const tools: OpenAI.Responses.Tool[] = [{ type: 'function', name: 'screenshot', parameters, strict: false }];
  const frame = { model: 'any', instructions: 'You look at pages.', tools, stream: true } as const;
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'How are the streamed sales?' }];
  for await (const event of await client.responses.create({ ...frame, input })) {
    if (event.type !== 'response.completed') continue;
    const call = event.response.output.find(
      ({ type }) => type === 'function_call',
    ) as OpenAI.Responses.ResponseFunctionToolCall;
    const picture = { type: 'input_image', image_url: `data:image/png;base64,${data}`, detail: 'auto' } as const;
    const output = [{ type: 'input_text', text: 'Here.' } as const, picture];
    input.push(...(event.response.output as OpenAI.Responses.ResponseInputItem[]));
    input.push({ type: 'function_call_output', call_id: call.call_id, output });
  }
  for await (const _ of await client.responses.create({ ...frame, input }));
}

test.each([
  ['Anthropic, whole', 'How are the sales?', withAnthropic],
  ['OpenAI, streamed', 'How are the streamed sales?', withOpenAi],
])(
  '%s: a result stands beside its call, its picture is told to be of tools, and our words are marked',
  async (_, asked, ask) => {
    await ask();
    const { turns, view } = await told(asked);
    const lines = turns.map(({ who, parts }) => [who, ...parts.map((part) => part.kind)]);
    expect(lines).toEqual([
      ['user', 'text'],
      ['assistant', 'text', 'call', 'thinking'],
      ['tool', 'call'],
      ['assistant', 'text'],
    ]);
    const parts = turns.flatMap((turn) => turn.parts);
    expect(parts[2]).toEqual({
      kind: 'call',
      name: 'screenshot',
      input: { of: 'sales' },
      state: 'done',
      result: [{ kind: 'text', text: 'Here.' }],
    });
    expect(parts[4]).toMatchObject({ name: 'Media of tools', result: [{ kind: 'medium' }] });
    expect(JSON.stringify(turns)).not.toContain('[Media returned by tools.');
    const leaves = view.sections.flatMap((section) => section.leaves);
    const ours = leaves.flatMap((leaf) => (leaf.kind === 'text' && leaf.ours ? [leaf.original ?? leaf.text] : []));
    expect(ours).toEqual([
      'Here.',
      expect.stringMatching(/^\[Media returned/),
      expect.stringMatching(/^\[1\. /),
      expect.stringMatching(/^\[End of/),
    ]);
  },
  120_000,
);
