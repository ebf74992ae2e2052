// The log in PostgreSQL, with a real server: what it promises beyond the contract.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { runAgent } from '../../src/agent/run.ts';
import { answerOnly, eventLine, forPeople } from '../../src/cli/ask/report.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { SightlineError } from '../../src/content/refusal.ts';
import { requestRows, sentView } from '../../src/inspect/look.ts';
import { openInspector } from '../../src/inspect/open.ts';
import { script } from '../../src/model/script/script.ts';
import { scriptedSend } from '../../src/model/script/send.ts';
import type { StoredRequest } from '../../src/record/table.ts';
import { assetsOf } from '../../src/session/entry.ts';
import type { MadeLog } from '../../src/session/contract.ts';
import { openSessions, sessionsOver } from '../../src/session/index.ts';
import { sqlite } from '../../src/session/log/database.ts';
import { openPostgres } from '../../src/session/log/postgres-pool.ts';
import { postgresLog } from '../../src/session/log/postgres.ts';
import type { EntryLog, Lease, NewRow } from '../../src/session/log/port.ts';
import { newFolder, run } from '../cli/run.ts';
import type { Ran } from '../cli/run.ts';
import { proxyTo } from '../postgres/proxy.ts';
import { aging, startPostgres } from '../postgres/server.ts';
import type { PostgresServer } from '../postgres/server.ts';
import { assistant, image, png, user } from './samples.ts';
import { onlySome } from '../some.ts';

onlySome(8);

let server: PostgresServer;
let url = '';
beforeAll(async () => {
  server = await startPostgres();
  url = await server.newDatabase();
  await emptied(url, true);
});
afterAll(() => server?.close());

/** A database with our tables and nothing in them. */
async function emptied(at: string, isNew = false): Promise<void> {
  const log = isNew ? postgresLog({ url: at }) : undefined;
  await log?.list();
  await log?.close();
  await server.ask(
    'TRUNCATE sightline.session, sightline.asset, sightline.once, sightline.request, sightline.content CASCADE',
    at,
  );
}

async function made(): Promise<MadeLog> {
  await emptied(url);
  const aged = (ms: number): Promise<unknown> => server.ask(aging(ms), url);
  return { log: postgresLog({ url }), tick: aged, reopen: () => postgresLog({ url }) };
}

const holder = { host: 'here', process: 1 };
const note = (text: string): NewRow => ({ type: 'note', version: 1, time: 1, body: JSON.stringify({ text }) });
const later = (lease: Lease, rows: number): Lease => ({ ...lease, next: lease.next + rows });

async function bodies(log: EntryLog, id: string): Promise<string[]> {
  return (await log.read(id)).map(({ body }) => (JSON.parse(body) as { text: string }).text);
}

test('the first thing that a process asks is asked again like every other', async () => {
  const proxy = await proxyTo(server.port);
  const log = postgresLog({ url: url.replace(`:${server.port}/`, `:${proxy.port}/`) });
  const answered = proxy.swallow('begin_session');
  const created = log.create('first', 1);
  await answered;
  proxy.mend();
  proxy.cut();
  await created;
  expect(await log.find('first')).toHaveLength(1);
  await log.close();
  proxy.close();
});

test('a server that is stopped hard and comes back is gone on with', async () => {
  const { log } = await made();
  await log.create('one', 1);
  let lease = await log.take('one', holder);
  await log.append(lease, [note('before')]);
  server.stop('immediate');
  const append = log.append(later(lease, 1), [note('meanwhile')]);
  server.start();
  await append;
  lease = await log.renew(lease);
  await log.append(lease, [note('after')]);
  expect(await bodies(log, 'one')).toEqual(['before', 'meanwhile', 'after']);
  await log.close();
});

