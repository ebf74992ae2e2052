// What endpoints tell about their models, from servers that speak their lists.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { answer } from '../../src/model/answer.ts';
import { discover } from '../../src/model/discover/discover.ts';
import type { Listed } from '../../src/model/discover/listing.ts';
import type { EndpointName } from '../../src/window/catalog.ts';
import { all } from './all.ts';
import { faultServer, failWith, rawBody } from './fault-server.ts';
import { fine } from './refusing-server.ts';

const json = (value: unknown) => rawBody(JSON.stringify(value), 'application/json');

type Row = [EndpointName, Record<string, unknown>, Listed[]];

const yes = { supported: true };
const rows: Row[] = [
  ['anthropic', { '/v1/models?limit=1000': { data: [{ id: 'claude-new', capabilities: { image_input: yes, pdf_input: { supported: false }, thinking: yes }, max_input_tokens: 1_000_000, max_tokens: 64_000 }, { id: 'claude-old', capabilities: null, max_input_tokens: null }] } }, [{ id: 'claude-new', overrides: { capabilities: { vision: true, nativePdf: false, thinking: true }, contextTokens: 1_000_000, maxOutputTokens: 64_000 } }, { id: 'claude-old', overrides: {} }]],
  ['openai', { '/models': { data: [{ id: 'gpt-5.2' }, { object: 'nothing' }] } }, [{ id: 'gpt-5.2', overrides: {} }]],
  ['gemini', { '/v1beta/models?pageSize=1000': { models: [{ name: 'models/gemini-3-pro', inputTokenLimit: 1_048_576, supportedGenerationMethods: ['generateContent'] }, { name: 'models/embed', supportedGenerationMethods: ['embedContent'] }] } }, [{ id: 'gemini-3-pro', overrides: { contextTokens: 1_048_576 } }]],
  ['ollama', { '/api/tags': { models: [{ name: 'eye:1b', capabilities: ['completion', 'vision'], details: { context_length: 8192 } }, { name: 'old:7b' }] }, '/api/show': { capabilities: ['completion', 'thinking'], model_info: { 'llama.context_length': 131_072 } } }, [{ id: 'eye:1b', overrides: { capabilities: { vision: true, audioInput: false, thinking: false }, contextTokens: 8192 } }, { id: 'old:7b', overrides: { capabilities: { vision: false, audioInput: false, thinking: true }, contextTokens: 32_768 } }]],
  ['openrouter', { '/models': { data: [{ id: 'a/b', architecture: { input_modalities: ['text', 'image', 'file'] }, context_length: 99_000, supported_parameters: ['tools', 'reasoning'] }] } }, [{ id: 'a/b', overrides: { capabilities: { vision: true, nativePdf: true, audioInput: false, thinking: true }, contextTokens: 99_000 } }]],
  ['mistral', { '/models': { data: [{ id: 'pixtral', capabilities: { completion_chat: true, vision: true }, max_context_length: 131_072 }, { id: 'embed', capabilities: { completion_chat: false } }] } }, [{ id: 'pixtral', overrides: { capabilities: { vision: true }, contextTokens: 131_072 } }]],
  ['llamacpp', { '/models': { data: [{ id: 'mine' }] }, '/props': { modalities: { vision: true, audio: false }, default_generation_settings: { n_ctx: 4096 } } }, [{ id: 'mine', overrides: { capabilities: { vision: true, audioInput: false }, contextTokens: 4096 } }]],
  ['vllm', { '/models': { data: [{ id: 'mine', max_model_len: 16_384 }] } }, [{ id: 'mine', overrides: { contextTokens: 16_384 } }]],
  ['lmstudio', { '/api/v0/models': { data: [{ id: 'eye', type: 'vlm', max_context_length: 4096 }, { id: 'words', type: 'embeddings' }] } }, [{ id: 'eye', overrides: { capabilities: { vision: true }, contextTokens: 4096 } }]],
]; // prettier-ignore

test.each(rows)('%s', async (endpoint, answers, models) => {
  const server = await faultServer(({ url }) => (url in answers ? json(answers[url]) : failWith(404, 'no')));
  expect(await discover(endpoint, { baseUrl: server.url, key: 'k' })).toEqual({ ok: true, value: models });
  await server.close();
});

