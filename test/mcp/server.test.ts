import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { audio, document, image, text } from '../../src/content/input.ts';
import { mcpResult } from '../../src/mcp/content.ts';
import { connectServers } from '../../src/mcp/client.ts';
import { serveTools } from '../../src/mcp/server.ts';
import type { Serving } from '../../src/mcp/server.ts';
import { defineTool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/tool.ts';
import { invokeTool } from '../../src/toolbox/invoke.ts';
import { readFileTool } from '../../src/toolbox/read-file.ts';
import { line, pptx, shape } from '../media/archive.ts';
import { pdfSaying } from '../media/make.ts';
import { cpuMs } from '../cpu.ts';
import { scannedPdf } from '../media/pdf-make.ts';
import { picture, sound } from '../tool/samples.ts';

const token = 'a-token-for-tests';
const inside = mkdtempSync(join(tmpdir(), 'sightline-mcp-'));
const outside = mkdtempSync(join(tmpdir(), 'sightline-mcp-'));
for (const folder of [inside, outside]) writeFileSync(join(folder, 'note.txt'), 'what it says');

const nothing = { type: 'object', properties: {} } as const;
const simple = (name: string, run: Tool['run']): Tool => defineTool({ name, description: name, input: nothing, run });

const slide = (title: string): { shapes: string } => ({ shapes: shape(line(title)) });

let aborted = false;
const tools: Tool[] = [
  simple('picture', () => [text('look'), image(picture.bytes, { name: 'a.png' })]),
  simple('sound', () => audio(sound.bytes)),
  simple('paper', () => document(pdfSaying('page one says this', 'page two says that'), { name: 'paper.pdf' })),
  simple('page', () => document(pdfSaying('page one says this', 'page two says that'), { range: [1, 2] })),
  simple('slide', () => document(pptx(['one', 'two'].map(slide)), { name: 'talk.pptx', range: [1, 2] })),
  simple('scan', () => document(scannedPdf(Array.from({ length: 7 }, () => ({ strips: 1, cover: 1 }))))),
  simple('huge', () => document(bigDocument(), { name: 'huge.pdf', fallback: 'A very long report.' })),
  simple('long', () => 'word '.repeat(20_000)),
  simple('data', () => ({ city: 'Chicago', temperature: 36 })),
  defineTool({
    name: 'numbered',
    description: 'numbered',
    input: { type: 'object', properties: { json: { type: 'string' } } },
    run: ({ json }) => String(json),
  }),
  simple('data_with_picture', () => ({ city: 'Chicago', image: { base64: picture.bytes.toString('base64') } })),
  defineTool({ name: 'send_mail', description: 'send_mail', approve: true, run: () => 'sent' }),
  defineTool({ name: 'set_title', description: 'set_title', effect: 'idempotent', run: () => 'set' }),
  simple('failing', () => {
    throw new Error('it went wrong');
  }),
  simple('slow', (_input, { signal, progress }) => {
    progress('half way');
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        aborted = true;
        reject(new Error('stopped'));
      }),
    );
  }),
];

/** A PDF too large to send: a comment that nobody reads stands before its end. */
function bigDocument(): Buffer {
  const pdf = pdfSaying('short words').toString('latin1');
  const end = pdf.indexOf('startxref');
  return Buffer.from(`${pdf.slice(0, end)}%${'x'.repeat(9_000_000)}\n${pdf.slice(end)}`, 'latin1');
}

let serving: Serving;
beforeAll(async () => {
  serving = await serveTools(({ roots }) => ({ tools: [...tools, readFileTool({ roots })] }), {
    http: { token },
    assets: memoryAssets(),
    roots: [inside],
  });
});
afterAll(() => serving.close());

type Revision = 'legacy' | { pin: string };

async function connected(mode: Revision = 'legacy', roots?: readonly string[]): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, capabilities: roots ? { roots: {} } : {} },
  );
  if (roots)
    client.setRequestHandler('roots/list', () => ({ roots: roots.map((root) => ({ uri: pathToFileURL(root).href })) }));
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(serving.url ?? ''), { requestInit }));
  return client;
}

type Part = {
  type: string;
  text?: string;
  data?: string;
  mimeType?: string;
  uri?: string;
  resource?: { blob?: string; uri: string; mimeType?: string };
};

async function called(
  name: string,
  input: object = {},
  client?: Client,
): Promise<{ content: Part[]; isError?: boolean; structuredContent?: unknown }> {
  const asked = client ?? (await connected());
  const result = await asked.callTool({ name, arguments: { ...input } });
  if (!client) await asked.close();
  return result as Awaited<ReturnType<typeof called>>;
}