/** From now on each try to connect takes ten seconds by the clock that patience goes by, and no other time passes. */
function slowTries(): MockInstance {
  const begin = performance.now();
  const tries = vi.spyOn(Pool.prototype, 'connect');
  vi.spyOn(performance, 'now').mockImplementation(() => begin + 10_000 * tries.mock.calls.length);
  return tries;
}

test('a server that was waited for in vain is not waited for again until it is back', async () => {
  const database = openPostgres(url);
  await database.ask('SELECT 1');
  server.stop('immediate');
  const tries = slowTries();
  try {
    await expect(database.ask('SELECT 1')).rejects.toThrow('Nobody answers');
    const before = tries.mock.calls.length;
    await expect(database.ask('SELECT 1')).rejects.toThrow('Nobody answers');
    expect(before).toBeGreaterThanOrEqual(3); // one more where the end of the connection at rest was not noticed before
    expect(tries.mock.calls.length - before).toBe(2);
  } finally {
    vi.restoreAllMocks();
    server.start();
  }
  expect(await database.ask('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await database.close();
});

/** What the forms of `ask` say of events: in a pipe, with --quiet, with --json. */
function saidOf(events: readonly AgentEvent[]): { out: string; beside: string }[] {
  return [forPeople(false), answerOnly(false), eventLine].map((report) => {
    const said = { out: '', beside: '' };
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((said.out += String(text))));
    const tell = vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((said.beside += String(text))));
    events.forEach(report);
    write.mockRestore();
    tell.mockRestore();
    return said;
  });
}

test.each([
  ['when the model is asked', 'request-ready'],
  ['at its end', 'message-end'],
])(
  'an answer that was paid for is told where the database goes for good %s, and that it is not kept',
  async (_, when) => {
    await emptied(url);
    const store = sessionsOver({ log: postgresLog({ url }), assets: memoryAssets() });
    const session = await store.create();
    const never = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object' },
      run: () => expect.fail(),
    });
    const send = scriptedSend(script([{ text: 'It is an oak.', calls: [{ name: 'pay' }] }]));
    const asked = runAgent({ model: 'openai/gpt-5.2', session, prompt: 'Which tree?', tools: [never], send });
    const events: AgentEvent[] = [];
    try {
      for await (const event of asked) {
        if (event.type === when) {
          server.stop('immediate');
          slowTries();
        }
        events.push(event);
      }
      const { text, stop, error, messages, usage } = await asked;
      expect({ text, stop }).toEqual({ text: 'It is an oak.', stop: 'error' });
      expect(usage.outputTokens).toBeGreaterThan(0);
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
      expect(error?.message).toMatch(/^The last answer is not kept in its session\. .*Check the address/);
      const [piped, quiet, json] = saidOf(events);
      expect([piped?.out, quiet?.out]).toEqual(['It is an oak.\n', 'It is an oak.\n']);
      for (const said of [piped, quiet]) expect(said?.beside).toContain('Failed: The last answer is not kept');
      const lines = json?.out.trim().split('\n').map((line) => JSON.parse(line) as AgentEvent) ?? []; // prettier-ignore
      const added = lines.findLast((line) => line.type === 'message-added');
      expect([added?.message.role, added?.entry, lines.at(-1)?.type]).toEqual(['assistant', undefined, 'run-end']);
      await store.close();
    } finally {
      vi.restoreAllMocks();
      server.start();
    }
  },
);

test('a writer that paused beyond its lease stores nothing more, and hears who writes now', async () => {
  const { log: slow } = await made();
  const quick = postgresLog({ url });
  await slow.create('one', 1);
  const lease = await slow.take('one', { host: 'there', process: 7 });
  await slow.append(lease, [note('mine')]);
  await expect(quick.take('one', { host: 'here', process: 8 })).rejects.toThrow('open in another process');
  await server.ask("UPDATE sightline.session SET held_until = now() - interval '1 ms'", url);
  const next = await quick.take('one', { host: 'here', process: 8 });
  await expect(slow.append(later(lease, 1), [note('stale')])).rejects.toThrow('another writer now: process 8 on here');
  await quick.append(next, [note('yours')]);
  expect(await bodies(quick, 'one')).toEqual(['mine', 'yours']);
  await Promise.all([slow.close(), quick.close()]);
});

