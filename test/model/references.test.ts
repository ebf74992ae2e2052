// Media by address and by id from end to end: what a program writes, what leaves, and what happens when the provider cannot
// open it. The provider is a server on this machine that speaks the real protocols; so is whoever has the picture.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import type { ContentInput } from '../../src/content/input.ts';
import { document, image } from '../../src/content/input.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { sightlineFetch } from '../../src/fetch/index.ts';
import { openGateway } from '../../src/gateway/index.ts';
import { prepare } from '../../src/model/prepare.ts';
import type { PrepareOptions } from '../../src/model/prepared.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedRequest, ScriptedServer } from '../../src/model/script/index.ts';
import { memorySessions } from '../../src/session/index.ts';
import { defineTool } from '../../src/tool/tool.ts';
import type { Receipt } from '../../src/window/receipt.ts';
import { schemaErrors } from '../judge/judge.ts';

const chart = readFileSync('examples/chart.png');
const kiwi = 'https://upload.example.org/kiwi.png';
const paper = 'https://www.example.org/dummy.pdf';

let server: ScriptedServer;
let host: Server;
let hosted: string;
let check: ((request: ScriptedRequest) => { status: number; message: string } | undefined) | undefined;
let answers: (hasResult: boolean) => object;
const asked: string[] = [];

