// Every request that was recorded goes through the gateway, to a model of its own dialect and to one of another: there its
// bytes stay as they are, here the vendor's own SDK reads the answer or the refusal, and the body passes the vendor's schema.
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import type { Candidate } from '@google/genai';
import OpenAI from 'openai';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord } from '../src/content/json.ts';
import { openGateway } from '../src/gateway/index.ts';
import type { Gateway } from '../src/gateway/index.ts';
import { script, scriptedServer } from '../src/model/script/index.ts';
import { hasLetters } from '../src/tool/base64-runs.ts';
import { profileFor } from '../src/window/profile.ts';
import type { WireName } from '../src/window/profile.ts';
import { wires } from '../src/wire/registry.ts';
import { schemaErrors } from '../test/judge/judge.ts';
import { exchanges, mediaRequests } from './golden/corpus.ts';
import type { RecordedRequest } from './golden/corpus.ts';

export type GatewaySwept = { relayed: number; same: number; converted: number; refused: number; complaints: string[] };

/** One model of each dialect, as the recordings ask for them. */
const models: Record<WireName, `${string}/${string}`> = {
  'anthropic-messages': 'anthropic/claude-sonnet-4-5',
  'openai-chat': 'openai-chat/gpt-4.1',
  'openai-responses': 'openai/gpt-5.4',
  gemini: 'gemini/gemini-2.5-pro',
  ollama: 'ollama/qwen3-vl',
  'bedrock-converse': 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
};
const names = Object.keys(models) as WireName[];

const said = 'Sales rose. 😀';

type Recorded = RecordedRequest & { body: Record<string, unknown> };

/** Sends all of them; complaints are what no sentence explains. */
export async function sweepGateway(): Promise<GatewaySwept> {
  const recorded = [...mediaRequests(), ...exchanges().requests].filter((one): one is Recorded => isRecord(one.body));
  const swept: GatewaySwept = { relayed: 0, same: 0, converted: 0, refused: 0, complaints: [] };
  await relayAll(recorded, swept);
  await convertAll(recorded, swept);
  return swept;
}