test('the session of a process that died on this machine is taken at once', async () => {
  const { log: dead } = await made();
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  await dead.create('one', 1);
  const lease = await dead.take('one', { host: hostname(), process: pid });
  const alive = postgresLog({ url });
  const next = await alive.take('one', { host: hostname(), process: process.pid });
  expect(next.epoch).toBe(lease.epoch + 1);
  await Promise.all([dead.close(), alive.close()]);
});

test('the session of a machine that died is waited for by who says so', async () => {
  await emptied(url);
  await using store = openSessions({ url });
  const { id } = await store.create({ title: 'A walk' });
  const held = (until: string): Promise<unknown> =>
    server.ask(`UPDATE sightline.session SET holder = 'elsewhere 7 x', epoch = epoch + 1, held_until = ${until}`, url);
  await held("now() + interval '1 hour'");
  await using other = openSessions({ url });
  await expect(other.open(id)).rejects.toThrow('open in another process');
  await held("now() + interval '300 milliseconds'");
  await using session = await other.open(id, { waitMs: 60_000 });
  await session.append({ type: 'note', text: 'here now' });
});

test('appends of a session that somebody watches wake others; nobody else is told', async () => {
  const { log } = await made();
  const other = postgresLog({ url });
  await log.create('one', 1);
  await log.create('two', 1);
  const leases = [await log.take('one', holder), await log.take('two', holder)] as const;
  const stop = new AbortController();
  const watcher = other.watch('one', stop.signal)[Symbol.asyncIterator]();
  await watcher.next(); // it may have missed something
  const notices: string[] = [];
  const hearing = new Client({ connectionString: url });
  hearing.on('notification', ({ payload = '' }) => notices.push(payload));
  await hearing.connect();
  await hearing.query('LISTEN sightline');
  const woken = watcher.next();
  await log.append(leases[1], [note('unheard')]);
  await log.append(leases[0], [note('heard')]);
  await woken;
  await expect.poll(() => notices).toEqual(['one']);
  stop.abort();
  await hearing.end();
  await Promise.all([log.close(), other.close()]);
});

test('a page of the list is found by its index, however many sessions there are', async () => {
  await emptied(url);
  await server.ask(
    `INSERT INTO sightline.session (id, made, created, updated, messages)
      SELECT 's' || n, '', 0, 1000000000000 + (n * 7919 % 20000) * 20000, 1 FROM generate_series(1, 20000) n`,
    url,
  );
  await server.ask('ANALYZE sightline.session', url);
  const plans: string[] = [];
  const query = vi.spyOn(Client.prototype, 'query');
  const log = postgresLog({ url });
  const page = await log.list();
  await log.list({ before: page.next ?? { id: '', updated: 0 } });
  const asked = query.mock.calls as unknown as [{ text?: string; values: unknown[] }][];
  query.mockRestore();
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const [{ text, values }] of asked.filter(([one]) => one.text?.includes('ORDER BY minute'))) {
    const { rows } = await client.query<Record<string, string>>(`EXPLAIN ${text}`, values);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  await client.end();
  expect(plans).toHaveLength(2);
  for (const plan of plans) expect(plan).toMatch(/Index Scan( Backward)? using session_by_minute/);
  expect(page.sessions).toHaveLength(50);
  await log.close();
});

