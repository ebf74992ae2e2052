// The way to PostgreSQL, with a real server: what is asked again, what is given back, whose tables are used.
import { connect, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openPostgres } from '../../../src/session/log/postgres-pool.ts';
import type { Postgres } from '../../../src/session/log/postgres-pool.ts';
import { postgresSteps, stepTable } from '../../../src/session/log/postgres-schema.ts';
import { proxyTo } from '../../postgres/proxy.ts';
import { startPostgres } from '../../postgres/server.ts';
import type { PostgresServer } from '../../postgres/server.ts';

let server: PostgresServer;
let url = '';
beforeAll(async () => {
  server = await startPostgres();
  url = await server.newDatabase();
  await server.ask(`CREATE SCHEMA sightline; ${stepTable}; ${postgresSteps.join(';')}`, url);
  await server.ask(`INSERT INTO sightline.step SELECT generate_series(1, ${postgresSteps.length})`, url);
  await server.ask(
    `CREATE SEQUENCE tries; CREATE FUNCTION third_time(code text) RETURNS bigint LANGUAGE plpgsql AS $$
      BEGIN IF nextval('tries') % 3 <> 0 THEN RAISE EXCEPTION 'not yet' USING ERRCODE = code; END IF; RETURN 3; END $$`,
    url,
  );
});
afterAll(() => server?.close());

const open: Postgres[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) void one.close().catch(() => undefined); // one that lost a connection waits for ever
  await server.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sightline'", url);
});

function opened(at: string, use: Parameters<typeof openPostgres>[1] = {}): Postgres {
  const database = openPostgres(at, use);
  open.push(database);
  return database;
}