const kinds = ({ content }: { content: Part[] }): string[] => content.map(({ type }) => type);
const words = ({ content }: { content: Part[] }): string =>
  content
    .map((part) => part.text ?? '')
    .join('\n')
    .trim();

test('a server says whose it is, in the version that runs', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect((await connected()).getServerVersion()).toEqual({ name: 'sightline', title: 'Sightline', version });
});

test('a picture and a sound go as themselves', async () => {
  const seen = await called('picture');
  expect(kinds(seen)).toEqual(['text', 'image']);
  expect(seen.content[1]).toMatchObject({ mimeType: 'image/png', data: picture.bytes.toString('base64') });
  expect((await called('sound')).content.at(-1)).toMatchObject({ type: 'audio', mimeType: 'audio/wav' });
});

test('a PDF goes as an embedded resource with its text beside it', async () => {
  const result = await called('paper');
  expect(words(result)).toMatch(/page one says this[^]*page two says that/);
  const { resource } = result.content.at(-1) ?? {};
  expect(resource).toMatchObject({
    mimeType: 'application/pdf',
    uri: expect.stringMatching(/^sightline:\/\/asset\/[0-9a-f]{64}$/),
  });
  expect(
    Buffer.from(resource?.blob ?? '', 'base64')
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
});

test('of a PDF of which one page was asked for, only that page goes', async () => {
  const result = await called('page');
  expect(words(result)).toContain('page two says that');
  expect(words(result)).not.toContain('page one says this');
  const whole = await called('paper');
  const [cut, all] = [result, whole].map(({ content }) => content.at(-1)?.resource?.blob);
  expect(cut).toMatch(/^JVBERi0/);
  expect(cut).not.toBe(all);
});

test('a PDF without words shows its first pages as pictures', async () => {
  const result = await called('scan');
  expect(kinds(result).filter((kind) => kind === 'image')).toHaveLength(5);
  expect(words(result)).toContain('pages 1-5 as pictures; pages 6-7 are not shown, ask for them');
});

test.each([
  ['picture', /^look\n\[image "a\.png" .*not shown: the settings keep pictures at home\]$/],
  ['paper', /\[PDF "paper\.pdf".*as text: the settings keep.*\]\n[^]*page one says this/],
  ['scan', /\[PDF.*not shown: the settings keep pictures at home\]$/],
  ['huge', /\[PDF "huge\.pdf".*as text: the settings keep.*\]\n[^]*short words/],
])('where pictures stay at home, %s goes as words, and nothing of it can be read', async (name, said) => {
  const assets = memoryAssets();
  const offered: string[] = [];
  const result = await invokeTool({ type: 'call', id: '1', name, input: {} }, { tools, assets });
  const sent = await mcpResult(result, { assets, offer: ({ id }) => offered.push(id), picturesStay: true });
  expect(kinds(sent)).toEqual(kinds(sent).map(() => 'text'));
  expect(words(sent)).toMatch(said);
  expect(offered).toEqual([]);
});

test('what is too large to send becomes words and a link, and can be read as a resource', async () => {
  const client = await connected();
  const result = await called('huge', {}, client);
  expect(words(result)).toMatch(
    /short words[^]*PDF "huge\.pdf".* not shown: too large to send, read it as a resource\]\nA very long report\./,
  );
  const link = result.content.at(-1);
  expect(link).toMatchObject({ type: 'resource_link', name: 'huge.pdf', mimeType: 'application/pdf' });
  const { contents } = await client.readResource({ uri: link?.uri ?? '' });
  expect(contents[0]).toMatchObject({ mimeType: 'application/pdf', blob: expect.stringMatching(/^JVBERi0/) });
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain(link?.uri);
  await client.close();
});

test('some slides of a deck go as their words, with a link to all of it', async () => {
  const result = await called('slide');
  expect(kinds(result)).toEqual(['text', 'text', 'resource_link']);
  expect(words(result)).toMatch(
    /\[presentation "talk\.pptx", pages 2-2 of 2, asset \w+, as text\]\n## Slide 2[^]*two$/,
  );
  expect(result.content[2]).toMatchObject({ name: 'talk.pptx' });
  expect(words(result)).not.toContain('not shown');
});

