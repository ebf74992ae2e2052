// Bodies on their way out: exact bytes from files, whatever the tries, and answers that come before the last byte.
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { fileAssets } from '../../src/asset/files.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { AssetStore } from '../../src/asset/store.ts';
import { collect } from '../../src/message/collect.ts';
import type { ModelEvent } from '../../src/message/event.ts';
import { prepare } from '../../src/model/prepare.ts';
import type { Prepared } from '../../src/model/prepared.ts';
import { send } from '../../src/model/send.ts';
import { answerWith, failWith, faultServer, reset } from './fault-server.ts';
import { hastyClock } from './hasty-clock.ts';

const sizes = [1, 2, 3, 196_607, 196_608, 196_609, 700_000, 5, 400_001];
let blobs: Uint8Array[] = [];

beforeAll(() => {
  blobs = sizes.map((size) => randomBytes(size));
});

/** A request whose pictures are given as they stand in the store; only their bytes matter here. */
async function heavy(assets: AssetStore, baseUrl: string): Promise<Prepared> {
  const blocks = await Promise.all(
    blobs.map(async (bytes) => {
      const asset = await assets.put(bytes, { mediaType: 'image/png' });
      return { type: 'image', asset, width: 10, height: 10 } as const;
    }),
  );
  return prepare(
    { messages: [{ role: 'user', content: ['See', ...blocks] }] },
    { model: 'anthropic/claude-sonnet-4-5', baseUrl, assets },
  );
}

const stores: [string, () => AssetStore][] = [
  ['files', () => fileAssets(mkdtempSync(join(tmpdir(), 'upload-')))],
  ['memory', () => memoryAssets()],
];

test.each(stores)('the bytes from %s are exact, on every try', async (_name, open) => {
  const server = await faultServer([failWith(500, 'x'), reset, answerWith('fine')]);
  const request = await heavy(open(), server.url);
  const expected = JSON.stringify({ ...(await request.json()), stream: true });
  const { stop } = await collect(send(request, { key: 'k', clock: hastyClock() }));
  await server.close();
  expect(stop).toBe('end');
  expect(server.heard.map(({ body }) => body === expected)).toEqual([true, true, true]);
  expect(server.heard[0]?.headers['content-length']).toBe(String(expected.length));
});

test('bytes that are gone end the request, in words and without another try', async () => {
  const server = await faultServer();
  const assets = memoryAssets();
  const request = await heavy(assets, server.url);
  const broken: AssetStore = { ...assets };
  assets.stream = async function* () {
    yield* broken.stream('sha256:nothing');
  };
  const events: ModelEvent[] = [];
  for await (const event of send(request, { key: 'k', clock: hastyClock() })) events.push(event);
  await server.close();
  expect(events).toMatchObject([{ type: 'message-error', code: 'network', retryable: false }]);
  expect(JSON.stringify(events)).toContain('gone');
});

async function hasty(answer: (response: ServerResponse) => void): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    request.on('error', () => undefined);
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

test('an answer that comes before the body was read is heard', async () => {
  const { url, close } = await hasty((response) => {
    response.writeHead(413, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } }));
  });
  const request = await heavy(memoryAssets(), url);
  const events: ModelEvent[] = [];
  for await (const event of send(request, { key: 'k', clock: hastyClock() })) events.push(event);
  close();
  expect(events).toMatchObject([{ code: 'too-large', status: 413 }]);
});
