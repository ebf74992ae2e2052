// Rows on their way into PostgreSQL, with a real server: which sessions go together, what a lost answer does, what is stored.
import { Client, Pool } from 'pg';
import { crc32 } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openPostgres } from '../../../src/session/log/postgres-pool.ts';
import { postgresAppends } from '../../../src/session/log/postgres-append.ts';
import { postgresLog, postgresLogOver } from '../../../src/session/log/postgres.ts';
import type { EntryLog, Lease, NewRow } from '../../../src/session/log/port.ts';
import { proxyTo } from '../../postgres/proxy.ts';
import { startPostgres } from '../../postgres/server.ts';
import type { PostgresServer } from '../../postgres/server.ts';
import { onlySome } from '../../some.ts';

onlySome(8);

let server: PostgresServer;
let url = '';
beforeAll(async () => {
  server = await startPostgres();
  url = await server.newDatabase();
  const log = postgresLog({ url });
  await log.list();
});
afterAll(() => server?.close());

const open: EntryLog[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  // Those of a test that failed; what it left hanging is not waited for.
  const closing = open.splice(0).map((log) => log.close().catch(() => undefined));
  await Promise.race([Promise.all(closing), new Promise((resolve) => setTimeout(resolve, 1000))]);
});

/** A log with nothing in it, and nobody else at work. */
async function emptyLog(at = url): Promise<EntryLog> {
  const others = "application_name = 'sightline' AND datname = current_database()";
  await server.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`, url);
  await server.ask('TRUNCATE sightline.session, sightline.asset CASCADE', url);
  const log = postgresLog({ url: at });
  open.push(log);
  return log;
}

const holder = { host: 'here', process: 1 };
const note = (text: string, more: Partial<NewRow> = {}): NewRow => ({
  type: 'note',
  version: 1,
  time: 1,
  body: JSON.stringify({ text }),
  ...more,
});
const later = (lease: Lease, rows: number): Lease => ({ ...lease, next: lease.next + rows });

async function bodies(log: EntryLog, id: string): Promise<string[]> {
  return (await log.read(id)).map(({ body }) => (JSON.parse(body) as { text: string }).text);
}

/** Who waits for others waits by a clock that stands still. */
const stopClock = (): unknown => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

/** How many calls of the function each statement holds that was sent meanwhile. */
const sizes = async (work: () => Promise<unknown>): Promise<number[]> => {
  const asked = vi.spyOn(Client.prototype, 'query');
  await work();
  const statements = (asked.mock.calls as unknown as [{ text: string; name?: string }][]).map(([one]) => one);
  asked.mockRestore();
  expect(new Set(statements.map(({ name }) => name)).size).toBe(new Set(statements.map(({ text }) => text)).size);
  return statements.map(({ text }) => text.split('sightline.append(').length - 1);
};

test('an append is one round trip', async () => {
  const log = await emptyLog();
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  const asked = vi.spyOn(Client.prototype, 'query');
  await log.append(lease, [note('a'), note('b')]);
  expect(asked).toHaveBeenCalledTimes(1);
  await log.close();
});

describe('sessions that append at the same time', () => {
  const names = ['one', 'two', 'three', 'four', 'five'];
  const begun = async (log: EntryLog): Promise<Lease[]> => {
    for (const id of names) await log.create(id, 1);
    return await Promise.all(names.map((id) => log.take(id, holder)));
  };
  const all = (log: EntryLog): Promise<string[][]> => Promise.all(names.map((id) => bodies(log, id)));

  test('go together while another is under way, each with its own rows', async () => {
    const log = await emptyLog();
    const leases = await begun(log);
    const asked = vi.spyOn(Client.prototype, 'query');
    const texts = names.map((name) => [name, `${name} again`]);
    const appended = await Promise.all(
      leases.map((lease, at) => log.append(lease, texts[at]?.map((text) => note(text)) ?? [])),
    );
    expect(asked).toHaveBeenCalledTimes(2); // the first alone, the others with one statement
    expect(await all(log)).toEqual(texts);
    for (const [at, id] of names.entries())
      expect((await log.read(id)).map((row) => row.id)).toEqual(appended[at]?.ids);
    await log.close();
  });

  test('are sixteen in one statement, and the rest in the next', async () => {
    stopClock();
    const log = await emptyLog();
    const ids = Array.from({ length: 19 }, (_, at) => `s${at}`);
    for (const id of ids) await log.create(id, 1);
    const leases = await Promise.all(ids.map((id) => log.take(id, holder)));
    const append = (next: number) => (): Promise<unknown> =>
      Promise.all(leases.map((lease) => log.append(later(lease, next), [note(lease.session)])));
    expect(await sizes(append(0))).toEqual([1, 16, 2]);
    expect(await sizes(append(1))).toEqual([16, 3]); // whoever was answered just now asks again
    await new Promise((resolve) => setImmediate(resolve));
    expect(await sizes(append(2))).toEqual([1, 16, 2]);
    for (const id of ids) expect(await bodies(log, id)).toEqual([id, id, id]);
    await log.close();
  });

  test('go alone with long rows, and with rows that name media', async () => {
    stopClock();
    const log = await emptyLog();
    const leases = await begun(log);
    const long = note('x'.repeat(70_000));
    const half = note('x'.repeat(40_000));
    const refers = [{ id: `sha256:${'a'.repeat(64)}`, size: 1, by: 'message' }] as const;
    const rows = [[note('a')], [half, half], [note('b', { refers })], [half], [note('c', { refers: [] })]];
    expect(await sizes(() => Promise.all(leases.map((lease, at) => log.append(lease, rows[at] ?? []))))).toEqual([1, 1, 1, 2]); // prettier-ignore
    expect((await all(log)).flat()).toHaveLength(6);
    await log.append(later(leases[0] as Lease, 1), [long]);
    expect((await bodies(log, 'one')).map(({ length }) => length)).toEqual([1, 70_000]);
    await log.close();
  });

  test('are told each of its own trouble', async () => {
    const log = await emptyLog();
    const leases = await begun(log);
    await server.ask("UPDATE sightline.session SET epoch = 9, holder = 'there 7 x' WHERE id = 'two'", url);
    await server.ask("UPDATE sightline.session SET removed = true WHERE id = 'three'", url);
    const told = await Promise.allSettled(
      leases.map((lease, at) => log.append(later(lease, at === 3 ? 1 : 0), [note('a')])),
    );
    const words = told.map((one) => (one.status === 'rejected' ? (one.reason as Error).message : 'stored'));
    expect(words).toEqual([
      'stored',
      expect.stringContaining('another writer now: process 7 on there'),
      expect.stringContaining('There is no session three.'),
      expect.stringContaining('has 0 rows, and the next one was to be number 1'),
      'stored',
    ]);
    await log.close();
  });

  test('are stored where one of them cannot be', async () => {
    const log = await emptyLog();
    const leases = await begun(log);
    const rows = names.map((name, at) => ({ ...note(name), ...(at === 2 && { key: 'a\0b' }) }));
    const told = await Promise.allSettled(leases.map((lease, at) => log.append(lease, rows.slice(at, at + 1))));
    expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect((await all(log)).flat()).toEqual(['one', 'two', 'four', 'five']);
    await log.close();
  });

  test('are stored once when their answer is lost', async () => {
    const proxy = await proxyTo(server.port);
    onTestFinished(proxy.close);
    const log = await emptyLog(url.replace(`:${server.port}/`, `:${proxy.port}/`));
    const leases = await begun(log);
    const answered = proxy.swallow('sightline.append(4)');
    const appends = Promise.all(leases.map((lease) => log.append(lease, [note('a')])));
    await answered;
    proxy.mend();
    proxy.cut();
    const ids = (await appends).map((one) => one.ids);
    expect(await Promise.all(names.map(async (id) => (await log.read(id)).map((row) => row.id)))).toEqual(ids);
    await log.close();
  });

  test('wait for one that is held up no longer than a moment', async () => {
    stopClock();
    const log = await emptyLog();
    const [one, two, three] = await begun(log);
    const locking = new Client({ connectionString: url });
    await locking.connect();
    onTestFinished(() => locking.end());
    await locking.query("BEGIN; SELECT 1 FROM sightline.session WHERE id IN ('one', 'two') FOR UPDATE");
    const order: string[] = [];
    const connecting = vi.spyOn(Pool.prototype, 'connect');
    const append = async (lease: Lease | undefined): Promise<void> => {
      if (lease) await log.append(lease, [note('a')]);
      order.push(lease?.session ?? '');
    };
    const appends = [append(one)];
    await vi.advanceTimersByTimeAsync(0);
    for (const [at, other] of [two, three].entries()) {
      appends.push(append(other));
      await vi.advanceTimersByTimeAsync(49);
      expect(connecting).toHaveBeenCalledTimes(at + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(connecting).toHaveBeenCalledTimes(at + 2);
    }
    await appends[2];
    expect(order).toEqual(['three']);
    await locking.end(); // which lets them go
    await Promise.all(appends);
    await log.close();
  });

  test.each([
    ['alone', ['one', 'two']],
    ['among them', ['four', 'three', 'one', 'two']],
  ])('do not wait for one that is held up %s', async (_, ids) => {
    const log = await emptyLog();
    const leases = await begun(log);
    const locking = new Client({ connectionString: url });
    await locking.connect();
    onTestFinished(() => locking.end());
    await locking.query("BEGIN; SELECT 1 FROM sightline.session WHERE id = 'one' FOR UPDATE");
    const asked = vi.spyOn(Client.prototype, 'query');
    const order: string[] = [];
    const appends = ids.map(async (id) => {
      const lease = leases.find(({ session }) => session === id);
      if (lease) await log.append(lease, [note(id)]);
      order.push(id);
    });
    const held = ids.indexOf('one');
    await Promise.race([Promise.all(appends.toSpliced(held, 1)), appends[held]]);
    expect(order).not.toContain('one');
    await locking.end(); // which lets it go
    await Promise.all(appends);
    expect([order.length, order.at(-1)]).toEqual([ids.length, 'one']);
    const values = asked.mock.calls.map(([sent]) => (sent as unknown as { values: number[] }).values);
    expect(new Set(values.flatMap((own) => (own.length === 5 ? own.slice(0, 1) : []))).size).toBe(2); // the first, and one
    await log.close();
  });

  test('and who watches them never wait for each other', async () => {
    const own = await server.newDatabase();
    const [log, watcher] = [postgresLog({ url: own }), postgresLog({ url: own })];
    open.push(log, watcher);
    const [one, two, three] = await begun(log);
    const locking = new Client({ connectionString: own });
    await locking.connect();
    onTestFinished(() => locking.end());
    await locking.query("BEGIN; SELECT 1 FROM sightline.session WHERE id = 'three' FOR UPDATE");
    const busy = (sql: string): Promise<unknown> =>
      server.ask(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND ${sql}`, own);
    const held = "wait_event_type = 'Lock'";
    const appends = [one, three, two].map(async (lease) => lease && (await log.append(lease, [note('a')])));
    await expect.poll(() => busy(held)).toHaveLength(1); // three and two went together
    const watched = ['three', 'two'].map(async (id) => {
      for await (const _ of watcher.watch(id, new AbortController().signal)) break;
    });
    await expect.poll(() => busy(held)).toHaveLength(3);
    await locking.end(); // which lets it go
    await Promise.all([...appends, ...watched]);
    await Promise.all([log.close(), watcher.close()]);
    await expect.poll(() => busy("application_name = 'sightline'")).toEqual([]); // all of them have been counted
    const sql = 'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()';
    expect(await server.ask(sql, own)).toEqual([{ deadlocks: 0 }]);
  });
});

