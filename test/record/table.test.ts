// Where records are kept: the same in every log. What is taken away is gone, and what stood on it stands alone.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { keptBody } from '../../src/record/body.ts';
import { listDelta } from '../../src/record/delta.ts';
import { foreignBody } from '../../src/record/foreign.ts';
import { keeper } from '../../src/record/keeper.ts';
import type { Ended, RequestRecord } from '../../src/record/record.ts';
import { replayChain, retain, sentStream } from '../../src/record/table.ts';
import type { RequestTable } from '../../src/record/table.ts';
import { memorySessions, openJsonLines, openSessions } from '../../src/session/store.ts';
import type { SessionStore } from '../../src/session/store.ts';
import { dataUri } from '../../src/wire/json-slots.ts';
import { cpuMs } from '../cpu.ts';

const homes: string[] = [];

afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'sightline-table-'));
  homes.push(home);
  return home;
}

const answered: Ended = { state: 'answered', attempts: [{ ms: 1, status: 200 }] };

function recordOf(id: string, time: number, more: Partial<RequestRecord> = {}): RequestRecord {
  const frame = { version: 1, purpose: 'answer', via: 'send', wire: 'openai-chat', bytes: 0, repairs: [] } as const;
  const about = { id, time, model: 'openai-chat/gpt-4.1', url: 'https://api.openai.com/v1/chat/completions' };
  return { ...frame, ...about, conversation: 'talk', receipts: [], ...more };
}

const said = (count: number): object => ({
  model: 'gpt-4.1',
  messages: Array.from({ length: count }, (_, at) => ({ role: 'user', content: `word ${at}` })),
});

/** So many requests of one conversation, each a message longer. */
async function talk(table: RequestTable, count: number, time: (at: number) => number = (at) => at): Promise<string[]> {
  const kept = keeper(table, { record: 'all' });
  const ids = Array.from({ length: count }, (_, at) => `request ${at}`);
  for (const [at, id] of ids.entries()) {
    await kept.begin(recordOf(id, time(at)), () => keptBody(said(at + 1)));
    await kept.end(id, answered);
  }
  return ids;
}

async function bodies(table: RequestTable, ids: readonly string[]): Promise<unknown[]> {
  return Promise.all(
    ids.map(async (id) => {
      const whole = replayChain(await table.chain(id));
      return typeof whole === 'string' ? whole : (whole.body.lists['messages'] ?? []).length;
    }),
  );
}

function tableOf({ requests }: SessionStore): RequestTable {
  if (!requests) throw new Error('there is no table');
  return requests;
}

const stores: [string, (home: string) => SessionStore][] = [
  ['SQLite', (home) => openSessions({ home })],
  ['lines', (home) => openJsonLines({ home })],
  ['memory', () => memorySessions()],
];

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

