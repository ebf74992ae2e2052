// Who watches sessions and requests in PostgreSQL, with a real server: notices, looks now and then, the end of listening.
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { EntryLog, NewRow } from '../../../src/session/log/port.ts';
import { postgresLog } from '../../../src/session/log/postgres.ts';
import { startPostgres } from '../../postgres/server.ts';
import type { PostgresServer } from '../../postgres/server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.close());

const open: EntryLog[] = [];
// Not by the tests themselves: one that came to a late end would do it to the next.
afterEach(() => {
  vi.useRealTimers();
  for (const log of open.splice(0)) void log.close().catch(() => undefined); // that of a test that failed
});

function opened(url: string): EntryLog {
  const log = postgresLog({ url });
  open.push(log);
  return log;
}

/** Time passes only where a test says so, for who looks now and then. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
}

const holder = { host: 'here', process: 1 };
const note: NewRow = { type: 'note', version: 1, time: 1, body: '{"text":"a"}' };

/** How many connections wait for notices. */
async function listeners(at: string): Promise<number> {
  const sql = "SELECT 1 FROM pg_stat_activity WHERE query = 'LISTEN sightline' AND datname = current_database()";
  return (await server.ask(sql, at)).length;
}

test('who watches is asked for now and then, and hears what no notice told', async () => {
  stopClock();
  const own = await server.newDatabase();
  const log = opened(own);
  await log.create('one', 1);
  const [{ begin } = {}] = await server.ask('SELECT clock_timestamp()::text AS begin', own);
  const stop = new AbortController();
  const [session, requests] = [log.watch('one', stop.signal), log.requests?.watch(stop.signal)].map((watched) =>
    watched?.[Symbol.asyncIterator](),
  );
  await session?.next();
  await requests?.next();
  const later = `'${String(begin)}'::timestamptz + interval '30 seconds'`;
  const told = `SELECT (SELECT watched_until FROM sightline.session) >= ${later} AS session,
    (SELECT until FROM sightline.watched) >= ${later} AS requests`;
  expect(await server.ask(told, own)).toEqual([{ session: true, requests: true }]);
  const woken = [session?.next(), requests?.next()];
  await server.ask("UPDATE sightline.session SET seq = seq + 1; SELECT nextval('sightline.request_change')", own);
  await server.ask(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN sightline' AND datname = current_database()",
    own,
  );
  await expect.poll(() => listeners(own)).toBe(0);
  vi.advanceTimersByTime(2000);
  expect([await woken[0], await woken[1]].map((next) => next?.done)).toEqual([false, false]);
  const looked = (): Promise<number> => (vi.advanceTimersByTime(2000), listeners(own));
  await expect.poll(looked).toBe(1);
  stop.abort();
  for (const watched of [session, requests]) while ((await watched?.next())?.done === false);
  await expect.poll(() => listeners(own)).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  await log.close();
});

test('of several who watch each is woken until it goes, and the last ends the listening', async () => {
  stopClock(); // nobody looks: notices alone wake
  const own = await server.newDatabase();
  const [log, other] = [opened(own), opened(own)];
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  const [first, second] = [new AbortController(), new AbortController()];
  const [going, staying] = [first, second].map(({ signal }) => other.watch('one', signal)[Symbol.asyncIterator]());
  await going?.next();
  const woken = staying?.next();
  first.abort();
  while ((await going?.next())?.done === false);
  await log.append(lease, [note]);
  expect(await woken).toMatchObject({ done: false });
  expect(await listeners(own)).toBe(1);
  second.abort();
  while ((await staying?.next())?.done === false);
  await expect.poll(() => listeners(own)).toBe(0);
  const left = other.watch('one', new AbortController().signal)[Symbol.asyncIterator]();
  await left?.next();
  await expect.poll(() => listeners(own)).toBe(1);
  await other.close();
  while ((await left?.next())?.done === false);
  await expect.poll(() => listeners(own)).toBe(0);
  const late = other.watch('one', new AbortController().signal)[Symbol.asyncIterator]();
  expect(await late?.next()).toMatchObject({ done: true });
  await log.close();
});

