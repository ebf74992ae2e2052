// What a vendor serves beside answers: files, batches, kept answers, compaction. It goes through where a model of the same
// dialect answers here, and is refused in words everywhere else.
import Anthropic, { toFile as anthropicFile } from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI, { toFile } from 'openai';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openGateway } from '../../src/gateway/index.ts';
import type { Gateway, GatewayOptions } from '../../src/gateway/index.ts';

const pdf = readFileSync('examples/report.pdf');

type Came = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer };

let vendor: Server;
let vendorUrl = '';
let gateway: Gateway;
const came: Came[] = [];
const lines: string[] = [];

/** What the vendors answer, as their documents have it. */
const answers: [RegExp, object][] = [
  [/^POST \/v1\/files/, { id: 'file-1', object: 'file', type: 'file', bytes: 1, filename: 'report.pdf' }],
  [/^GET \/v1\/files\/file-1\/content/, { whole: true }],
  [/^GET \/v1\/files$/, { object: 'list', data: [{ id: 'file-1' }], has_more: false }],
  [/^DELETE \/v1\/files\/file-1/, { id: 'file-1', object: 'file', deleted: true }],
  [/^POST \/v1\/embeddings/, { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1] }], model: 'e' }],
  [/^POST \/v1\/batches/, { id: 'batch_1', object: 'batch' }],
  [/^GET \/v1\/responses\/resp_1/, { id: 'resp_1', object: 'response', output: [] }],
  [
    /^POST \/v1\/responses\/compact/,
    {
      id: 'resp_2',
      object: 'response.compaction',
      created_at: 1,
      output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' }],
      usage: { input_tokens: 700, output_tokens: 30, total_tokens: 730 },
    },
  ],
  [/^POST \/upload\/v1beta\/files\?upload_id/, { file: { name: 'files/g1', uri: 'https://x/files/g1', state: 'ACTIVE' } }],
  [/^GET \/v1beta\/files\/g1/, { name: 'files/g1', state: 'ACTIVE' }],
]; // prettier-ignore

beforeAll(async () => {
  vendor = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
    await new Promise((resolve) => incoming.once('end', resolve));
    const { method = '', url = '', headers } = incoming;
    came.push({ method, path: url, headers, body: Buffer.concat(chunks) });
    if (headers['x-goog-upload-command'] === 'start')
      return void outgoing.setHeader('x-goog-upload-url', `${vendorUrl}/upload/v1beta/files?upload_id=7`).end('{}');
    const found = answers.find(([at]) => at.test(`${method} ${url}`));
    outgoing.setHeader('x-goog-upload-status', 'final').setHeader('content-type', 'application/json');
    outgoing.writeHead(found ? 200 : 404).end(JSON.stringify(found?.[1] ?? { error: { message: `no ${url}` } }));
  });
  vendor.listen(0, '127.0.0.1');
  await once(vendor, 'listening');
  vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  gateway = await openGateway({ ...options(), log: (line) => lines.push(line) });
});
afterAll(async () => {
  await gateway.close();
  vendor.close();
});
beforeEach(() => void came.splice(0));
afterEach(() => vi.unstubAllEnvs());

const at = (model: `${string}/${string}`): { model: `${string}/${string}`; baseUrl: string; key: string } => ({
  model,
  baseUrl: model.startsWith('openai') ? `${vendorUrl}/v1` : vendorUrl,
  key: 'ours',
});

function options(): GatewayOptions {
  const models = {
    claude: at('anthropic/claude-sonnet-5'),
    gpt: at('openai/gpt-5.4'),
    gem: at('gemini/gemini-2.5-pro'),
  };
  return { port: 0, models, default: 'claude' };
}

const openai = (): OpenAI => new OpenAI({ apiKey: 'theirs', baseURL: `${gateway.url}/v1`, maxRetries: 0 });

test("files of OpenAI's SDK go up, are listed, read and taken back, in the name of this gateway", async () => {
  const file = await openai().files.create({ file: await toFile(pdf, 'report.pdf'), purpose: 'user_data' });
  expect(file.id).toBe('file-1');
  expect(came[0]?.headers).toMatchObject({
    authorization: 'Bearer ours',
    'content-type': expect.stringMatching(/^multipart\/form-data; /) as string,
  });
  expect(came[0]?.body.includes(pdf)).toBe(true);
  expect((await openai().files.list()).data).toMatchObject([{ id: 'file-1' }]);
  expect(await (await openai().files.content('file-1')).json()).toEqual({ whole: true });
  expect(await openai().files.delete('file-1')).toMatchObject({ deleted: true });
  expect(came.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/files', 'GET /v1/files', 'GET /v1/files/file-1/content', 'DELETE /v1/files/file-1',
  ]); // prettier-ignore
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    wire: 'openai-responses',
    route: '/v1/files/file-1',
    way: 'relay',
  });
});