beforeAll(async () => {
  server = await scriptedServer(
    script(({ transcript }) => answers(transcript.messages.at(-1)?.role === 'tool')),
    { check: (request) => check?.(request) },
  );
  host = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url === '/page.png')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>');
    if (url === '/away.png') return void response.writeHead(302, { location: 'http://10.0.0.1/a.png' }).end();
    if (url === '/gone.png') return void response.writeHead(404).end();
    if (url === '/turned-away.png') return void response.writeHead(999).end();
    if (url === '/cut.png')
      return void response
        .writeHead(200, { 'content-length': chart.length })
        .write(chart.subarray(0, 500), () => response.destroy());
    response.writeHead(200, { 'content-type': 'image/png' }).end(chart);
  });
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  hosted = `127.0.0.1:${(host.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await server.close();
  host.close();
});
beforeEach(() => {
  check = undefined;
  answers = () => ({ text: 'A kiwi.' });
  asked.length = 0;
});

function lastBody(): string {
  return JSON.stringify(server.requests.at(-1)?.body);
}

function asks(content: ContentInput): Parameters<typeof prepare>[0] {
  return { messages: [{ role: 'user', content }] };
}

async function receiptsFor(
  content: ContentInput,
  options: Partial<PrepareOptions> & { model: string },
): Promise<Receipt[]> {
  const { receipts } = await prepare(asks(content), { assets: memoryAssets(), ...options });
  return receipts.filter(({ place }) => place !== undefined);
}

test('a picture by its address goes into the SDK of Anthropic as it is, and its receipt says that nobody looked', async () => {
  const request = await prepare(asks(['What is it?', image(new URL(kiwi)), document({ url: paper })]), {
    model: 'anthropic/claude-sonnet-5',
  });
  const client = new Anthropic({ apiKey: 'any', baseURL: server.url });
  await client.messages.create(await request.sdk());
  expect(lastBody()).toContain(JSON.stringify({ type: 'image', source: { type: 'url', url: kiwi } }));
  expect(lastBody()).toContain(`"source":${JSON.stringify({ type: 'url', url: paper })}`);
  expect(await schemaErrors('anthropic-messages', server.requests.at(-1)?.body)).toEqual([]);
  expect(request.receipts).toMatchObject([
    { action: 'inside', carrier: 'url', subject: 'image "kiwi.png" at upload.example.org', why: /not checked/ },
    { action: 'inside', carrier: 'url', subject: 'PDF "dummy.pdf" at www.example.org' },
  ]);
});

test('the same for both APIs of OpenAI', async () => {
  const client = new OpenAI({ apiKey: 'any', baseURL: `${server.url}/v1` });
  const content = [image(new URL(kiwi)), document({ file: { endpoint: 'openai', id: 'file-0123456789' } })];
  const responses = await prepare(asks(content), { model: 'openai/gpt-5.2' });
  await client.responses.create(await responses.sdk());
  expect(lastBody()).toContain(`"type":"input_image","image_url":"${kiwi}"`);
  expect(lastBody()).toContain('"type":"input_file","file_id":"file-0123456789"');
  expect(await schemaErrors('openai-responses', server.requests.at(-1)?.body)).toEqual([]);
  const chat = await prepare(asks(content), { model: 'openai-chat/gpt-4.1' });
  await client.chat.completions.create(await chat.sdk());
  expect(lastBody()).toContain(`"image_url":{"url":"${kiwi}"`);
  expect(lastBody()).toContain('"type":"file","file":{"file_id":"file-0123456789"}');
  expect(await schemaErrors('openai-chat', server.requests.at(-1)?.body)).toEqual([]);
});

const uri = 'https://generativelanguage.googleapis.com/v1beta/files/abc123def';

test.each([
  ['anthropic/claude-sonnet-5', { type: 'image', source: { type: 'url', url: kiwi } }, kiwi],
  ['anthropic/claude-sonnet-5', { type: 'document', source: { type: 'file', file_id: 'file_0123456789' } }, 'file_0123456789'],
  ['openai/gpt-5.2', { type: 'input_image', file_id: 'file-0123456789', detail: 'auto' }, 'file-0123456789'],
  ['openai/gpt-5.2', { type: 'input_file', file_url: paper }, paper],
  ['openai-chat/gpt-4.1', { type: 'image_url', image_url: { url: kiwi } }, kiwi],
  ['openai-chat/gpt-4.1', { type: 'file', file: { file_id: 'file-0123456789' } }, 'file-0123456789'],
  ['gemini/gemini-3-flash-preview', { fileData: { fileUri: uri, mimeType: 'image/png' } }, uri],
  ['anthropic/claude-sonnet-5', { type: 'file', mediaType: 'image/png', data: { type: 'url', url: kiwi } }, kiwi],
  ['anthropic/claude-sonnet-5', { type: 'file', mediaType: 'image/png', data: { type: 'reference', reference: { anthropic: 'file_0123456789' } } }, 'file_0123456789'],
  ['openai/gpt-5.2', { type: 'image-file-id', fileId: { openai: 'file-0123456789' } }, 'file-0123456789'],
  ['openai/gpt-5.2', { type: 'file-reference', providerReference: { openai: 'file-0123456789' } }, 'file-0123456789'],
  ['openai/gpt-5.2', { type: 'image-url', url: kiwi }, kiwi],
] as const)('%s takes %o in the spelling of its SDK', async (model, block, place) => {
  const request = await prepare(asks([block as unknown as ContentInput] as ContentInput), { model });
  expect(JSON.stringify(await request.json())).toContain(place);
  expect(await schemaErrors(request.wire, await request.json())).toEqual([]);
}); // prettier-ignore

test('an agent shows what its user points at, keeps it in its session, and keeps what tools point at to itself', async () => {
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: { type: 'object' },
    run: () => ({ type: 'image', url: 'https://tools.example.org/rose.png' }),
  });
  answers = (hasResult) => (hasResult ? { text: 'A rose.' } : { calls: [{ name: 'look', input: {} }] });
  const sessions = memorySessions();
  const session = await sessions.create();
  const base = { model: 'anthropic/claude-sonnet-5', baseUrl: server.url, key: 'any', tools: [look], session } as const;
  const first = await runAgent({ ...base, prompt: [image(new URL(kiwi)), 'And the tool?'] }).result();
  expect(first.stop).toBe('end');
  expect(lastBody()).toContain(kiwi);
  expect(lastBody()).toContain('addresses that tools name are not passed on');
  expect(lastBody()).not.toContain('https://tools.example.org');
  const stored = (await session.messages()).flatMap(({ content }) =>
    content.filter(({ type }) => type === 'reference'),
  );
  expect(stored).toMatchObject([{ kind: 'image', at: { url: kiwi } }, { kind: 'image' }]);
  await runAgent({ ...base, prompt: 'Again.', urls: { pass: 'all' } }).result();
  expect(lastBody()).toContain('https://tools.example.org/rose.png');
  await session.close();
  await sessions.close();
});

test.each([
  ['anthropic/claude-sonnet-5', { status: 400, message: "This URL is disallowed by the website's robots.txt file." }],
  ['anthropic/claude-sonnet-5', { status: 404, message: 'File not found: file_0123456789' }],
  ['openai/gpt-5.2', { status: 400, message: `Error while downloading ${kiwi}. Upstream status code: 404.` }],
  ['gemini/gemini-2.5-pro', { status: 403, message: 'You do not have permission to access the File abc123def or it may not exist.' }],
] as const)('%s cannot open it (%o): words go instead, and the answer comes', async (model, complaint) => {
  const isFile = complaint.status > 400;
  const block = image(isFile ? { file: { endpoint: model.split('/')[0] ?? '', id: model.startsWith('gemini') ? uri : 'file_0123456789' } } : { url: kiwi });
  check = ({ body }) => (/kiwi\.png"[,}]|file_0123456789"|files\/abc123def"/.test(JSON.stringify(body)) ? complaint : undefined);
  const told: string[] = [];
  const run = runAgent({ model, baseUrl: server.url, key: 'any', prompt: [block, 'What is it?'] });
  for await (const event of run) if (event.type === 'request-healed') told.push(event.why);
  expect((await run.result()).text).toBe('A kiwi.');
  expect(told).toHaveLength(1);
  expect(lastBody()).toContain('the provider refused it as it was');
}); // prettier-ignore

test('where fetching is allowed, what the provider cannot open is fetched and sent as bytes', async () => {
  check = ({ body }) =>
    JSON.stringify(body).includes('"type":"url"') ? { status: 400, message: 'disallowed by robots.txt' } : undefined;
  const rules = { hosts: [hosted], http: true };
  const run = runAgent({
    model: 'anthropic/claude-sonnet-5',
    baseUrl: server.url,
    key: 'any',
    prompt: [image({ url: `http://${hosted}/kiwi.png` }), image(new URL(kiwi)), 'What is it?'],
    urls: { fetch: rules },
  });
  const receipts: Receipt[][] = [];
  for await (const event of run)
    if (event.type === 'request-ready') receipts.push(event.receipts.filter(({ place }) => place !== undefined));
  expect(receipts[0]).toMatchObject([
    { action: 'fetched', carrier: 'inline', place: 'inside' },
    { action: 'inside', carrier: 'url' },
  ]);
  expect(receipts[1]).toMatchObject([{ action: 'fetched' }, { action: 'words' }]);
  expect(lastBody()).toContain(chart.toString('base64').slice(0, 60));
  expect(asked).toEqual(['/kiwi.png']);
});