test('a connection that has forgotten how to append is told again', async () => {
  await (await emptyLog()).close();
  const database = openPostgres(url);
  const log = postgresLogOver(database);
  open.push(log);
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  await log.append(lease, [note('a')]);
  const prepared = 'SELECT count(*)::integer AS count FROM pg_prepared_statements WHERE statement LIKE $1';
  expect(await database.ask(prepared, ['%sightline.append(%'])).toEqual([{ count: 1 }]);
  await database.ask('DEALLOCATE ALL');
  await log.append(later(lease, 1), [note('b')]);
  expect(await bodies(log, 'one')).toEqual(['a', 'b']);
  await log.close();
});

test('an append whose answer is lost is stored once, and told', async () => {
  const proxy = await proxyTo(server.port);
  onTestFinished(proxy.close);
  const log = await emptyLog(url.replace(`:${server.port}/`, `:${proxy.port}/`));
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  const answered = proxy.swallow();
  const append = log.append(lease, [note('a'), note('b')]);
  await answered;
  proxy.mend();
  proxy.cut();
  const { ids } = await append;
  expect((await log.read('one')).map(({ id }) => id)).toEqual(ids);
  await log.close();
});

test('a row is stored with its key, its sum, its words where they can be read, and what it changes', async () => {
  const log = await emptyLog();
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  const usage = { inputTokens: 3, outputTokens: 2 };
  const change = { firstWords: 'fi\0rst', model: 'm/\0a', usage: { ...usage, cost: 0.5 } };
  await log.append(lease, [note('heron', { key: 'k', version: 3, time: 7, change }), note('é', { type: 'title', body: '{"title":"Oak"}', change: { usage } })]); // prettier-ignore
  const sql = `SELECT type, version::int, time::int, body, key, checksum::text, words::text FROM sightline.entry ORDER BY id`;
  expect(await server.ask(sql, url)).toEqual([
    { type: 'note', version: 3, time: 7, body: '{"text":"heron"}', key: 'k', checksum: String(crc32('{"text":"heron"}')), words: null },
    { type: 'title', version: 1, time: 1, body: '{"title":"Oak"}', key: null, checksum: String(crc32('{"title":"Oak"}')), words: "'oak'" },
  ]);
  expect((await log.find('one'))[0]).toMatchObject({ title: 'first', model: 'm/a', inputTokens: 6, outputTokens: 4, cost: 0.5, updated: 1 });
  await log.append(later(lease, 2), [note('x', { change: { title: 'O\0ak' } })]);
  expect((await log.find('one'))[0]).toMatchObject({ title: 'Oak', model: 'm/a', inputTokens: 6 });
  await log.close();
}); // prettier-ignore