test('a text that is too long can be read whole', async () => {
  const client = await connected();
  const result = await called('long', {}, client);
  expect(words(result).length).toBeLessThan(32_000);
  const { contents } = await client.readResource({ uri: result.content.at(-1)?.uri ?? '' });
  expect(contents[0]).toMatchObject({ mimeType: 'text/plain', text: 'word '.repeat(20_000) });
  await client.close();
});

test('a name that was never handed out opens nothing', async () => {
  const client = await connected();
  await expect(client.readResource({ uri: `sightline://asset/${'0'.repeat(64)}` })).rejects.toThrow();
  await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow();
  await client.close();
});

test('what one client was given, another cannot read', async () => {
  const [one, other] = await Promise.all([connected(), connected()]);
  const uri = (await called('long', {}, one)).content.at(-1)?.uri ?? '';
  expect((await one.readResource({ uri })).contents).toHaveLength(1);
  await expect(other.readResource({ uri })).rejects.toThrow();
  expect((await other.listResources()).resources).toEqual([]);
  await Promise.all([one.close(), other.close()]);
});

test('JSON goes as structured content too, unless a picture stands beside it', async () => {
  expect((await called('data')).structuredContent).toEqual({ city: 'Chicago', temperature: 36 });
  const both = await called('data_with_picture');
  expect(kinds(both)).toContain('image');
  expect(both.structuredContent).toBeUndefined();
});

test('JSON with a number that no program can hold goes as its text alone', async () => {
  const told = await called('numbered', { json: '{"id":1234567890123456789,"name":"a"}' });
  expect([words(told), told.structuredContent]).toEqual(['{"id":1234567890123456789,"name":"a"}', undefined]);
  const fine = { at: 1763568000000000, share: 0.30000000000000004, id: '1234567890123456789' };
  expect((await called('numbered', { json: JSON.stringify(fine) })).structuredContent).toEqual(fine);
});

test('text that only begins like JSON takes little time', async () => {
  const content = [{ type: 'text', text: `{"${String.raw`\"`.repeat(49_000)}` } as const];
  const options = { assets: memoryAssets(), offer: () => undefined };
  expect(await cpuMs(() => mcpResult({ content }, options))).toBeLessThan(300);
});

test('what may not leave stands in no field of structured content, whatever its name', async () => {
  const secret = 'sk-a-key-of-the-house';
  const told = simple('told', () => ({ data: secret, blob: [secret], [secret]: 'as a name' }));
  await using hiding = await serveTools([told], {
    http: { token },
    hide: (given) => given.replaceAll(secret, '[key]'),
  });
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(hiding.url ?? ''), { requestInit }));
  const result = await client.callTool({ name: 'told', arguments: {} });
  expect(result.structuredContent).toEqual({ data: '[key]', blob: ['[key]'], '[key]': 'as a name' });
  expect(JSON.stringify(result)).not.toContain(secret);
  await client.close();
});

test('a tool that fails gives a result that says so, a tool that is not there a refusal', async () => {
  expect(await called('failing')).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: 'Error: it went wrong' }],
  });
  await expect(called('nonesuch')).rejects.toThrow('There is no tool "nonesuch" here.');
});

test('progress is told, and a cancelled call stops its tool', async () => {
  const client = await connected();
  const told: unknown[] = [];
  const stop = new AbortController();
  const onprogress = (progress: unknown): void => {
    told.push(progress);
    stop.abort();
  };
  await expect(client.callTool({ name: 'slow' }, { onprogress, signal: stop.signal })).rejects.toThrow();
  expect(told).toMatchObject([{ progress: 1, message: 'half way' }]);
  await expect.poll(() => aborted).toBe(true);
  await client.close();
});

const revisions: [name: string, mode: Revision][] = [
  ['with a handshake', 'legacy'],
  ['without one (2026-07-28)', { pin: '2026-07-28' }],
];

test.each(revisions)('files are read below the folders that a client names, inside ours: %s', async (_name, mode) => {
  const free = await connected(mode);
  expect(words(await called('read_file', { file_path: 'note.txt' }, free))).toContain('what it says');
  expect((await called('read_file', { file_path: join(outside, 'note.txt') }, free)).isError).toBe(true);
  await free.close();
  const rooted = await connected(mode, [inside]);
  expect(words(await called('read_file', { file_path: join(inside, 'note.txt') }, rooted))).toContain('what it says');
  await rooted.close();
  const greedy = await connected(mode, [outside]);
  for (const folder of [inside, outside]) {
    expect((await called('read_file', { file_path: join(folder, 'note.txt') }, greedy)).isError).toBe(true);
  }
  await greedy.close();
});