test("files of Anthropic's SDK go to Anthropic, with the headers that it wants", async () => {
  const client = new Anthropic({ apiKey: 'theirs', baseURL: gateway.url, maxRetries: 0 });
  const { id } = await client.beta.files.upload({
    file: await anthropicFile(pdf, 'report.pdf'),
    betas: ['files-api-2025-04-14'],
  });
  expect(id).toBe('file-1');
  expect(came[0]?.headers).toMatchObject({
    'x-api-key': 'ours',
    'anthropic-version': expect.any(String) as string,
    'anthropic-beta': expect.stringContaining('files-api') as string,
  });
  expect(came[0]?.body.includes(pdf)).toBe(true);
});

/** Version 3 of the SDK asks below `/v1`, those before below `/v1beta`. */
const versions = ['v1beta', 'v1'];

test.each(versions)("files of Google's SDK go up in its two steps, both of them here (%s)", async (apiVersion) => {
  const client = new GoogleGenAI({ apiKey: 'theirs', httpOptions: { baseUrl: gateway.url, apiVersion } });
  const file = await client.files.upload({ file: new Blob([pdf], { type: 'application/pdf' }) });
  expect(file.name).toBe('files/g1');
  expect(came.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)).toEqual([
    'POST /upload/v1beta/files',
    'POST /upload/v1beta/files',
  ]);
  expect(came.map(({ headers }) => headers['x-goog-api-key'])).toEqual(['ours', 'ours']);
  expect(came[1]?.body.equals(pdf)).toBe(true);
  expect((await client.files.get({ name: 'g1' })).state).toBe('ACTIVE');
});

test.each(versions)(
  "models of Google's SDK are those of this gateway, whatever their names (%s)",
  async (apiVersion) => {
    const client = new GoogleGenAI({ apiKey: 'theirs', httpOptions: { baseUrl: gateway.url, apiVersion } });
    const names: (string | undefined)[] = [];
    for await (const { name } of await client.models.list()) names.push(name);
    expect(names).toEqual(expect.arrayContaining(['models/claude', 'models/gem']));
    expect((await client.models.get({ model: 'gem' })).name).toBe('models/gem');
    const contents = 'Who is there?';
    const counted = await client.models.countTokens({ model: 'claude', contents });
    expect(counted.totalTokens).toBeGreaterThan(0);
    await client.models.generateContent({ model: 'of/their/own', contents }).catch(() => undefined);
    expect(came.map(({ path }) => path)).toEqual(['/v1/messages/count_tokens', '/v1/messages']);
  },
);

test('embeddings, batches and kept answers go through', async () => {
  expect((await openai().embeddings.create({ model: 'e', input: 'x', encoding_format: 'float' })).data).toHaveLength(1);
  const batch = { input_file_id: 'file-1', endpoint: '/v1/responses', completion_window: '24h' } as const;
  expect((await openai().batches.create(batch)).id).toBe('batch_1');
  expect((await openai().responses.retrieve('resp_1')).id).toBe('resp_1');
  await expect(openai().batches.retrieve('nobody')).rejects.toThrow(/no \/v1\/batches\/nobody/);
});

test('a conversation is made shorter by its own vendor, media repaired, and by no other', async () => {
  const url = `data:image/jpeg;base64,${readFileSync('examples/chart.png').toString('base64')}`;
  const content = [{ type: 'input_image' as const, image_url: url, detail: 'auto' as const }];
  const input = [{ role: 'user' as const, content }];
  const shorter = await openai().responses.compact({ model: 'gpt', input });
  expect(shorter.output).toMatchObject([{ type: 'compaction', encrypted_content: 'sealed' }]);
  expect(came[0]?.path).toBe('/v1/responses/compact');
  expect(JSON.parse(String(came[0]?.body))).toMatchObject({ model: 'gpt-5.4' });
  expect(String(came[0]?.body)).toContain('data:image/png;base64,');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ status: 200, usage: { inputTokens: 700, outputTokens: 30 } });
  const other = openai().responses.compact({ model: 'claude', input: 'Hi.' });
  await expect(other).rejects.toThrow(/404 anthropic\/claude-sonnet-5 .* has no \/v1\/responses\/compact/);
  expect(came).toHaveLength(1);
});