test('who watches what is not there is told, what is appended here wakes, and a stop or a closed log lets go', async () => {
  const own = await server.newDatabase();
  const log = opened(own);
  const watched = (id: string, signal = new AbortController().signal): AsyncIterator<void> =>
    log.watch(id, signal)[Symbol.asyncIterator]();
  await expect(watched('nobody').next()).rejects.toThrow('There is no session nobody');
  await expect.poll(() => listeners(own)).toBe(0);
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  expect(await watched('one', AbortSignal.abort()).next()).toMatchObject({ done: true });
  const watcher = watched('one');
  await watcher.next();
  const woken = watcher.next();
  await log.append(lease, [note]);
  expect(await woken).toMatchObject({ done: false });
  await watcher.return?.();
  await expect.poll(() => listeners(own)).toBe(0);
  const first = watched('one').next();
  await log.close();
  expect((await first).done).toBe(true);
});

test('where no connection is left for notices, it is looked now and then, and listened as soon as there is one', async () => {
  stopClock();
  const own = await server.newDatabase();
  const name = own.split('/').at(-1) ?? '';
  const few = `few_${name}`;
  await server.ask(`CREATE ROLE ${few} LOGIN CONNECTION LIMIT 1; ALTER DATABASE ${name} OWNER TO ${few}`);
  const log = opened(own.replace('//admin@', `//${few}@`));
  await log.create('one', 1);
  const stop = new AbortController();
  const watcher = log.watch('one', stop.signal)[Symbol.asyncIterator]();
  expect(await watcher.next()).toMatchObject({ done: false });
  let isWoken = false;
  const woken = watcher.next().then((next) => ((isWoken = true), next));
  await server.ask("UPDATE sightline.session SET watched_until = '-infinity'", own);
  vi.advanceTimersByTime(2000);
  const watched = 'SELECT watched_until > now() AS is FROM sightline.session';
  await expect.poll(() => server.ask(watched, own)).toEqual([{ is: true }]);
  expect(isWoken).toBe(false); // there was nothing new
  await server.ask('UPDATE sightline.session SET seq = seq + 1', own);
  vi.advanceTimersByTime(2000);
  expect(await woken).toMatchObject({ done: false });
  const wokenHere = watcher.next();
  await log.append(await log.take('one', holder), [note]);
  expect(await wokenHere).toMatchObject({ done: false }); // by nobody but this program
  expect(await listeners(own)).toBe(0);
  await server.ask(`ALTER ROLE ${few} CONNECTION LIMIT 9`);
  const looked = (): Promise<number> => (vi.advanceTimersByTime(2000), listeners(own));
  await expect.poll(looked).toBe(1);
  stop.abort();
  while ((await watcher.next()).done === false);
  await log.close();
});

test('who begins to watch where the tables cannot be read is told', async () => {
  const own = await server.newDatabase();
  const log = opened(own);
  await log.create('one', 1);
  await server.ask('ALTER TABLE sightline.session RENAME TO away', own);
  const watcher = log.watch('one', new AbortController().signal)[Symbol.asyncIterator]();
  await expect(watcher.next()).rejects.toThrow('"sightline.session" does not exist');
  await expect.poll(() => listeners(own)).toBe(0);
  await log.close();
});

test('a change that was counted, but not yet there when somebody began to watch, wakes as soon as it is there', async () => {
  stopClock();
  const own = await server.newDatabase();
  const log = opened(own);
  await log.create('one', 1);
  const changing = new Client({ connectionString: own });
  await changing.connect();
  await changing.query('BEGIN');
  await changing.query('SELECT sightline.request_changed()'); // nobody watches yet, so nobody is told
  await changing.query("UPDATE sightline.session SET created = created WHERE id = 'one'");
  const watched = log.requests?.watch(new AbortController().signal)[Symbol.asyncIterator]();
  await watched?.next();
  let wakes = 0;
  void (async () => {
    while ((await watched?.next())?.done === false) wakes++;
  })();
  await changing.query('COMMIT');
  await changing.end();
  const looked = (): number => (vi.advanceTimersByTime(2000), wakes);
  await expect.poll(looked).toBeGreaterThan(0);
  await log.close();
});