const assetId = (letter: string): `sha256:${string}` => `sha256:${letter.repeat(64)}`;

test('media that a message names are referred to by their hashes, and told where nobody has them', async () => {
  const log = await emptyLog();
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  await log.claims.lease([{ id: assetId('a'), size: 5 }]);
  const refers = [
    { id: assetId('a'), size: 5, by: 'message' },
    { id: assetId('b'), size: 6, by: 'message' },
    { id: assetId('c'), size: 7, by: 'ledger' },
  ] as const;
  expect(await log.append(lease, [note('see', { refers })])).toEqual({
    ids: [expect.any(Number)],
    gone: [assetId('b')],
  });
  const sql = `SELECT left(encode(r.hash, 'hex'), 2) AS hash, r.kind, a.size::int
    FROM sightline.reference r LEFT JOIN sightline.asset a ON a.hash = r.hash ORDER BY r.hash`;
  expect(await server.ask(sql, url)).toEqual([
    { hash: 'aa', kind: 2, size: 5 },
    { hash: 'bb', kind: 2, size: 6 },
    { hash: 'cc', kind: 1, size: null },
  ]);
  await log.close();
});

test('who waits behind others that are not answered goes without them, too', async () => {
  const sent: unknown[][] = [];
  const ask = (_sql: string, values: readonly unknown[] = []): Promise<never> => {
    sent.push(values.filter((_, at) => at % 5 === 0));
    return new Promise(() => undefined);
  };
  const append = postgresAppends({ ask, askOnce: ask }, '15 seconds');
  for (let number = 1; number <= 40; number++)
    void append(number, { session: String(number), epoch: 1, next: 0 }, [note('a')]);
  await expect.poll(() => sent.map((numbers) => numbers.length)).toEqual([1, 16, 16, 7]);
  expect(sent.flat()).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
});