test('openSessions({ url }) keeps a conversation with its pictures, small rows and no base64', async () => {
  await emptied(url);
  await using store = openSessions({ url });
  const session = await store.create({ title: 'A walk' });
  const asset = await session.assets.put(png(1), { mediaType: 'image/png', name: 'oak.png' });
  await session.append({ type: 'message', message: user('Which tree?', image(asset)) });
  await session.append({ type: 'message', message: assistant('An oak.', 'openai/gpt-5.2') });
  await session.close();
  await using elsewhere = openSessions({ url });
  expect(await elsewhere.list()).toMatchObject([{ id: session.id, title: 'A walk', messages: 2, media: 1 }]);
  expect(await elsewhere.resolve('last')).toBe(session.id);
  await using again = await elsewhere.open(session.id);
  expect((await again.transcript()).messages).toHaveLength(2);
  expect(await again.assets.get(asset.id)).toEqual(Buffer.from(png(1)));
  expect(await again.losses()).toEqual([]);
  expect((await elsewhere.search('oak tree'))[0]?.session.id).toBe(session.id);
  const [row] = await server.ask('SELECT max(length(body)) AS longest FROM sightline.entry', url);
  expect(Number(row?.['longest'])).toBeLessThan(3000);
  expect(await elsewhere.gc()).toMatchObject({ removed: 0, left: 1 });
});

test('all of a long session is read without a file in between', async () => {
  const own = await server.newDatabase();
  const log = postgresLog({ url: own });
  await log.create('one', 1);
  const lease = await log.take('one', { host: hostname(), process: process.pid });
  const { ids } = await log.append(
    lease,
    Array.from({ length: 500 }, (_, at) => note(`${at} ${'long '.repeat(200)}`)),
  );
  await log.close();
  const narrow = postgresLog({ url: `${own}?options=-c%20work_mem%3D64kB` });
  expect((await narrow.read('one')).map(({ id }) => id)).toEqual(ids);
  expect((await narrow.read('one', { newest: 2 })).map(({ id }) => id)).toEqual(ids.slice(-2).toReversed());
  await narrow.close();
  const temporary = async (): Promise<unknown> =>
    (
      await server.ask(
        'SELECT temp_files, xact_commit > 5 AS told FROM pg_stat_database WHERE datname = current_database()',
        own,
      )
    )[0];
  await expect.poll(temporary).toEqual({ temp_files: '0', told: true });
});

/** Every row of every table but those that hold bytes and nothing else, as text. */
const rowsOf: Record<string, (at: string) => Promise<string[]>> = {
  PostgreSQL: async (at) => {
    const tables = await server.ask("SELECT tablename FROM pg_tables WHERE schemaname = 'sightline'", at);
    const names = tables.map((row) => String(row['tablename'])).filter((name) => name !== 'content');
    expect(names).toEqual(expect.arrayContaining(['entry', 'request', 'kept', 'description', 'upload']));
    const rows = await Promise.all(
      names.map((name) => server.ask(`SELECT t::text AS row FROM sightline.${name} t`, at)),
    );
    return rows.flat().map((row) => String(row['row']));
  },
  SQLite: async (home) => {
    using database = new (sqlite().DatabaseSync)(join(home, 'sessions.db'));
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return tables.flatMap(
      ({ name }) =>
      database.prepare(`SELECT * FROM "${String(name)}"`).all().map((row) => JSON.stringify(row, (_, value: unknown) => value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value)), // prettier-ignore
    );
  },
};

