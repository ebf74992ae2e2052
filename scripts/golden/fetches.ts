// What goes out through the fetch wrapper: recorded bodies, bodies that we wrote ourselves, and loops of foreign programs
// that put base64 into the text of their results.
import { readdirSync, readFileSync } from 'node:fs';
import { sightlineFetch } from '../../src/fetch/index.ts';
import type { FetchOptions } from '../../src/fetch/index.ts';
import type { WireName } from '../../src/index.ts';
import { wires } from '../../src/core.ts';
import type { Case, Group } from './case.ts';
import { exchanges, mediaRequests } from './corpus.ts';
import { png } from './media.ts';

type Body = Record<string, unknown>;

const hosts: Record<WireName, string> = {
  'anthropic-messages': 'https://api.anthropic.com',
  'openai-chat': 'https://api.openai.com',
  'openai-responses': 'https://api.openai.com',
  gemini: 'https://generativelanguage.googleapis.com',
  ollama: 'http://localhost:11434',
  'bedrock-converse': 'https://bedrock-runtime.us-east-1.amazonaws.com',
};

const paths: Record<WireName, string> = {
  'anthropic-messages': '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  gemini: '/v1beta/models/gemini-2.5-pro:generateContent',
  ollama: '/api/chat',
  'bedrock-converse': '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse',
};

/** A wrapper whose requests end here; gives the body that went out, and the receipts. */
function wrapper(options: FetchOptions): (url: string, body: unknown) => Promise<unknown[]> {
  let sent = '';
  let told: unknown[] = [];
  const fetchIt = sightlineFetch({
    ...options,
    fetch: async (input, init) => {
      sent = await new Request(input, init).text();
      return new Response('{}');
    },
    onReceipts: (receipts) => void told.push(...receipts),
  });
  return async (url, body) => {
    told = [];
    await fetchIt(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    return [sent, told];
  };
}

/** One turn of a foreign loop in each dialect: a call, and a result whose text hides a picture. */
const foreignTurn: Record<WireName, (id: string, text: string) => Body[]> = {
  'anthropic-messages': (id, text) => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
  ],
  'openai-chat': (id, text) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: id, content: text },
  ],
  'openai-responses': (id, text) => [
    { type: 'function_call', call_id: id, name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: id, output: text },
  ],
  gemini: (id, text) => [
    { role: 'model', parts: [{ functionCall: { id, name: 'look', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { id, name: 'look', response: { output: text } } }] },
  ],
  ollama: (_, text) => [
    { role: 'assistant', content: '', tool_calls: [{ function: { name: 'look', arguments: {} } }] },
    { role: 'tool', tool_name: 'look', content: text },
  ],
  'bedrock-converse': (id, text) => [
    { role: 'assistant', content: [{ toolUse: { toolUseId: id, name: 'look', input: {} } }] },
    { role: 'user', content: [{ toolResult: { toolUseId: id, content: [{ text }] } }] },
  ],
};

const heads: Record<WireName, (items: Body[]) => Body> = {
  'anthropic-messages': (messages) => ({ model: 'claude-sonnet-4-5', max_tokens: 100, messages }),
  'openai-chat': (messages) => ({ model: 'gpt-4.1', messages }),
  'openai-responses': (input) => ({ model: 'gpt-5.4', input }),
  gemini: (contents) => ({ contents }),
  ollama: (messages) => ({ model: 'qwen3-vl', messages }),
  'bedrock-converse': (messages) => ({ messages }),
};

const budgets: readonly { name: string; budget: NonNullable<FetchOptions['budget']> }[] = [
  { name: 'all', budget: {} },
  { name: '3 pictures', budget: { images: 3 } },
  { name: '20 kB', budget: { bytes: 20_000 } },
  { name: '4000 tokens', budget: { tokens: 4000 } },
];

async function loopOf(wire: WireName, budget: NonNullable<FetchOptions['budget']>): Promise<unknown[]> {
  const post = wrapper({ budget });
  const text = { text: 'Look.' };
  const content = wire === 'bedrock-converse' ? [text] : text.text;
  const first = wire === 'gemini' ? { role: 'user', parts: [text] } : { role: 'user', content };
  const items: Body[] = [first];
  const values: unknown[] = [];
  for (let turn = 0; turn < 8; turn++) {
    const screenshot = (await png(400 + turn, 300, turn)).toString('base64');
    items.push(...foreignTurn[wire](`call_${turn}`, JSON.stringify({ note: `step ${turn}`, screenshot })));
    values.push(...(await post(`${hosts[wire]}${paths[wire]}`, heads[wire](items))));
  }
  return values;
}

/** Bodies that the tests hold as examples of what we send. */
function fixtures(): { name: string; wire: WireName; path: string; body: unknown }[] {
  return (Object.keys(wires) as WireName[]).toSorted().flatMap((wire) => {
    const folder = new URL(`../../test/fixtures/${wire}/`, import.meta.url);
    return readdirSync(folder)
      .toSorted()
      .map((file) => {
        const body: unknown = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
        return { name: `${wire}/${file}`, wire, path: paths[wire], body };
      });
  });
}

export const fetchGroup: Group = {
  name: 'fetch',
  about: 'what goes out through the fetch wrapper: recorded bodies, our own, loops that hide base64 in text',
  columns: ['body', 'receipts'],
  async *cases(): AsyncGenerator<Case> {
    for (const { name, wire, path, body } of [...fixtures(), ...mediaRequests(), ...exchanges().requests])
      yield { name, make: () => wrapper({})(`${hosts[wire]}${path}`, body) };
    for (const wire of (Object.keys(wires) as WireName[]).toSorted())
      for (const { name, budget } of budgets)
        yield { name: `loop, ${name} → ${wire}`, make: () => loopOf(wire, budget) };
  },
};