test.each([
  ['/page.png', 'answered with a web page'],
  ['/away.png', 'private network'],
  ['/gone.png', 'answered 404'],
  ['/turned-away.png', 'answered 999'],
  ['/cut.png', 'broke off'],
])('what is fetched from %s is told in words', async (path, why) => {
  const urls = { fetch: { hosts: [hosted], http: true } };
  const [receipt] = await receiptsFor(image({ url: `http://${hosted}${path}` }), { model: 'openai/gpt-5.2', urls });
  expect(receipt).toMatchObject({ action: 'words', place: 'words' });
  expect(receipt?.why).toContain(why);
});

test('private addresses are never fetched, and without a word nothing is', async () => {
  const local = image({ url: `http://${hosted}/kiwi.png` });
  const model = 'openai/gpt-5.2';
  expect(await receiptsFor(local, { model })).toMatchObject([{ action: 'words', why: /only https/ }]);
  const urls = { fetch: { http: true } };
  expect(await receiptsFor(local, { model, urls })).toMatchObject([{ action: 'words', why: /private network/ }]);
  const named = image({ url: `https://localhost:${hosted.split(':')[1]}/kiwi.png` });
  expect(await receiptsFor(named, { model, urls })).toMatchObject([{ action: 'words', why: /private network/ }]);
  expect(asked).toEqual([]);
});

test('the wrapper and the gateway leave addresses and ids where they stand', async () => {
  const fetchIt = sightlineFetch();
  const picture = { type: 'image' as const, source: { type: 'base64' as const, media_type: 'image/png' as const, data: chart.toString('base64') } };
  const elsewhere = { type: 'image' as const, source: { type: 'url' as const, url: kiwi } };
  const messages = [{ role: 'user' as const, content: [picture, elsewhere] }];
  const client = new Anthropic({ apiKey: 'any', baseURL: server.url, fetch: fetchIt });
  await client.messages.create({ model: 'claude-sonnet-5', max_tokens: 50, messages });
  expect(lastBody()).toContain(JSON.stringify(elsewhere));
  const models = { claude: { model: 'anthropic/claude-sonnet-5', baseUrl: server.url, key: 'secret' } };
  const gateway = await openGateway({ port: 0, models });
  const through = new OpenAI({ apiKey: 'none', baseURL: `${gateway.url}/v1` });
  await through.chat.completions.create({
    model: 'claude',
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: kiwi } }, { type: 'file', file: { file_id: 'file-0123456789' } }] }],
  });
  await gateway.close();
  expect(lastBody()).toContain(JSON.stringify(elsewhere.source));
  expect(lastBody()).toContain('its id belongs to openai');
  expect(lastBody()).not.toContain('file-0123456789');
}); // prettier-ignore
