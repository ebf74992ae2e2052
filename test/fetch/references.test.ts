// Media by their address or by a file's id, under the vendors' own SDKs: left alone where the API shows them, moved, fetched or
// told where it refuses them or answers as if it had seen them.
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sightlineFetch } from '../../src/fetch/index.ts';
import type { FetchOptions, Receipt } from '../../src/fetch/index.ts';
import { isRecord } from '../../src/content/json.ts';
import { schemaErrors } from '../judge/judge.ts';
import { png } from '../judge/sample-body.ts';

type Body = Record<string, unknown>;

const kiwi = 'https://upload.wikimedia.org/wikipedia/commons/b/b8/Owoce_Kiwi.jpg';
const signed = 'https://bucket.s3.amazonaws.com/shot.png?X-Amz-Signature=abcdef&X-Amz-Expires=60';
const googleFile = 'https://generativelanguage.googleapis.com/v1beta/files/kiwi';
const robots = "This URL is disallowed by the website's robots.txt file.";

let server: Server;
let url = '';
let texts: string[] = [];
let bodies: Body[] = [];
/** What the next requests are refused with. */
let refusals: string[] = [];
/** Which pictures are not looked at: those whose JSON matches. */
let blindTo: RegExp | undefined;

const claude = { id: 'm', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [{ type: 'text', text: 'Seen.' }], stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1 } }; // prettier-ignore
const chat = { id: 'c', object: 'chat.completion', created: 1, model: 'gpt-4.1', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Seen.' } }] }; // prettier-ignore
const responses = { id: 'r', object: 'response', created_at: 1, status: 'completed', model: 'gpt-5.2', output: [] };

function gemini(text: string): object {
  const sees = /inlineData|fileData/.test(text) && !blindTo?.test(text);
  const details = [{ modality: 'TEXT', tokenCount: 9 }, ...(sees ? [{ modality: 'IMAGE', tokenCount: 258 }] : [])];
  const usageMetadata = { promptTokenCount: sees ? 267 : 9, candidatesTokenCount: 1, promptTokensDetails: details };
  return { candidates: [{ content: { role: 'model', parts: [{ text: 'Seen.' }] }, finishReason: 'STOP' }], usageMetadata }; // prettier-ignore
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(png, 'base64'));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    texts.push(text);
    bodies.push(JSON.parse(text) as Body);
    const refusal = refusals.shift();
    const path = request.url ?? '';
    const answer = path.includes('chat') ? chat : path.includes('responses') ? responses : path.includes('messages') ? claude : gemini(text); // prettier-ignore
    const body = refusal ? { type: 'error', error: { type: 'invalid_request_error', message: refusal } } : answer;
    response.writeHead(refusal ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  [texts, bodies, refusals, blindTo] = [[], [], [], undefined];
});

/** The wrapper as a stranger makes it, and what it told. */
function wrapped(options: FetchOptions = {}): { fetch: typeof fetch; told: Receipt[] } {
  const told: Receipt[] = [];
  return { fetch: sightlineFetch({ ...options, onReceipts: (receipts) => void told.push(...receipts) }), told };
}

function anthropic(how: { fetch: typeof fetch }, content: object[], message: object[] = []): Promise<unknown> {
  const client = new Anthropic({ apiKey: 'key', baseURL: url, maxRetries: 0, ...how });
  const messages = [
    { role: 'user', content: message.length > 0 ? message : 'Look.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'shot', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
  ] as Anthropic.MessageParam[];
  return client.messages.create({ model: 'claude-sonnet-4-5', max_tokens: 100, messages });
}

function openaiChat(how: { fetch: typeof fetch }, content: object[]): Promise<unknown> {
  const client = new OpenAI({ apiKey: 'key', baseURL: `${url}/v1`, maxRetries: 0, ...how });
  const messages = [
    { role: 'user', content: 'Look.' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'shot', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content },
  ] as unknown as OpenAI.ChatCompletionMessageParam[];
  return client.chat.completions.create({ model: 'gpt-4.1', messages });
}

async function google(how: { fetch: typeof fetch }, part: object, more: object[] = []): Promise<string> {
  const client = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: url, fetch: how.fetch } });
  const contents = [
    { role: 'user', parts: [{ text: 'Look.' }] },
    { role: 'model', parts: [{ functionCall: { id: 'a', name: 'shot', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'shot', response: { output: 'Here.' }, parts: [part] } }] },
    ...more,
  ]; // prettier-ignore
  return (await client.models.generateContent({ model: 'gemini-3-pro-preview', contents })).text ?? '';
}