type Headers = Record<string, string>;
const allowed = { authorization: `Bearer ${token}` };
const guarded: [what: string, path: string, headers: Headers, status: number][] = [
  ['no token', '/mcp', {}, 401],
  ['a wrong token', '/mcp', { authorization: 'Bearer a-token-for-tests2' }, 401],
  ['another name of this machine', '/mcp', { ...allowed, host: 'evil.example' }, 403],
  ['a page from elsewhere', '/mcp', { ...allowed, origin: 'https://evil.example' }, 403],
  ['a page without an origin of its own', '/mcp', { ...allowed, origin: 'null' }, 403],
  ['another path', '/other', allowed, 404],
  ['an unknown session', '/mcp', { ...allowed, 'mcp-session-id': 'nonesuch' }, 404],
  ['no introduction', '/mcp', allowed, 400],
  [
    'a page of this machine',
    '/mcp',
    { ...allowed, origin: 'http://localhost:3000', 'mcp-session-id': 'nonesuch' },
    404,
  ],
];

test.each(guarded)('over HTTP %s is turned away', async (_what, path, headers, status) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect(await posted(path, headers, body)).toBe(status);
});

test('a body that is no JSON, or far too long, is turned away', async () => {
  expect(await posted('/mcp', allowed, '{"half":')).toBe(400);
  expect(await posted('/mcp', allowed, `"${'x'.repeat(33 << 20)}"`)).toBe(413);
});

/** `fetch` would not send another Host. */
function posted(path: string, headers: Headers, body: string): Promise<number | undefined> {
  const accept = 'application/json, text/event-stream';
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, serving.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...headers },
    });
    sent.once('response', (response) => {
      resolve(response.statusCode);
      response.resume();
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

test('a server that stands open to the network must have a token, and a port is taken once', async () => {
  await expect(serveTools(tools, { http: { host: '0.0.0.0' } })).rejects.toThrow(/needs a token/);
  await expect(serveTools(tools, { http: { token: '' } })).rejects.toThrow('The token is empty.');
  const port = Number(new URL(serving.url ?? '').port);
  await expect(serveTools(tools, { http: { port } })).rejects.toThrow(
    `port ${port} is in use. Choose another one, or 0 for any that is free.`,
  );
});

test('a server that was started anew is met again, at the latest by the second call', async () => {
  const first = await serveTools(tools, { http: { token } });
  const port = Number(new URL(first.url ?? '').port);
  const server = { url: first.url ?? '', headers: { authorization: 'Bearer ${MCP_TEST_TOKEN}' } };
  await using servers = await connectServers({ ours: server }, { environment: { MCP_TEST_TOKEN: token } });
  const ask = async (): Promise<string[]> => {
    const call = { type: 'call', id: 'c1', name: 'ours_picture', input: {} } as const;
    return (await invokeTool(call, { tools: servers.tools })).content.map(({ type }) => type);
  };
  expect(await ask()).toEqual(['text', 'image']);
  await first.close();
  await using second = await again(() => serveTools(tools, { http: { token, port } }));
  expect(second.url).toBe(first.url);
  await ask(); // it may still go out on a connection that the old server had closed
  expect(await ask()).toEqual(['text', 'image']);
});

/** Somebody else's connection may go out from just this port for a moment. */
async function again<Value>(open: () => Promise<Value>, tries = 600): Promise<Value> {
  try {
    return await open();
  } catch (error) {
    if (tries === 0 || !String(error).includes('in use')) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return await again(open, tries - 1);
  }
}

test('what a call does to the world is told by hints, and read from them', async () => {
  await using servers = await connectServers({
    ours: { url: serving.url ?? '', headers: { authorization: `Bearer ${token}` } },
  });
  const effects = servers.tools.map(({ name, effect }) => [name.replace(/^.*?_/, ''), effect]);
  expect(Object.fromEntries(effects)).toMatchObject({
    read_file: 'read',
    set_title: 'idempotent',
    send_mail: undefined,
  });
});

test('a tool that wants approval runs for a client: it has asked its own user', async () => {
  await using servers = await connectServers({
    ours: { url: serving.url ?? '', headers: { authorization: `Bearer ${token}` } },
  });
  const mail = servers.tools.find(({ name }) => name.endsWith('send_mail'));
  const call = { type: 'call', id: '1', name: mail?.name ?? '', input: {} } as const;
  expect((await invokeTool(call, { tools: servers.tools })).content).toEqual([{ type: 'text', text: 'sent' }]);
});