describe.each(stores)('records in %s', (kind, open) => {
  test('are deltas to the last answered one of their lane, and come back whole', async () => {
    await using store = open(newHome());
    const table = tableOf(store);
    const ids = await talk(table, 5);
    expect(await bodies(table, ids)).toEqual([1, 2, 3, 4, 5]);
    const rows = await table.list('talk');
    expect(rows.map(({ before }) => before)).toEqual([undefined, ...ids.slice(0, -1)]);
    const last = (await table.chain('request 4')).at(-1);
    expect(last?.body.lists?.['messages']).toEqual([[0, 4], { is: { role: 'user', content: 'word 4' } }]);
    expect(await table.conversations()).toEqual([{ conversation: 'talk', requests: 5, began: 0, updated: 4 }]);
  });

  test('what was refused is nothing that the next one stands on', async () => {
    await using store = open(newHome());
    const table = tableOf(store);
    const kept = keeper(table, { record: 'all' });
    for (const [id, state] of [
      ['a', 'answered'],
      ['b', 'refused'],
      ['c', 'answered'],
    ] as const) {
      await kept.begin(recordOf(id, 1), () => keptBody(said(2)));
      await kept.end(id, { ...answered, state });
    }
    await kept.begin(recordOf('d', 1, { purpose: 'probe' }), () => keptBody(said(1)));
    await kept.begin(recordOf('e', 1, { model: 'openai-chat/other' }), () => keptBody(said(1)));
    expect((await table.list('talk')).map(({ before }) => before)).toEqual([undefined, 'a', 'a', 'c', undefined]);
    expect((await table.list('talk')).map(({ ended }) => ended?.state)).toEqual([
      'answered', 'refused', 'answered', undefined, undefined,
    ]); // prettier-ignore
  });

  test('retention takes the oldest, and the oldest that is left stands alone', async () => {
    await using store = open(newHome());
    const table = tableOf(store);
    const ids = await talk(table, 8);
    expect(await retain(table, { until: 3, maxBytes: Infinity })).toBe(3);
    expect(await bodies(table, ids)).toEqual(['gone', 'gone', 'gone', 4, 5, 6, 7, 8]);
    const [left, ...rest] = await table.sizes();
    expect(left?.before).toBeUndefined();
    const room = rest.reduce((sum, { bytes }) => sum + bytes, 0) - 1;
    expect(await retain(table, { until: 0, maxBytes: room })).toBe(2);
    expect(await bodies(table, ids.slice(-3))).toEqual([6, 7, 8]);
    expect(await retain(table, { until: 0, maxBytes: Infinity })).toBe(0);
  });

  test('a request that stands on one that is gone says so', async () => {
    await using store = open(newHome());
    const table = tableOf(store);
    const ids = await talk(table, 4);
    await table.rewrite([], ['request 1']);
    expect(await bodies(table, ids)).toEqual([1, 'gone', 'hole', 'hole']);
  });

  test('another process, and the clock going back, change nothing about the order', async () => {
    const home = newHome();
    if (kind === 'memory') return;
    {
      await using store = open(home);
      await talk(tableOf(store), 3, (at) => 100 - at);
    }
    await using store = open(home);
    const table = tableOf(store);
    const kept = keeper(table, { record: 'all' });
    await kept.begin(recordOf('next', 1), () => keptBody(said(4)));
    expect((await table.list('talk')).map(({ id }) => id)).toEqual(['request 0', 'request 1', 'request 2', 'next']);
    expect((await table.chain('next')).map(({ id }) => id)).toEqual(['request 0', 'request 1', 'request 2', 'next']);
    expect(await bodies(table, ['next'])).toEqual([4]);
  });

  test('go with their session, letter by letter, and keep what they name until then', async () => {
    const home = newHome();
    await using store = open(home);
    const canary = 'canary-7f3a9c';
    const session = await store.create({ title: 'x' });
    const asset = await store.assets.put(new TextEncoder().encode('picture'), { mediaType: 'image/png' });
    const skeleton = { messages: [{ role: 'user', content: canary, image: dataUri(asset) }] };
    await session.recorder?.begin(recordOf('one', Date.now()), () => keptBody(skeleton));
    await session.recorder?.end('one', answered);
    await session.close();
    const named = (await tableOf(store).chain('one'))[0]?.assets;
    expect(named).toEqual([asset.id]);
    expect((await tableOf(store).list(session.id)).map(({ id }) => id)).toEqual(['one']);
    await store.remove(session.id);
    expect(await tableOf(store).conversations()).toEqual([]);
    await store.close();
    for (const file of kind === 'memory' ? [] : filesIn(home))
      expect(readFileSync(file).includes(canary), file).toBe(false);
  });
});

const nested = (levels: number): string => `${'['.repeat(levels)}"end"${']'.repeat(levels)}`;
const asked = (content: string): string => `{"model":"gpt-4.1","messages":[{"role":"user","content":${content}}]}`;

describe('a body that is nested deeper than anything can walk is kept as its text, and its bytes come back', () => {
  const rows: [string, string][] = [
    ['in a message', asked(nested(100_000))],
    ['in a message, spelled by another program', asked(nested(100_000)).replaceAll('":', '": ')],
    ['beside the messages', `{"model":"gpt-4.1","messages":[],"metadata":{"deep":${nested(100_000)}}}`],
    ['so that some can still walk it', asked(nested(1500))],
  ];
  test.each(rows)('%s', async (_, text) => {
    await using store = openSessions({ home: newHome() });
    for (const id of ['deep', 'again']) {
      await store.recorder?.begin(recordOf(id, Date.now()), () => foreignBody(text));
      await store.recorder?.end(id, answered);
    }
    expect((await store.requests?.list('talk'))?.map(({ id, ended }) => [id, ended?.state])).toEqual([
      ['deep', 'answered'],
      ['again', 'answered'],
    ]);
    for (const id of ['deep', 'again']) expect(await sentAgain(store, id)).toBe(text);
  });

  test('in what we wrote ourselves, with its picture', async () => {
    await using store = openSessions({ home: newHome() });
    const asset = await store.assets.put(new TextEncoder().encode('picture'), { mediaType: 'image/png' });
    const body = { messages: [{ image: dataUri(asset), input: JSON.parse(nested(1500)) as unknown }] };
    await store.recorder?.begin(recordOf('deep', Date.now()), () => keptBody(body));
    expect(await sentAgain(store, 'deep')).toBe(
      `{"messages":[{"image":"data:image/png;base64,cGljdHVyZQ==","input":${nested(1500)}}]}`,
    );
    expect((await store.requests?.chain('deep'))?.[0]?.assets).toEqual([asset.id]);
  });
});