test.each(['PostgreSQL', 'SQLite'])(
  '%s: no table holds base64, and no row has more than 3 kB for each picture that it names',
  async (where) => {
    const at = where === 'SQLite' ? newFolder() : await server.newDatabase();
    await using store = openSessions(where === 'SQLite' ? { home: at } : { url: at });
    const session = await store.create();
    const pictures = Array.from({ length: 8 }, (_, seed) => Buffer.concat([png(seed), randomBytes(4000)]));
    let next = 0;
    const look = defineTool({
      name: 'look',
      description: 'A picture.',
      input: { type: 'object' },
      run: () => ({ type: 'image', data: pictures[next++] ?? Buffer.alloc(0) }) as const,
    });
    const turns = pictures.map((_, call) => ({ calls: [{ id: `c${call}`, name: 'look', input: {} }] }));
    const send = scriptedSend(script([...turns, { text: 'Eight.' }]));
    const ran = await runAgent({
      model: 'anthropic/claude-sonnet-4-5',
      session,
      tools: [look],
      prompt: 'Look.',
      send,
    }).result();
    expect([ran.stop, next]).toEqual(['end', 8]);
    const ids = (await session.messages()).flatMap((message) => assetsOf(message).map(({ id }) => id));
    expect(new Set(ids).size).toBe(8);
    await session.close();
    const rows = (await rowsOf[where]?.(at)) ?? [];
    const parts = pictures.flatMap((bytes) => [
      bytes.toString('base64').slice(60, 124),
      bytes.toString('hex').slice(100, 200),
    ]);
    expect(rows.filter((row) => parts.some((part) => row.includes(part)) || /[A-Za-z0-9+/]{100}/.test(row))).toEqual(
      [],
    );
    const named = (row: string): number => ids.filter((id) => row.includes(id.slice('sha256:'.length))).length;
    const naming = rows.filter((row) => named(row) > 0);
    expect(naming.length).toBeGreaterThan(3 * ids.length); // the message, what refers to it, the request
    const perPicture = naming.map((row) => row.replaceAll(/["\\]+/g, '"').length / named(row)); // a slow log tells two turns in one row
    expect(Math.max(...perPicture)).toBeLessThan(3000);
  },
);

const as = (at: string, who: string): string => at.replace('admin@', `${who}@`);

const told = async (at: string, use: Parameters<typeof openPostgres>[1] = {}): Promise<string> => {
  const database = openPostgres(at, use);
  const error: unknown = await database
    .ask('SELECT * FROM sightline.session LIMIT 1')
    .catch((thrown: unknown) => thrown);
  await database.close();
  expect(error).toBeInstanceOf(SightlineError);
  return (error as SightlineError).message;
};

describe('what is wrong is a sentence', () => {
  test('wrong password, strange role, no such database, nobody there, no PostgreSQL, no address', async () => {
    await server.ask("CREATE ROLE locked LOGIN PASSWORD 'right'");
    const wrong = await told(as(url, 'locked:wrong'));
    expect(wrong).toMatch(
      /^The password of "locked" for database "d\d+" on 127\.0\.0\.1:\d+ is wrong\. Set PGPASSWORD/,
    );
    expect(wrong).not.toContain('wrong@');
    expect(await told(as(url, 'stranger'))).toMatch(/does not let "stranger" in/);
    expect(await told(url.replace(/\/d\d+$/, '/nowhere'))).toMatch(/^There is no database "nowhere" on .*createdb/);
    const closed = await proxyTo(1);
    closed.close();
    expect(await told(`postgres://a@127.0.0.1:${closed.port}/x`)).toMatch(/^Nobody answers at database "x"/);
    const web = createServer((_request, response) => response.end('hello'));
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    expect(await told(`postgres://a@127.0.0.1:${(web.address() as { port: number }).port}/x`)).toMatch(
      /^Database "x" on .* cannot be reached .* Check the address, and that PostgreSQL runs there\./,
    );
    web.close();
    expect(() => openPostgres('mysql://x')).toThrow('postgres://name@host:5432/database');
  });

  test('missing rights', async () => {
    await server.ask('CREATE ROLE guest LOGIN');
    const empty = await server.newDatabase();
    expect(await told(as(empty, 'guest'))).toMatch(
      /^"guest" has not the rights it needs in .*GRANT CREATE ON DATABASE/,
    );
    expect(await told(as(url, 'guest'))).toMatch(/GRANT ALL ON ALL TABLES/);
  });
});

test('the program uses the database that the settings of the home name', async () => {
  await emptied(url);
  const home = newFolder();
  writeFileSync(join(home, 'config.toml'), `[store]\nsessions = "${url}"\n`);
  const sightline = (...words: string[]): Promise<Ran> => run(words, { cwd: home, env: { SIGHTLINE_HOME: home } });
  await using store = openSessions({ url });
  const session = await store.create({ title: 'A walk' });
  await session.append({ type: 'message', message: user('Which tree is this?') });
  const [listed, shown, migrated, asJson] = await Promise.all([
    sightline('sessions', 'list', '--json'),
    sightline('sessions', 'show', 'last'),
    sightline('sessions', 'migrate'),
    sightline('sessions', 'migrate', '--json'),
  ]);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id: session.id, title: 'A walk' }]);
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('Which tree is this?')]);
  expect(migrated).toMatchObject({ code: 0, stdout: 'The tables are those of this version.\n' });
  expect(JSON.parse(asJson.stdout)).toEqual({ migrated: true });
  expect(readdirSync(home)).toEqual(['config.toml']);
});