test('a list is asked for once, kept in a file, and asked for again when wanted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'discover-'));
  const server = await faultServer(() => json({ data: [{ id: 'one' }] }));
  const options = { baseUrl: server.url, key: 'k', folder };
  await discover('openai', options);
  await discover('openai', options);
  expect(server.heard).toHaveLength(1);
  await discover('openai', { ...options, refresh: true });
  expect(server.heard).toHaveLength(2);
  const file = join(folder, 'models.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1, lists: { [server.url]: {} } });
  expect(readFileSync(file, 'utf8')).not.toContain('"k"');
  writeFileSync(file, 'broken');
  expect(await discover('openai', options)).toMatchObject({ ok: true });
  await server.close();
});

test('lists of endpoints that are asked side by side are all kept, and a folder that takes no file costs nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'discover-'));
  const server = await faultServer(() => json({ data: [{ id: 'one' }] }));
  const bases = Array.from({ length: 8 }, (_, index) => `${server.url}/${index}`);
  await Promise.all(bases.map((baseUrl) => discover('openai', { baseUrl, key: 'k', folder })));
  const file = join(folder, 'models.json');
  const { lists } = JSON.parse(readFileSync(file, 'utf8')) as { lists: Record<string, unknown> };
  expect(Object.keys(lists).toSorted()).toEqual(bases);
  const unkept = { baseUrl: `${server.url}/9`, key: 'k', folder: file };
  expect(await discover('openai', unkept)).toMatchObject({ ok: true });
  await server.close();
});

test('trouble is a refusal that says what to do', async () => {
  vi.stubEnv('OPENAI_API_KEY', '');
  expect(await discover('openai')).toMatchObject({ ok: false, refusal: { next: 'Set OPENAI_API_KEY.' } });
  vi.unstubAllEnvs();
  const server = await faultServer(() => failWith(401, 'bad key sk-abcdefghijklmnop'));
  const refused = await discover('groq', { baseUrl: server.url, key: 'k' });
  expect(refused).toMatchObject({ ok: false, refusal: { code: 'not-allowed' } });
  expect(JSON.stringify(refused)).not.toContain('abcdefghijklmnop');
  await server.close();
  expect(await discover('ollama', { baseUrl: server.url })).toMatchObject({
    ok: false,
    refusal: { code: 'not-found' },
  });
  const page = await faultServer(() => rawBody('<html>', 'text/html'));
  expect(await discover('vllm', { baseUrl: page.url })).toMatchObject({ ok: false });
  await page.close();
});

test('a model that only its own server knows is shown pictures when that server says it sees', async () => {
  const show = { capabilities: ['completion', 'vision', 'tools'] };
  const server = await faultServer(({ url }) => (url === '/api/show' ? json(show) : fine('ollama')));
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const messages = [{ role: 'user', content: ['See', { type: 'image', data }] }] as const;
  const options = { model: 'ollama/nobody-knows-me', baseUrl: server.url, assets: memoryAssets() };
  for (let turn = 0; turn < 2; turn++) await all(answer({ messages: [...messages] }, options));
  const asked = server.heard.filter(({ url }) => url === '/api/show');
  const chats = server.heard.filter(({ url }) => url === '/api/chat');
  expect(asked).toHaveLength(1);
  expect(chats.map(({ body }) => body.includes('"images"'))).toEqual([true, true]);
  await server.close();
});

test('a list without an end is not read to its end', async () => {
  let sent = 0;
  const closed = Promise.withResolvers<void>();
  const server = await faultServer(() => (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.on('close', closed.resolve);
    const more = (): void => {
      while (!response.destroyed && sent < 200 * 1024 * 1024) {
        const row = `{"id":"${'x'.repeat(64 * 1024)}"},`;
        sent += row.length;
        if (!response.write(row)) return void response.once('drain', more);
      }
    };
    response.write('{"data":[');
    more();
  });
  const found = await discover('openai', { baseUrl: server.url, key: 'k', timeoutMs: 60_000 });
  expect(found).toMatchObject({ ok: false, refusal: { code: 'too-large', limit: '16777216 bytes' } });
  await closed.promise;
  expect(sent).toBeLessThan(64 * 1024 * 1024);
  await server.close();
});

test('what a server quotes of a key is not told', async () => {
  const server = await faultServer(({ headers }) => failWith(401, `Wrong: ${headers.authorization ?? ''}.`));
  const found = await discover('openai', { baseUrl: server.url, key: 'no-look-of-a-key' });
  expect(found).toMatchObject({ ok: false, refusal: { what: 'openai answered 401: Wrong: Bearer [key].' } });
  await server.close();
});