test('where nobody speaks the dialect, files are refused in it', async () => {
  await using local = await openGateway({ port: 0, models: { qwen: at('ollama/qwen3-vl') } });
  const client = new OpenAI({ apiKey: 'none', baseURL: `${local.url}/v1`, maxRetries: 0 });
  const upload = client.files.create({ file: await toFile(pdf, 'report.pdf'), purpose: 'user_data' });
  await expect(upload).rejects.toThrow(/404 No model here speaks the dialect of \/v1\/files\. Send the bytes inside/);
  expect(came).toEqual([]);
});

test('files go to the first vendor here whose key there is, and without one it is told which is missing', async () => {
  for (const [name, value] of Object.entries({ OPENAI_API_KEY: '', OPENAI_BASE_URL: `${vendorUrl}/v1` }))
    vi.stubEnv(name, value);
  const keyless = { default: 'openai/gpt-5.4', models: { unset: { ...at('openai/gpt-5.4'), key: '' } } };
  await using some = await openGateway({
    port: 0,
    ...keyless,
    models: { ...keyless.models, gpt: at('openai/gpt-5.4') },
  });
  expect((await fetch(`${some.url}/v1/files`)).status).toBe(200);
  expect(came.splice(0)).toMatchObject([{ headers: { authorization: 'Bearer ours' } }]);
  await using none = await openGateway({ port: 0, ...keyless });
  const refused = await fetch(`${none.url}/v1/files`);
  expect([refused.status, await refused.text()]).toEqual([502, expect.stringContaining('Set OPENAI_API_KEY')]);
  const { key: _key, ...open } = at('openai/gpt-5.4'); // a server of one's own, which may want no key
  await using own = await openGateway({ port: 0, models: { open } });
  expect((await fetch(`${own.url}/v1/files`)).status).toBe(200);
  expect(came.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test('keys that share one account see nothing of it', async () => {
  const hash = `sha256:${createHash('sha256').update('a').digest('hex')}`;
  const keys = { alice: { hash, per: 'month', upstream: 'gateway' } as const };
  await using shared = await openGateway({ ...options(), keys });
  const asked = (key: string): Promise<Response> =>
    fetch(`${shared.url}/v1/files`, { headers: { authorization: `Bearer ${key}` } });
  const refused = await asked('a');
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("is nobody's own")]);
  expect((await asked('b')).status).toBe(401);
  expect(came).toEqual([]);
});

test('what is too large is not sent on whole, and a vendor that is away is a 502', async () => {
  await using small = await openGateway({ ...options(), bodyMib: 1 });
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(300_000));
    },
  });
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  const large = await fetch(`${small.url}/v1/files`, init);
  expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('A body may hold 1048576 bytes.')]);
  const gone = { ...at('openai/gpt-5.4'), baseUrl: 'http://127.0.0.1:9' };
  await using away = await openGateway({ port: 0, models: { gone } });
  expect((await fetch(`${away.url}/v1/files`)).status).toBe(502);
});

test('a client that wants another protocol hears which is spoken', async () => {
  const asked = get(`${gateway.url}/v1/responses`, { headers: { connection: 'upgrade', upgrade: 'websocket' } });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(426);
  answer.destroy();
});

test('a client that sends all of its file before it listens hears why its vendor does not want it', async () => {
  const strict = createServer((incoming, outgoing) => {
    incoming.on('error', () => undefined).resume();
    outgoing.writeHead(413, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ error: { message: 'Too large for us.' } }));
  });
  await new Promise<void>((done) => strict.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(strict.address() as AddressInfo).port}`;
  await using small = await openGateway({ port: 0, models: { gpt: { ...at('openai/gpt-5.4'), baseUrl } } });
  const socket = connect(Number(new URL(small.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const file = Buffer.alloc(30_000_000);
  socket.write(`POST /v1/files HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${file.length}\r\n\r\n`);
  await new Promise<unknown>((sent) => socket.write(file, sent));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 [\s\S]*Too large for us\./);
  socket.destroy();
  strict.close();
});

test.each([
  ['a length', 'content-length: 2', '{}'],
  ['chunks', 'transfer-encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
])('a body of %s where its vendor takes none is left out, and the connections go on', async (_what, head, body) => {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString())).on('error', () => undefined);
  const deleted = `DELETE /v1/files/file-1 HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${head}\r\n\r\n${body}`;
  socket.write(deleted);
  await expect.poll(() => heard).toMatch(/^HTTP\/1\.1 200 [\s\S]*"deleted":true/);
  socket.write('GET /v1/files HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  await expect.poll(() => heard).toMatch(/"deleted":true[\s\S]*HTTP\/1\.1 200 [\s\S]*"data":\[\{"id":"file-1"/);
  expect(came.map(({ method, path, body: sent }) => `${method} ${path} ${sent.toString()}`)).toEqual([
    'DELETE /v1/files/file-1 ',
    'GET /v1/files ',
  ]);
  socket.destroy();
});