test('a writer that died on another machine is told by its lease, long before a request would be over', async () => {
  await emptied(url);
  const log = postgresLog({ url });
  await using looking = openSessions({ url, readOnly: true });
  const there = { host: 'worker-7', process: 7 };
  try {
    await log.create('walk', Date.now());
    await log.take('walk', there);
    const about = { version: 1, id: 'r1', time: Date.now(), via: 'agent', model: 'openai/gpt-5.2', url: '', bytes: 2 };
    const kept = {
      conversation: 'walk',
      lane: 'l',
      purpose: 'answer',
      repairs: [],
      record: 'all',
      digest: '',
      by: there,
    };
    const parts = { wire: 'openai-responses', depth: 0, body: {}, receipts: [], assets: [] } as const;
    await log.requests?.begin({ ...about, ...kept, ...parts } as StoredRequest);
    const [alive] = await requestRows(looking, 'walk');
    expect([alive?.ended, alive?.unsure]).toEqual([undefined, undefined]);
    await server.ask(`UPDATE sightline.session SET held_until = now() - interval '1 second'`, url);
    const [over] = await requestRows(looking, 'walk');
    const words = 'The process that sent it, on worker-7, holds the session no longer: how it ended was not recorded.';
    expect(over?.ended).toMatchObject({ state: 'broken', error: { message: words } });
    await log.take('walk', { host: 'worker-8', process: 8 });
    expect((await requestRows(looking, 'walk'))[0]?.ended?.error?.message).toBe(words);
    expect((await sentView(looking, 'r1', false)).row.ended?.error?.message).toBe(words);
  } finally {
    await log.close();
  }
});

test('an inspector beside a database shows what other processes ask, live', async () => {
  await emptied(url);
  const looking = openSessions({ url, readOnly: true });
  const opened = await openInspector({ store: () => looking });
  const stop = new AbortController();
  try {
    const [base = '', token = ''] = opened.url.split('/#token=');
    const entered = await fetch(`${base}/api/enter`, { method: 'POST', body: JSON.stringify({ token }) });
    const headers = { cookie: entered.headers.get('set-cookie')?.split(';')[0] ?? '' };
    const live = await fetch(`${base}/api/live`, { headers, signal: stop.signal });
    const events = live.body?.pipeThrough(new TextDecoderStream()).getReader();
    await events?.read(); // how long to wait before asking again
    await using store = openSessions({ url });
    const session = await store.create({ title: 'A walk' });
    const send = scriptedSend(script([{ text: 'An oak.' }]));
    await runAgent({ model: 'openai/gpt-5.2', session, prompt: 'Which tree?', send });
    expect((await events?.read())?.value).toContain('event: changed');
    const models = async (): Promise<string[]> => {
      const found = await (await fetch(`${base}/api/conversations/${session.id}`, { headers })).json();
      return (found as { requests?: { model: string }[] }).requests?.map(({ model }) => model) ?? [];
    };
    await expect.poll(models).toEqual(['openai/gpt-5.2']);
  } finally {
    stop.abort();
    await opened.close(0);
    await looking.close();
  }
});