async function relayAll(recorded: readonly Recorded[], swept: GatewaySwept): Promise<void> {
  let left = '';
  const upstream = createServer(async (incoming, outgoing) => {
    const hash = createHash('sha256');
    for await (const chunk of incoming) hash.update(chunk as Buffer);
    left = hash.digest('hex');
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  await using gateway = await gatewayTo(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
  for (const [at, { wire, name, body }] of recorded.entries()) {
    const spaces = at % 3;
    const inBody = wires[wire].route.modelInAddress !== true;
    const text = (id: string): string => JSON.stringify(inBody ? { ...body, model: id } : body, undefined, spaces);
    const address = addressFor(gateway, wire, wire);
    const answer = await fetch(address, { method: 'POST', body: text(wire) });
    await answer.text();
    swept.relayed++;
    const same =
      left ===
      createHash('sha256')
        .update(text(profileFor(models[wire]).id))
        .digest('hex');
    if (same) swept.same++;
    else if (!hasMedia(text(''))) swept.complaints.push(`${name}: changed on the way, without media in it`);
    else if (answer.headers.get('x-sightline-receipts')?.startsWith('id=') !== false)
      swept.complaints.push(`${name}: changed on the way without a receipt`);
  }
  upstream.close();
}

/** Media as bytes, by their first letters, or by an address. */
function hasMedia(text: string): boolean {
  return (
    hasLetters(text, 400) ||
    /"(?:image|document|file|input_image|input_file|input_audio|inlineData|fileData)/.test(text)
  );
}

async function convertAll(recorded: readonly Recorded[], swept: GatewaySwept): Promise<void> {
  await using upstream = await scriptedServer(
    script(({ transcript }) => {
      const [tool] = transcript.tools ?? [];
      const calls = tool ? [{ name: tool.name, input: {} }] : [];
      return { thinking: 'Let me see.', text: JSON.stringify({ said }), calls }; // where JSON was asked for, SDKs read it
    }),
  );
  await using gateway = await gatewayTo(upstream.url);
  for (const [at, { wire, name, body }] of recorded.entries()) {
    const others = names.filter((other) => other !== wire);
    const target = others[at % others.length] ?? 'ollama';
    const asked = upstream.requests.length;
    const heard = await askBySdk(gateway, wire, target, body, at % 2 === 0).catch((error: unknown) => String(error));
    swept.converted++;
    const refusal = /^(?:\w*Error: )?(?:4\d\d|.*"code":4\d\d)/.test(heard);
    if (refusal) swept.refused++;
    else if (!heard.includes(said)) swept.complaints.push(`${name} → ${target}: ${heard.slice(0, 200)}`);
    const sent = upstream.requests.slice(asked).findLast((one) => one.wire === target);
    const errors = sent ? await schemaErrors(target, sent.body) : [];
    for (const error of errors.slice(0, 1)) swept.complaints.push(`${name} → ${target}: ${error.slice(0, 200)}`);
  }
}

async function gatewayTo(baseUrl: string): Promise<Gateway> {
  const rows = names.map((wire) => [wire, { model: models[wire], baseUrl, key: 'k' }] as const);
  return openGateway({ port: 0, models: Object.fromEntries(rows) });
}

function addressFor({ url }: Gateway, wire: WireName, model: string): string {
  const paths: Record<WireName, string> = {
    'anthropic-messages': '/v1/messages',
    'openai-chat': '/v1/chat/completions',
    'openai-responses': '/v1/responses',
    gemini: `/v1beta/models/${model}:generateContent`,
    ollama: '/api/chat',
    'bedrock-converse': `/model/${model}/converse`,
  };
  return `${url}${paths[wire]}`;
}

/** What the vendor's SDK makes of the answer to a body that it did not write. */
async function askBySdk(
  { url }: Gateway,
  wire: WireName,
  model: string,
  body: Record<string, unknown>,
  streamed: boolean,
): Promise<string> {
  const { stream: _stream, ...rest } = body;
  const ask = { ...rest, model } as never;
  switch (wire) {
    case 'anthropic-messages': {
      const client = new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 });
      const { content } = streamed
        ? await client.messages.stream(ask).finalMessage()
        : ((await client.messages.create(ask)) as Anthropic.Message);
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    }
    case 'openai-chat': {
      const { chat } = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 });
      const { choices } = streamed
        ? await chat.completions.stream(ask).finalChatCompletion()
        : ((await chat.completions.create(ask)) as OpenAI.ChatCompletion);
      return choices[0]?.message.content ?? '';
    }
    case 'openai-responses': {
      const { responses } = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 });
      const { output_text: text } = streamed
        ? await responses.stream(ask).finalResponse()
        : ((await responses.create(ask)) as OpenAI.Responses.Response);
      return text;
    }
    case 'gemini':
      return geminiWords(url, model, body, streamed);
    case 'ollama':
    case 'bedrock-converse':
      throw new Error(`Nothing was recorded in ${wire}.`);
  }
}

/** Google's SDK writes bodies itself, so it sends one of its own, and what was recorded goes in its place. */

async function geminiWords(
  url: string,
  model: string,
  body: Record<string, unknown>,
  streamed: boolean,
): Promise<string> {
  const direct = globalThis.fetch;
  globalThis.fetch = (input, init) => direct(input, { ...init, body: JSON.stringify(body) });
  try {
    const { models: google } = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } });
    const ask = { model, contents: 'Hi.' };
    if (!streamed) return (await google.generateContent(ask)).candidates?.map(wordsOf).join('') ?? '';
    let words = '';
    for await (const { candidates } of await google.generateContentStream(ask))
      words += candidates?.map(wordsOf).join('') ?? '';
    return words;
  } finally {
    globalThis.fetch = direct;
  }
}

function wordsOf({ content }: Candidate): string {
  return content?.parts?.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join('') ?? '';
}