function listIn(body: Body | undefined, field: string): Body[] {
  return (body?.[field] ?? []) as Body[];
}

/** Whether a block of a body stands inside a result. */
function insideResult(value: unknown, has: string, inside = false): boolean {
  if (Array.isArray(value)) return value.some((one) => insideResult(one, has, inside));
  if (!isRecord(value)) return false;
  if (inside && has in value) return true;
  const here = inside || value['role'] === 'tool' || value['type'] === 'tool_result';
  return Object.entries(value).some(([key, one]) => insideResult(one, has, here || key === 'functionResponse'));
}

test('a picture by its address that a tool message cannot hold follows the results', async () => {
  const how = wrapped();
  await openaiChat(how, [
    { type: 'text', text: 'The kiwi:' },
    { type: 'image_url', image_url: { url: kiwi } },
  ]);
  const [body] = bodies;
  expect(insideResult(body, 'image_url')).toBe(false);
  expect(listIn(body, 'messages').at(-1)).toMatchObject({
    role: 'user',
    content: [{}, {}, { type: 'image_url', image_url: { url: kiwi } }, {}],
  });
  expect(await schemaErrors('openai-chat', body as object)).toEqual([]);
  expect(how.told).toMatchObject([{ action: 'after', carrier: 'url', callId: 'call_1' }]);
});

test('an address that carries a key is not put where a provider opens it: words stand for it', async () => {
  const how = wrapped();
  await openaiChat(how, [{ type: 'image_url', image_url: { url: signed } }]);
  expect(texts[0]).not.toContain('abcdef');
  expect(texts[0]).toContain('not shown');
  expect(how.told).toMatchObject([{ action: 'words', why: 'an address that carries a key is not passed on' }]);
});

test('a file of Google’s inside a function response, which it takes and does not show, follows the results', async () => {
  const how = wrapped();
  await google(how, { fileData: { fileUri: googleFile, mimeType: 'image/png' } });
  expect(insideResult(bodies[0], 'fileData')).toBe(false);
  const last = listIn(bodies[0], 'contents').at(-1);
  expect(JSON.stringify(last)).toContain(googleFile);
  expect(how.told).toMatchObject([{ action: 'after', carrier: 'file' }]);
});

test('an address inside a function response becomes words, or what lies there where fetching is allowed', async () => {
  const lies = `${url}/kiwi.png`;
  const part = { fileData: { fileUri: lies, mimeType: 'image/png' } };
  const plain = wrapped();
  await google(plain, part);
  expect(texts[0]).not.toContain('fileData');
  expect(plain.told).toMatchObject([{ action: 'words' }]);
  const fetching = wrapped({ urls: { fetch: { http: true, hosts: ['127.0.0.1'] } } });
  await google(fetching, part);
  expect(insideResult(bodies[1], 'inlineData')).toBe(true);
  expect(fetching.told).toMatchObject([{ action: 'fetched', carrier: 'inline' }]);
});

const left: [string, object][] = [
  ['an address', { type: 'image', source: { type: 'url', url: kiwi }, cache_control: { type: 'ephemeral' } }],
  ['an address with a key', { type: 'image', source: { type: 'url', url: signed } }],
  ['a file', { type: 'document', source: { type: 'file', file_id: 'file_011abc' }, title: 'Mine', citations: { enabled: true } }], // prettier-ignore
];

test.each(left)('%s where the API shows it is sent as the SDK wrote it, and told', async (_, block) => {
  const [how, bare] = [wrapped(), { fetch }];
  await anthropic(how, [block], [{ type: 'text', text: 'Look.' }, block]);
  await anthropic(bare, [block], [{ type: 'text', text: 'Look.' }, block]);
  expect(texts[0]).toBe(texts[1]);
  expect(how.told.map(({ action }) => action)).toEqual(['inside', 'inside']);
  expect(JSON.stringify(how.told)).not.toContain('abcdef');
});

