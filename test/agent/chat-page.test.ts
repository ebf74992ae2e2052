// The example of a chat on a page: its server, as Hono answers, and its page in a real browser.
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { parseJsonEventStream, uiMessageChunkSchema } from 'ai';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { app } from '../../examples/chat/server.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer } from '../../src/model/script/index.ts';
import { findBrowser } from '../../src/toolbox/browser/launch.ts';

let model: ScriptedServer;
beforeAll(async () => {
  model = await scriptedServer(
    script(({ transcript: { messages } }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: 'Sales rose.' }
        : { calls: [{ name: 'read_file', input: { file_path: 'chart.png' } }] },
    ),
  );
  vi.stubEnv('ANTHROPIC_BASE_URL', model.url);
  vi.stubEnv('ANTHROPIC_API_KEY', 'key');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await model.close();
});

const post = async (path: string, body: object): Promise<Response> =>
  app.request(path, { method: 'POST', body: JSON.stringify(body) });

test('useChat gets an answer with the picture of a tool, and its bytes by URL; nobody gets others', async () => {
  const asked = {
    id: 'a',
    messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'What is chart.png?' }] }],
  };
  const { body } = await post('/api/chat', asked);
  const chunks: unknown[] = [];
  if (body)
    for await (const chunk of parseJsonEventStream({ stream: body, schema: uiMessageChunkSchema })) chunks.push(chunk);
  expect(chunks.at(-1)).toMatchObject({ success: true, value: { type: 'finish', finishReason: 'stop' } });
  const url = /\/media\/sha256:[0-9a-f]{64}/.exec(JSON.stringify(chunks))?.[0] ?? '';
  const picture = await app.request(url);
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect((await picture.bytes()).subarray(1, 4)).toEqual(new TextEncoder().encode('PNG'));
  expect((await app.request(url.replace(/\w$/, '_'))).status).toBe(404);
});

const browser = findBrowser();
test.runIf(browser)('the page shows the call, the picture and the words as they come, and goes on', async () => {
  // Others use this process after us, and its own Request and Response.
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0, overrideGlobalObjects: false });
  if (!server.listening) await once(server, 'listening');
  const patienceMs = 240_000; // only what hangs takes as long
  const launched = await chromium.launch({
    timeout: patienceMs,
    ...(browser !== undefined && { executablePath: browser }),
    args: ['--no-sandbox'],
  });
  try {
    const page = await launched.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    for (const question of ['What is chart.png?', 'And again?']) {
      await page.locator('input').fill(question);
      await page.locator('input').press('Enter');
      await expect.poll(() => page.locator('.assistant').last().textContent()).toBe('Sales rose.');
      await page
        .locator('.assistant')
        .last()
        .evaluate((line) => (line.textContent = 'read'));
    }
    expect(await page.locator('.tool').first().textContent()).toBe('→ read_file {"file_path":"chart.png"}');
    await expect
      .poll(() =>
        page
          .locator('img')
          .first()
          .evaluate((img) => (img as HTMLImageElement).naturalWidth),
      )
      .toBe(640);
    expect(await page.locator('.error').count()).toBe(0);
  } finally {
    await launched.close();
    server.close();
  }
});