/** How many connections of ours a database has, beside the one that asks. */
async function connections(at: string): Promise<number> {
  const sql = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'sightline' AND datname = current_database()`;
  return Number((await server.ask(sql, at))[0]?.['n']);
}

/** What somebody hears who asks the first question; who is answered closes it. */
async function told(at: string, use: Parameters<typeof openPostgres>[1] = {}): Promise<string> {
  const database = opened(at, use);
  try {
    await database.ask('SELECT 1');
  } catch (error) {
    return (error as Error).message;
  }
  await database.close();
  return '';
}

const pidOf = async (ask: Postgres['ask']): Promise<unknown> =>
  (await ask('SELECT pg_backend_pid() AS pid'))[0]?.['pid'];

test.each(['mysql://x', 'xpostgres://a@b/c', 'postgres:', 'postgres://a@b:port/c', ''])(
  '%j is no address',
  (address) => {
    expect(() => openPostgres(address)).toThrow(
      'This is no address of a PostgreSQL database: it looks like postgres://name@host:5432/database.',
    );
  },
);

test('numbers are numbers, other values what the driver makes of them; a statement may take eight seconds', async () => {
  const { ask } = opened(url.replace('postgres:', 'postgresql:'));
  expect(await ask('SELECT $1::bigint AS one, 1.50::numeric AS two, $2::text AS three', [2 ** 53 - 1, 'a'])).toEqual([
    { one: 2 ** 53 - 1, two: '1.50', three: 'a' },
  ]);
  expect(await ask('SHOW statement_timeout')).toEqual([{ statement_timeout: '8s' }]);
  expect(await ask('SHOW application_name')).toEqual([{ application_name: 'sightline' }]);
  expect(await opened(url, { patienceMs: 7000 }).ask('SHOW statement_timeout')).toEqual([{ statement_timeout: '7s' }]); // prettier-ignore
});

test('what may pass is asked again and counted, what will not is told at once', async () => {
  const database = opened(url);
  expect(await database.askCounted('SELECT third_time($1) AS n', ['40001'])).toEqual({ rows: [{ n: 3 }], tries: 3 });
  await expect(database.ask('SELECT third_time($1)', ['22012'])).rejects.toThrow(
    /refused something: not yet \(22012\)/,
  );
  expect(await database.askCounted('SELECT third_time($1) AS n', ['40P01'])).toMatchObject({ tries: 2 });
});

test('one question may be asked once', async () => {
  const database = opened(url);
  await database.ask("SELECT setval('tries', 3)");
  await expect(database.askOnce('SELECT third_time($1)', ['40001'])).rejects.toThrow(/^Database "d\d+" on .* \(not yet\)/);
  expect(await database.ask('SELECT last_value AS n FROM tries')).toEqual([{ n: 4 }]);
  expect(await database.askOnce('SELECT 1 AS one')).toEqual([{ one: 1 }]);
}); // prettier-ignore

test('each try waits twice as long as the one before', async () => {
  const database = opened(url);
  await database.ask("SELECT setval('tries', 3)");
  const waited = vi.spyOn(globalThis, 'setTimeout');
  await database.ask('SELECT third_time($1)', ['40001']);
  const waits = waited.mock.calls.flatMap(([, ms]) => ms ?? []).filter((ms) => ms > 0 && ms <= 1000);
  waited.mockRestore();
  expect(waits).toEqual([20, 40]);
});

test('what was away and came back is waited for as long as before', async () => {
  const database = opened(url);
  await database.ask("SELECT setval('tries', 3)");
  await database.ask('SELECT third_time($1)', ['40001']);
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 40_000);
  expect(await database.askCounted('SELECT third_time($1) AS n', ['40001'])).toMatchObject({ tries: 3 });
  clock.mockRestore();
});

test('where nobody is PostgreSQL, those who ask first are told after one try', async () => {
  let tries = 0;
  const nobody = createServer((client) => void (tries++, client.destroy()));
  await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
  const database = opened(url.replace(`:${server.port}/`, `:${(nobody.address() as { port: number }).port}/`));
  const asked = await Promise.allSettled([database.ask('SELECT 1'), database.ask('SELECT 1')]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(tries).toBe(1);
  nobody.close();
});

test('a server that asks for a password is told good-bye where there is none, and so are we', async () => {
  await server.ask("DROP ROLE IF EXISTS locked; CREATE ROLE locked LOGIN PASSWORD 'right'");
  await server.ask("ALTER SYSTEM SET authentication_timeout = '10min'"); // it would say good-bye itself
  await server.ask('SELECT pg_reload_conf()');
  const proxy = await proxyTo(server.port);
  const at = url.replace('//admin@', '//locked@').replace(`:${server.port}/`, `:${proxy.port}/`);
  expect(await told(at)).toMatch(/^Database "d\d+" on .* asks for the password of "locked", and the address has none\./);
  await expect.poll(proxy.connections).toBe(0);
  proxy.close();
}); // prettier-ignore

/** Which statements the connection has prepared. */
const prepared = async ({ ask }: Postgres): Promise<unknown[]> =>
  (await ask("SELECT name FROM pg_prepared_statements WHERE name <> '' ORDER BY name")).map(({ name }) => name);

test('a statement with a name stays prepared until its connection has forgotten one; nobody notices', async () => {
  const database = opened(url);
  const named = (n: number): Promise<unknown> => database.ask('SELECT $1::int AS n', [n], 'one');
  await database.ask('SELECT $1::int AS n', [1]);
  expect(await prepared(database)).toEqual([]);
  expect(await named(1)).toEqual([{ n: 1 }]);
  expect(await prepared(database)).toEqual(['one']);
  await expect(database.ask('SELECT 1 / $1::int', [0], 'two')).rejects.toThrow('division by zero');
  expect(await prepared(database)).toEqual(['one', 'two']);
  await database.ask('DEALLOCATE ALL');
  expect([await named(2), await prepared(database), await named(3), await prepared(database)]).toEqual([[{ n: 2 }], [], [{ n: 3 }], []]);
}); // prettier-ignore

test('who has no patience is told after the first try', async () => {
  const database = opened(url, { patienceMs: 400 });
  await expect(database.ask('SELECT pg_sleep(20)')).rejects.toThrow(
    /took longer than a statement may take|cannot be reached/,
  );
});

test('a connection is used again, also after a mistake, and not when it may be broken', async () => {
  const database = opened(url);
  const pid = await pidOf(database.ask);
  await expect(database.ask('SELECT 1/0')).rejects.toThrow('division by zero');
  expect(await pidOf(database.ask)).toBe(pid);
  await expect(database.transaction((ask) => ask('SELECT 1/0'))).rejects.toThrow(/^Database "d\d+" on .* division by zero/);
  expect(await pidOf(database.ask)).toBe(pid);
  await database.transaction(async (ask) => expect(await pidOf(ask)).toBe(pid));
  expect(await pidOf(database.ask)).toBe(pid);
  await database.ask('SELECT third_time($1)', ['40001']);
  expect(await pidOf(database.ask)).not.toBe(pid);
}); // prettier-ignore

test('a transaction is stored whole, or not at all', async () => {
  await server.ask('DELETE FROM sightline.once', url);
  const database = opened(url);
  const keep = (key: string, wrong?: Error): Promise<string> =>
    database.transaction(async (ask) => {
      await ask('INSERT INTO sightline.once (key, asker) VALUES ($1, $2)', [key, 'a']);
      if (wrong) throw wrong;
      return key;
    });
  expect(await keep('whole')).toBe('whole');
  await expect(keep('half', new Error('a disk'))).rejects.toThrow(/^a disk$/);
  expect(await database.ask('SELECT key FROM sightline.once')).toEqual([{ key: 'whole' }]);
  const killed = database.transaction(async (ask) => {
    await server.ask(`SELECT pg_terminate_backend(${String(await pidOf(ask))})`, url);
    await ask('SELECT 1');
  });
  await expect(killed).rejects.toThrow('cannot be reached');
  expect(await keep('again')).toBe('again');
});

test('four are asked at the same time', async () => {
  const { transaction } = opened(url);
  let arrived = 0;
  const { promise: all, resolve: go } = Promise.withResolvers<void>();
  const pids = await Promise.all(
    [1, 2, 3, 4].map(() =>
      transaction(async (ask) => {
        const pid = await pidOf(ask);
        if (++arrived === 4) go();
        await all;
        return pid;
      }),
    ),
  );
  expect(new Set(pids).size).toBe(4);
});

test('connections that break while nobody uses them are replaced; what is closed has none and takes nothing', async () => {
  const database = opened(url);
  await database.ask('SELECT 1');
  await server.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sightline'", url);
  expect(await database.ask('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await database.close();
  await expect.poll(() => connections(url)).toBe(0);
  const closed = 'These sessions were closed. Open sessions before you use them.';
  await expect(database.ask('SELECT 1')).rejects.toThrow(closed);
  await expect(database.transaction(async () => 1)).rejects.toThrow(closed);
  const unused = openPostgres(url);
  await unused.close();
  await expect(unused.ask('SELECT 1')).rejects.toThrow(closed);
});

/** What somebody who listens is told, and how often that it is over. */
async function listened(): Promise<{ notices: string[]; lost: () => number; stop: (() => void) | undefined }> {
  const notices: string[] = [];
  let lost = 0;
  const stop = await opened(url).listen((what) => void notices.push(what), () => void lost++); // prettier-ignore
  return { notices, lost: () => lost, stop };
}

describe('notices', () => {
  test('that could not be asked for hold no connection', async () => {
    const proxy = await proxyTo(server.port);
    const database = opened(url.replace(`:${server.port}/`, `:${proxy.port}/`), { patienceMs: 500 });
    await database.ask('SELECT 1');
    void proxy.swallow('LISTEN');
    await expect(database.listen(() => undefined, () => undefined)).rejects.toThrow('timeout'); // prettier-ignore
    await database.close();
    await expect.poll(proxy.connections).toBe(0);
    proxy.close();
  });

  test('are told until nobody listens', async () => {
    const { notices, lost, stop } = await listened();
    await server.ask("NOTIFY other, 'not ours'; NOTIFY sightline, 'one'; NOTIFY sightline", url);
    await expect.poll(() => notices).toEqual(['one', '']);
    expect(lost()).toBe(0);
    stop?.();
    stop?.();
    expect(lost()).toBe(1);
    await open.splice(0)[0]?.close();
    await expect.poll(() => connections(url)).toBe(0);
  });

  test('that are lost with their connection are told once', async () => {
    const { lost } = await listened();
    await server.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN sightline'", url);
    await expect.poll(lost).toBe(1);
    await open.splice(0)[0]?.close();
    expect(lost()).toBe(1);
  });
});

test('a pooler that refuses a setting for each connection is used without it, and without notices', async () => {
  const fields = ['SFATAL', 'VFATAL', 'C08P01', 'Munsupported startup parameter: statement_timeout', ''];
  const words = Buffer.from(fields.map((field) => `${field}\0`).join(''));
  const refusal = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), words]);
  refusal.writeInt32BE(words.length + 4, 1);
  const pooler = createServer((client) => {
    client.on('error', () => undefined);
    client.once('data', (bytes) => {
      if (bytes.includes('statement_timeout')) return void client.end(refusal);
      const upstream = connect(server.port, '127.0.0.1');
      upstream.on('error', () => undefined);
      upstream.write(bytes);
      client.pipe(upstream).pipe(client);
    });
  });
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
  const { port } = pooler.address() as { port: number };
  const database = opened(url.replace(`:${server.port}/`, `:${port}/`));
  expect(await database.ask('SHOW statement_timeout')).toEqual([{ statement_timeout: '0' }]);
  await database.ask('SELECT $1::int', [1], 'one');
  expect(await prepared(database)).toEqual([]);
  expect(await database.listen(() => undefined, () => undefined)).toBeUndefined(); // prettier-ignore
  await database.close();
  pooler.close();
});

describe('tables', () => {
  test('older, newer and foreign ones are told; who only looks makes none', async () => {
    const other = await server.newDatabase();
    const at = `database "${other.split('/').at(-1)}" on 127.0.0.1:${server.port}`;
    expect(await told(other, { readOnly: true })).toBe(`There are no sessions in ${at} yet. "sightline chat" begins one.`);
    expect(await told(other)).toBe('');
    const first = `${stepTable}; ${postgresSteps[0] ?? ''}; INSERT INTO sightline.step (number) VALUES (1)`;
    await server.ask(`DROP SCHEMA sightline CASCADE; CREATE SCHEMA sightline; ${first}`, other);
    const older = `The tables in ${at} are those of an older version (1 of ${postgresSteps.length} steps). Run "sightline sessions migrate".`;
    expect(await told(other)).toBe(older);
    expect(await told(other, { readOnly: true })).toBe(older);
    expect(await told(other, { migrate: true })).toBe('');
    const done = await server.ask('SELECT number FROM sightline.step ORDER BY number', other);
    expect(done.map(({ number }) => number)).toEqual(postgresSteps.map((_, index) => index + 1));
    await server.ask('INSERT INTO sightline.step (number) VALUES (99)', other);
    const newer = `The tables in ${at} were made by a newer version of sightline. Update sightline here.`;
    expect([await told(other), await told(other, { migrate: true })]).toEqual([newer, newer]);
    await server.ask('DROP SCHEMA sightline CASCADE; CREATE SCHEMA sightline; CREATE TABLE sightline.fish (n int)', other);
    expect(await told(other)).toBe(
      `The schema "sightline" of ${at} is not ours: it has no table "step". Name another database, or rename that schema.`,
    );
    await expect.poll(() => connections(other)).toBe(0); // of those that were refused, while they are open
  }); // prettier-ignore

  test('are made once by many who begin at the same moment', async () => {
    const fresh = await server.newDatabase();
    expect(await Promise.all([1, 2, 3, 4].map(() => told(fresh)))).toEqual(['', '', '', '']);
    const steps = await server.ask('SELECT count(*)::int AS steps FROM sightline.step', fresh);
    expect(steps).toEqual([{ steps: postgresSteps.length }]);
  });

  test('are looked for again after a database was not there', async () => {
    const missing = `${await server.newDatabase()}later`;
    const database = opened(missing);
    await expect(database.ask('SELECT 1')).rejects.toThrow(/^There is no database "d\d+later" on .*createdb/);
    await server.ask(`CREATE DATABASE ${missing.split('/').at(-1)}`);
    expect(await database.ask('SHOW statement_timeout')).toEqual([{ statement_timeout: '8s' }]);
  });
});
