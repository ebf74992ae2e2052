// Servers, clients and a conformance suite that nobody here wrote.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpServer } from '../../src/config/mcp.ts';
import type { AssetStore } from '../../src/content/asset-store.ts';
import type { Block } from '../../src/content/block.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { connectServers } from '../../src/mcp/client.ts';
import type { Servers } from '../../src/mcp/client.ts';
import { serveTools } from '../../src/mcp/server.ts';
import { prepare } from '../../src/model/prepare.ts';
import type { ToolMessage } from '../../src/tool/result.ts';
import { invokeTool } from '../../src/toolbox/invoke.ts';
import { mainFile } from '../cli/run.ts';
import { pdfSaying } from '../media/make.ts';
import { picture, sound } from '../tool/samples.ts';
import { conformanceTools } from './conformance-tools.ts';
import { chromium, installed, judges, runNode } from './run.ts';
import { onlySome } from '../some.ts';

onlySome(6);

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-judge-')));
writeFileSync(join(folder, 'shot.png'), picture.bytes);
writeFileSync(join(folder, 'voice.wav'), sound.bytes);
writeFileSync(join(folder, 'paper.pdf'), pdfSaying('the words of the paper'));

const told: string[] = [];

function heard(_call: unknown, message: string): void {
  told.push(message);
}

function call(
  servers: Servers,
  name: string,
  input: object = {},
  more: { assets?: AssetStore } = {},
): Promise<ToolMessage> {
  const options = { tools: servers.tools, progress: heard, ...more };
  return invokeTool({ type: 'call', id: 'c1', name, input }, options);
}

const kinds = ({ content }: { content: readonly Block[] }): string[] => content.map(({ type }) => type);
const words = ({ content }: { content: readonly Block[] }): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

function opened(servers: Record<string, McpServer>): () => Servers {
  let open: Servers | undefined;
  beforeAll(async () => {
    open = await connectServers(servers, { roots: [folder], startMs: 120_000, callMs: 120_000 });
    expect(open.states.map(({ problem }) => problem)).toEqual(Object.keys(servers).map(() => undefined));
  });
  afterAll(() => open?.close());
  return () => open as Servers;
}

describe('server-everything and server-filesystem', () => {
  const servers = opened({
    all: installed('@modelcontextprotocol/server-everything/dist/index.js'),
    files: installed('@modelcontextprotocol/server-filesystem/dist/index.js', folder),
  });

  test('a picture arrives between its words', async () => {
    const result = await call(servers(), 'all_get-tiny-image');
    expect(result.content).toMatchObject([
      { type: 'text' },
      { type: 'image', width: 20, height: 20 },
      { type: 'text' },
    ]);
  });

  test('links are followed, text and blob alike', async () => {
    const result = await call(servers(), 'all_get-resource-links', { count: 2 });
    expect(words(result)).toMatch(/\[resource demo:.*blob\/1 .*\]\nResource 1: This is a base64 blob/);
    expect(words(result)).toMatch(/\[resource demo:.*text\/2 .*\]\nResource 2: This is a plaintext resource/);
  });

  test('embedded resources are read', async () => {
    const result = await call(servers(), 'all_get-resource-reference', { resourceType: 'Blob', resourceId: 1 });
    expect(words(result)).toContain('Resource 1: This is a base64 blob');
  });

  test('structured content that repeats the text is shown once', async () => {
    const result = await call(servers(), 'all_get-structured-content', { location: 'Chicago' });
    expect(result.content).toHaveLength(1);
    expect(result.details).toMatchObject({ structuredContent: { temperature: 36 } });
  });

  test('what is for the user only is kept from the model and told in the details', async () => {
    const result = await call(servers(), 'all_get-annotated-message', { messageType: 'error', includeImage: true });
    expect(result.content).toEqual([{ type: 'text', text: 'Error: Operation failed' }]);
    expect(result.details).toMatchObject({
      forUser: [{ type: 'image', mimeType: 'image/png', asset: { id: expect.stringMatching(/^sha256:/) } }],
    });
    const all = await call(servers(), 'all_get-annotated-message', { messageType: 'success' });
    expect(words(all)).toBe('The result was shown to the user only.');
  });

  test('a long call tells how far it is', async () => {
    // So many steps that some do not come together with the result: the library passes over progress of what is answered.
    const result = await call(servers(), 'all_trigger-long-running-operation', { duration: 3, steps: 30 });
    expect(words(result)).toContain('completed');
    expect(told.filter((line) => /^\d+ of 30$/.test(line))).not.toEqual([]);
  });

  test('our folders are the roots of the server', async () => {
    expect(words(await call(servers(), 'all_get-roots-list'))).toContain(folder);
    expect(words(await call(servers(), 'files_list_allowed_directories'))).toContain(folder);
  });

  const media: [file: string, kind: string][] = [
    ['shot.png', 'image'],
    ['voice.wav', 'audio'],
    ['paper.pdf', 'document'],
  ];
  test.each(media)('the file %s arrives as %s', async (file, kind) => {
    const result = await call(servers(), 'files_read_media_file', { path: join(folder, file) });
    expect(kinds(result).filter((one) => one !== 'text')).toEqual([kind]);
    expect(words(result)).not.toMatch(/[A-Za-z0-9+/]{60}/);
  });

  test('a text that is repeated as structured content is shown once', async () => {
    writeFileSync(join(folder, 'note.txt'), 'only once');
    const result = await call(servers(), 'files_read_text_file', { path: join(folder, 'note.txt') });
    expect(result.content).toEqual([{ type: 'text', text: 'only once' }]);
  });

  test('the refusals of a server are its own words', async () => {
    const result = await call(servers(), 'files_read_text_file', { path: '/etc/passwd' });
    expect(result.isError).toBe(true);
    expect(words(result)).toContain('outside allowed directories');
  });
});