async function sentAgain(store: SessionStore, id: string): Promise<string> {
  const whole = replayChain(await tableOf(store).chain(id));
  if (typeof whole === 'string') return whole;
  return new Response(sentStream(whole.body, (asset) => store.assets.stream(asset))).text();
}

test('records of one lane begin anew every 256 requests', async () => {
  await using store = memorySessions();
  const table = tableOf(store);
  await talk(table, 300);
  expect((await table.chain('request 255')).length).toBe(256);
  expect((await table.chain('request 256')).length).toBe(1);
  expect(await bodies(table, ['request 255', 'request 256', 'request 299'])).toEqual([256, 257, 300]);
});

test('an asset that only a request names is kept until there is no room for it', async () => {
  let time = 0;
  await using store = openSessions({ home: newHome(), now: () => time, quotaBytes: 10 });
  const asset = await store.assets.put(new TextEncoder().encode('picture'), { mediaType: 'image/png' });
  await store.recorder?.begin(recordOf('one', 0), () => keptBody({ messages: [{ image: dataUri(asset) }] }));
  time = 24 * 60 * 60 * 1000;
  await store.gc();
  expect(await store.assets.get(asset.id)).toBeDefined();
  await store.assets.put(new TextEncoder().encode('another'), { mediaType: 'image/png' });
  expect(await store.assets.get(asset.id)).toBeUndefined();
});

test('shape keeps no word of anybody, and still tells what differs', async () => {
  await using store = openSessions({ home: newHome(), requests: { record: 'shape' } });
  const asset = await memoryAssets().put(new Uint8Array([1]), { mediaType: 'image/png', name: 'secret.png' });
  const receipt = { action: 'inside', subject: 'secret.png', why: 'it is secret', asset: asset.id } as const;
  const body = { model: 'gpt-4.1', messages: [{ role: 'user', content: 'secret', image: dataUri(asset) }] };
  const record = recordOf('one', Date.now(), { receipts: [receipt], repairs: ['secret'] });
  await store.recorder?.begin(record, () => keptBody(body));
  const error = { type: 'message-error', code: 'invalid', message: 'secret', retryable: false } as const;
  await store.recorder?.end('one', { state: 'refused', attempts: [{ ms: 1, error: 'secret' }], error });
  const chain = await tableOf(store).chain('one');
  expect(JSON.stringify(chain)).not.toContain('secret');
  expect(JSON.stringify(chain)).toContain('"role":"user"');
  expect(replayChain(chain)).toMatchObject({ receipts: [{ action: 'inside', asset: asset.id }] });
});

test('keys of this program are masked wherever they stand', async () => {
  const key = 'sk-planted-0123456789';
  await using store = memorySessions({ requests: { secrets: () => [key] } });
  const record = recordOf('one', Date.now(), { url: `https://x.test/?a=${key}`, repairs: [key] });
  await store.recorder?.begin(record, () => keptBody({ messages: [{ role: 'user', content: `it is ${key}` }] }));
  const error = { type: 'message-error', code: 'auth', message: key, retryable: false } as const;
  await store.recorder?.end('one', { state: 'refused', attempts: [{ ms: 1, error: key }], error });
  const chain = await tableOf(store).chain('one');
  expect(JSON.stringify(chain)).not.toContain(key);
  expect(chain[0]?.masked).toBe(1);
  expect(typeof replayChain(chain)).toBe('object');
});

test.each([
  ['a program that puts a space behind each colon', `{"system": "it is KEY", "messages": [{"role": "user"}]}`],
  ['a body that is no JSON', 'it is KEY'],
])('keys are masked in the text of others, too: %s', async (_, text) => {
  const key = 'sk-planted-0123456789';
  await using store = memorySessions({ requests: { secrets: () => [key] } });
  await store.recorder?.begin(recordOf('one', Date.now()), () => foreignBody(text.replace('KEY', key)));
  const chain = await tableOf(store).chain('one');
  expect(JSON.stringify(chain)).not.toContain(key);
  expect(chain[0]?.masked).toBeGreaterThan(0);
  expect(typeof replayChain(chain)).toBe('object');
});

async function compared(count: number): Promise<number> {
  const before = Array.from({ length: count }, () => '{"action":"left-out"}');
  return await cpuMs(() => {
    expect(listDelta(before, [...before, '{"action":"inside"}'])).toEqual([[0, count], { action: 'inside' }]);
  });
}

test('a list of many that are alike is compared with the one before it in one go', async () => {
  await compared(2000); // compiled
  const few = await compared(2000);
  expect(await compared(64_000)).toBeLessThan(200 + 100 * few); // 32 times as many; each beside each would be 1024
});
