// Several gateways over one PostgreSQL: any of them answers any turn, none of them spends what another has spent, and without the
// database requests go on while budgets refuse.
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openGateway } from '../../src/gateway/index.ts';
import type { Gateway, GatewayOptions } from '../../src/gateway/index.ts';
import { openKept } from '../../src/gateway/kept.ts';
import { openShared } from '../../src/gateway/shared.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer } from '../../src/model/script/index.ts';
import { openSessions } from '../../src/session/store.ts';
import { startPostgres } from '../postgres/server.ts';
import type { PostgresServer } from '../postgres/server.ts';

let server: PostgresServer;
let upstream: ScriptedServer;
let database = '';
const running: Gateway[] = [];

beforeAll(async () => {
  server = await startPostgres();
  // A gateway does without a database that takes two seconds to answer; how busy this machine is shall not matter.
  const sooner = setTimeout;
  const later = (work: () => void, ms?: number): unknown => sooner(work, ms === 2000 ? 60_000 : ms);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(later as typeof setTimeout);
  database = `${await server.newDatabase()}?statement_timeout=60000`;
  const usage = { inputTokens: 1000, outputTokens: 1000 };
  upstream = await scriptedServer(
    script(({ transcript, index }) =>
      transcript.messages.at(-1)?.role === 'tool'
        ? { text: `Done ${index}.`, usage }
        : { thinking: `I should look (${index}).`, text: 'I look.', calls: [{ name: 'look', input: {} }], usage },
    ),
  );
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((gateway) => gateway.close(0)));
});
afterAll(async () => {
  vi.restoreAllMocks();
  await upstream.close();
  server.close();
});

const hash = (key: string): string => `sha256:${createHash('sha256').update(key).digest('hex')}`;
const key = { per: 'month', upstream: 'gateway' } as const;

async function gateways(count: number, more: GatewayOptions = {}): Promise<Gateway[]> {
  const models = { claude: { model: 'anthropic/claude-sonnet-5', baseUrl: upstream.url, key: 'ours' } } as const;
  for (let at = 0; at < count; at++) running.push(await openGateway({ port: 0, models, database, ...more }));
  return [...running];
}

type ChatMessage = { role: string; content: string | null; tool_calls?: { id: string }[]; tool_call_id?: string };

const tools = [{ type: 'function', function: { name: 'look', description: '', parameters: { type: 'object' } } }];

async function ask(at: Gateway | undefined, messages: ChatMessage[], credential = ''): Promise<Response> {
  const headers = { authorization: `Bearer ${credential}` };
  const body = JSON.stringify({ model: 'claude', messages, tools, max_tokens: 1000 });
  return await fetch(`${at?.url}/v1/chat/completions`, { method: 'POST', headers, body });
}

async function turn(at: Gateway | undefined, messages: ChatMessage[]): Promise<ChatMessage[]> {
  const body = (await (await ask(at, messages)).json()) as { choices: { message: ChatMessage }[] };
  const said = body.choices[0]?.message;
  const results = said?.tool_calls?.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'Nothing.' })) ?? [];
  return [
    ...messages,
    { role: 'assistant', content: said?.content ?? '', tool_calls: said?.tool_calls ?? [] },
    ...results,
  ];
}

const hello: ChatMessage[] = [{ role: 'user', content: 'Hi.' }];
const signatures = (): number =>
  (JSON.stringify(upstream.requests.at(-1)?.body).match(/"signature":"[^"]+"/g) ?? []).length;

/** Asks one after the other. */
async function client(at: Gateway): Promise<number[]> {
  const statuses = [];
  for (let tries = 0; tries < 4; tries++) {
    const response = await ask(at, hello, 'k');
    await response.text();
    statuses.push(response.status);
  }
  return statuses;
}

test('any instance answers any turn: each model gets back what it gave to another, and its beginning does not move', async () => {
  const all = await gateways(3);
  let messages: ChatMessage[] = [{ role: 'user', content: 'Look at the first page.' }];
  let before: unknown[] = [];
  for (let at = 0; at < 6; at++) {
    messages = await turn(all[at % 3], messages);
    const { messages: list } = (upstream.requests.at(-1)?.body ?? {}) as { messages?: unknown[] };
    const sent = JSON.stringify(list ?? []);
    const items = JSON.parse(sent.replaceAll(/,"cache_control":{[^}]*}/g, '')) as unknown[];
    expect(items.slice(0, before.length)).toEqual(before);
    expect(signatures()).toBe(Math.ceil(at / 2));
    before = items;
    if (messages.at(-1)?.role === 'assistant') messages.push({ role: 'user', content: 'And the next.' });
  }
});

