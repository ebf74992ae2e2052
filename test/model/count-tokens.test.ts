// Exact counts by the provider's own endpoint, on a server that speaks its protocol.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { countTokens } from '../../src/model/count-tokens.ts';
import { prepare } from '../../src/model/prepare.ts';

type Heard = { path: string; body: Record<string, unknown>; headers: Record<string, unknown> };

async function counting(answer: unknown, status = 200): Promise<{ url: string; heard: Heard[]; close: () => void }> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      heard.push({
        path: request.url ?? '',
        body: JSON.parse(text) as Record<string, unknown>,
        headers: request.headers,
      });
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, close: () => server.close() };
}

const messages = [{ role: 'user' as const, content: 'How long is this?' }];

test.each([
  ['anthropic/claude-sonnet-4-5', '', { input_tokens: 12 }, '/v1/messages/count_tokens', 'max_tokens'],
  ['openai/gpt-5.2', '/v1', { input_tokens: 12 }, '/v1/responses/input_tokens', 'store'],
  ['gemini/gemini-2.5-pro', '/v1beta', { totalTokens: 12 }, '/v1beta/models/gemini-2.5-pro:countTokens', 'contents'],
])('%s counts', async (model, base, answer, path, absent) => {
  const server = await counting(answer);
  const request = await prepare({ messages }, { model, baseUrl: `${server.url}${base}` });
  expect(await countTokens(request, { key: 'secret' })).toEqual({ ok: true, value: 12 });
  expect(server.heard[0]?.path).toBe(path);
  expect(server.heard[0]?.body).not.toHaveProperty(absent);
  server.close();
});

test('it is counted where the environment says that the endpoint is', async () => {
  const server = await counting({ input_tokens: 12 });
  vi.stubEnv('ANTHROPIC_BASE_URL', server.url);
  const request = await prepare({ messages }, { model: 'anthropic/claude-sonnet-4-5' });
  expect(await countTokens(request, { key: 'secret' })).toEqual({ ok: true, value: 12 });
  expect(server.heard[0]?.path).toBe('/v1/messages/count_tokens');
  vi.unstubAllEnvs();
  server.close();
});

test('who cannot count says so', async () => {
  const request = await prepare({ messages }, { model: 'ollama/qwen3-vl' });
  expect(await countTokens(request)).toMatchObject({ ok: false, refusal: { code: 'unsupported' } });
  const server = await counting({ error: 'no' }, 404);
  const refused = await prepare({ messages }, { model: 'anthropic/claude-sonnet-4-5', baseUrl: server.url });
  expect(await countTokens(refused, { key: 'secret' })).toMatchObject({ ok: false });
  server.close();
  const gone = await countTokens(refused, { key: 'secret' });
  expect(gone).toMatchObject({ ok: false, refusal: { code: 'timed-out' } });
  expect(JSON.stringify(gone)).not.toContain('secret');
});