describe.skipIf(chromium === undefined)('@playwright/mcp with Chromium (skipped where there is none)', () => {
  const flags = [
    '--headless',
    '--isolated',
    '--no-sandbox',
    '--executable-path',
    chromium ?? '',
    '--output-dir',
    folder,
    '--timeout-action',
    '60000',
  ];
  const servers = opened({ browser: installed('@playwright/mcp/cli.js', ...flags) });
  const site = createServer(({ url }, response) => {
    const line =
      '<p style="font:14px monospace;margin:6px">Several words of a page that is far longer than a screen.</p>';
    const body = url === '/long' ? line.repeat(200) : '<h1>Hello</h1>';
    response.setHeader('content-type', 'text/html').end(`<title>T</title><body style="background:#dee">${body}`);
  });
  beforeAll(() => new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void site.close());

  test('a real screenshot reaches us as a picture', async () => {
    const { port } = site.address() as AddressInfo;
    await call(servers(), 'browser_browser_navigate', { url: `http://127.0.0.1:${port}/` });
    const result = await call(servers(), 'browser_browser_take_screenshot');
    const shot = result.content.find((block) => block.type === 'image');
    expect(shot?.width).toBeGreaterThan(600);
    expect(words(result)).not.toMatch(/[A-Za-z0-9+/]{200}/);
  });

  test('a screenshot of a whole page comes as large as it is, and reaches each model in a size that it can read', async () => {
    const { port } = site.address() as AddressInfo;
    const assets = memoryAssets();
    await call(servers(), 'browser_browser_navigate', { url: `http://127.0.0.1:${port}/long` });
    const shown = { fullPage: true, scale: 'css' };
    const { content } = await call(servers(), 'browser_browser_take_screenshot', shown, { assets });
    const shot = content.find((block) => block.type === 'image');
    expect(shot?.original?.height).toBeGreaterThan(4000);
    expect(shot?.textPx).toBeGreaterThan(9);
    for (const model of ['anthropic/claude-sonnet-4-5', 'openai/gpt-4.1', 'ollama/gemma3']) {
      const request = await prepare({ messages: [{ role: 'user', content }] }, { model, assets });
      const receipt = request.receipts.find(({ asset }) => asset !== undefined);
      expect(receipt, model).toMatchObject({ action: 'tiles' });
      expect(receipt?.legible?.textPx, model).toBeGreaterThanOrEqual(7);
      expect(receipt?.tokens, model).toBeLessThanOrEqual(6300); // with the words before each piece
    }
  });
});

/** Judges that take long and repeat much of the above run only when asked for: SIGHTLINE_JUDGES=1. */
const long = test.skipIf(process.env['SIGHTLINE_JUDGES'] !== '1');

const suite = `${judges}/@modelcontextprotocol/conformance/dist/index.js`;

test('our server passes the conformance suite, but for what it does not offer', async () => {
  await using serving = await serveTools(conformanceTools, { http: {} });
  const asked = [suite, 'server', '--url', serving.url ?? '', '--suite', 'all'];
  const ran = await runNode([...asked, '--expected-failures', 'test/mcp/conformance-exceptions.yml']);
  expect(ran.stdout).toContain('✓ tools-call-mixed-content: 1 passed, 0 failed');
  expect(ran.stdout).toContain('✓ dns-rebinding-protection: 2 passed, 0 failed');
  expect(ran.stdout.split('Unexpected failures')[1]).toBeUndefined();
  expect(ran.code).toBe(0);
});

long.each(['initialize', 'tools_call', 'sse-retry'])('our client passes the scenario %s', async (scenario) => {
  const command = `"${process.execPath}" test/mcp/programs/conformance-client.ts`;
  const ran = await runNode([suite, 'client', '--command', command, '--scenario', scenario]);
  expect(ran.stdout + ran.stderr).toMatch(/Passed: (\d)\/\1, 0 failed/);
  expect(ran.code).toBe(0);
});

long('the inspector lists and calls our tools', async () => {
  const inspector = `${judges}/@modelcontextprotocol/inspector/clients/launcher/build/index.js`;
  const server = [process.execPath, mainFile, 'mcp', '--root', folder];
  const ask = async (...method: string[]): Promise<Record<string, unknown>> => {
    const ran = await runNode([inspector, '--cli', ...server, '--', ...method], { SIGHTLINE_HOME: folder });
    return JSON.parse(ran.stdout) as Record<string, unknown>;
  };
  const [listed, read] = await Promise.all([
    ask('--method', 'tools/list'),
    ask('--method', 'tools/call', '--tool-name', 'read_file', '--tool-arg', 'file_path=shot.png'),
  ]);
  expect(listed).toMatchObject({ tools: expect.arrayContaining([expect.objectContaining({ name: 'read_file' })]) });
  expect(read).toMatchObject({ content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png' }] });
});