test('four instances with eight clients each never spend more than a key may', async () => {
  const budget = 0.5;
  const costs: number[] = [];
  const log = (line: string): void => void costs.push((JSON.parse(line) as { cost?: number }).cost ?? 0);
  const all = await gateways(4, { log, keys: { alice: { ...key, hash: hash('k'), budget } } });
  const asks = all.flatMap((gateway) => Array.from({ length: 8 }, () => client(gateway)));
  const statuses = (await Promise.all(asks)).flat();
  const answered = statuses.filter((status) => status === 200).length;
  await expect.poll(() => costs.length).toBe(statuses.length);
  const [purse] = await server.ask(
    'SELECT spent::float8 AS spent, reserved::float8 AS aside FROM sightline.purse',
    database,
  );
  const spent = Math.round(costs.reduce((sum, cost) => sum + cost * 1e6, 0));
  expect(purse).toEqual({ spent, aside: 0 });
  expect(spent).toBeLessThanOrEqual(budget * 1e6);
  expect(answered).toBeGreaterThan(1);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]); // a slow database refuses, too
});

test('what a key asks in a minute is counted over all instances', async () => {
  const bob = { ...key, hash: hash('b'), requestsPerMinute: 4 };
  const carol = { ...key, hash: hash('c'), requestsPerMinute: 0.5 };
  const all = await gateways(3, { keys: { bob, carol } });
  const statuses = [];
  for (let at = 0; at < 6; at++) statuses.push((await ask(all[at % 3], hello, 'b')).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  const few = [await ask(all[0], hello, 'c'), await ask(all[1], hello, 'c')].map(({ status }) => status);
  expect(few, 'less than one is one, as without a database').toEqual([200, 429]);
});

test.each(['PostgreSQL', 'the database of a home'])('in %s nothing is put over what is kept', async (where) => {
  const file = join(mkdtempSync(join(tmpdir(), 'gateway-')), 'sessions.db');
  const kept = where === 'PostgreSQL' ? openShared(database, Date.now).kept : openKept(file);
  expect(await kept.putNew('said', 'a place', 'first', 'request 1')).toBeUndefined();
  expect(await kept.putNew('said', 'a place', 'second', 'request 2')).toBe('first');
  expect(await kept.first('said', ['a place'])).toBe('first');
  await kept.close();
});

test('records of all instances lie in one place, and what is kept goes with them', async () => {
  await using sessions = openSessions({ url: database });
  const { recorder, requests } = sessions;
  const [one] = await gateways(1, recorder ? { recorder } : {});
  await turn(one, [{ role: 'user', content: 'Remember this for a while.' }]);
  const found = async (): Promise<string[]> => ((await requests?.conversations()) ?? []).map((row) => row.conversation);
  await expect.poll(found).toHaveLength(1);
  const kept = (): Promise<unknown[]> =>
    server.ask('SELECT 1 FROM sightline.kept WHERE request IN (SELECT id FROM sightline.request)', database);
  expect((await kept()).length).toBeGreaterThan(0);
  const [before] = await server.ask('SELECT count(*)::int AS count FROM sightline.kept', database);
  const rows = (await kept()).length;
  for (const conversation of await found()) await requests?.forget(conversation);
  const [after] = await server.ask('SELECT count(*)::int AS count FROM sightline.kept', database);
  expect(Number(before?.['count']) - Number(after?.['count'])).toBe(rows);
});

test('while the database is away requests go on, keys with a budget are refused, and readiness says so', async () => {
  const warnings: string[] = [];
  const log = (line: string): void => {
    if (line.includes('warning')) warnings.push(line);
  };
  const keys = { free: { ...key, hash: hash('f') }, carol: { ...key, hash: hash('c'), budget: 5 } };
  const [gateway] = await gateways(1, { keys, log });
  const ready = async (): Promise<number> => (await fetch(`${gateway?.url}/readyz`)).status;
  const statuses = async (): Promise<number[]> =>
    await Promise.all(['f', 'c'].map(async (credential) => (await ask(gateway, hello, credential)).status));
  expect([await ready(), ...(await statuses())]).toEqual([200, 200, 200]);
  server.stop('immediate');
  try {
    expect(await statuses()).toEqual([200, 503]);
    const refused = await ask(gateway, hello, 'c');
    expect([refused.headers.get('retry-after'), await refused.text()]).toEqual([
      '2',
      expect.stringContaining('Nobody can say what the key carol has spent, so nothing is sent for it.'),
    ]);
    expect(await ready()).toBe(503);
    expect((await fetch(`${gateway?.url}/healthz`)).status).toBe(200);
    expect(warnings).toHaveLength(1);
  } finally {
    server.start();
  }
  await expect.poll(ready).toBe(200);
  expect(await statuses()).toEqual([200, 200]);
});