test('addresses and ids of Responses are sent as the SDK wrote them', async () => {
  const how = wrapped();
  const client = new OpenAI({ apiKey: 'key', baseURL: `${url}/v1`, maxRetries: 0, fetch: how.fetch });
  const input = [
    { role: 'user', content: [{ type: 'input_text', text: 'Look.' }, { type: 'input_image', image_url: kiwi, detail: 'low' }] },
    { type: 'function_call', call_id: 'c', name: 'shot', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', file_id: 'file-1' }, { type: 'input_file', file_url: kiwi }] },
  ] as OpenAI.Responses.ResponseInput; // prettier-ignore
  await client.responses.create({ model: 'gpt-5.2', input });
  expect(bodies[0]?.['input']).toEqual(input);
  expect(how.told.map(({ carrier }) => carrier)).toEqual(['url', 'file', 'url']);
});

test('what a provider cannot open becomes words, for the rest of the conversation, and the answer comes', async () => {
  const how = wrapped();
  refusals = [robots];
  const picture = { type: 'image', source: { type: 'url', url: kiwi } };
  expect(await anthropic(how, [{ type: 'text', text: 'Done.' }], [picture])).toMatchObject({ id: 'm' });
  expect(texts).toHaveLength(2);
  expect(bodies[1]).toMatchObject({ messages: [{ content: [{ type: 'text' }] }, {}, {}] });
  expect(how.told.map(({ action }) => action)).toEqual(['inside', 'checkpoint', 'words']);
  await anthropic(how, [{ type: 'text', text: 'Done.' }], [picture]);
  expect(texts[2]).toBe(texts[1]);
});

test('what a provider may not open is fetched where that is allowed', async () => {
  const how = wrapped({ urls: { fetch: { http: true, hosts: ['127.0.0.1'] } } });
  refusals = [robots];
  await anthropic(how, [{ type: 'text', text: 'Done.' }], [{ type: 'image', source: { type: 'url', url: `${url}/a.png` } }]); // prettier-ignore
  expect(bodies[1]).toMatchObject({ messages: [{ content: [{ type: 'image', source: { type: 'base64' } }] }, {}, {}] });
});

test('pictures that a model has not seen by its own count are told, and go another way from then on', async () => {
  const how = wrapped();
  blindTo = /"parts":\[\{"inlineData"/;
  const shot = { inlineData: { mimeType: 'image/png', data: png } };
  expect(await google(how, shot)).toBe('Seen.');
  expect(insideResult(bodies[0], 'inlineData')).toBe(true);
  await expect.poll(() => how.told.map(({ action }) => action)).toEqual(['inside', 'unseen']);
  await google(how, shot);
  expect(insideResult(bodies[1], 'inlineData')).toBe(false);
  expect(JSON.stringify(listIn(bodies[1], 'contents').at(-1))).toContain('inlineData');
  expect(how.told.map(({ action }) => action)).toEqual(['inside', 'unseen', 'after']);
});

test('a file of the user that is not seen is named in words from then on', async () => {
  const how = wrapped();
  blindTo = /fileData/;
  const more = [
    { role: 'user', parts: [{ fileData: { fileUri: googleFile, mimeType: 'image/png' } }, { text: 'And this?' }] },
  ];
  const text = { text: 'Done.' };
  await google(how, text, more);
  await expect.poll(() => how.told.map(({ action }) => action)).toEqual(['inside', 'unseen']);
  await google(how, text, more);
  expect(texts[1]).not.toContain('fileData');
  expect(how.told.at(-1)).toMatchObject({ action: 'words' });
});

test('a request whose bytes are signed goes as it came, and that is told', async () => {
  const how = wrapped();
  const content = [{ image: { format: 'png', source: { bytes: png } } }];
  const toolResult = { toolUseId: 'a', content: [{ text: JSON.stringify({ shot: png }) }] };
  const messages = [
    { role: 'user', content },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'shot', input: {} } }] },
    { role: 'user', content: [{ toolResult }] },
  ];
  const body = JSON.stringify({ messages });
  const send = (authorization: string): Promise<unknown> =>
    how.fetch(`${url}/model/us.amazon.nova-pro-v1%3A0/converse`, { method: 'POST', headers: { authorization }, body });
  await send('AWS4-HMAC-SHA256 Credential=AKIA/20260101/us-east-1/bedrock/aws4_request, Signature=00');
  expect(texts[0]).toBe(body);
  expect(how.told).toMatchObject([{ action: 'ignored', subject: 'the request' }]);
  await send('Bearer key');
  expect(texts[1]).not.toBe(body);
});
