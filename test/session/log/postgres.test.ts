// The log in PostgreSQL, with a real server: the contracts, who holds a session, what is kept how.
import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { entryLogContract } from '../../../src/session/contract.ts';
import type { MadeLog } from '../../../src/session/contract.ts';
import { openPostgres } from '../../../src/session/log/postgres-pool.ts';
import { postgresDescriptions } from '../../../src/session/log/postgres-descriptions.ts';
import { postgresLog } from '../../../src/session/log/postgres.ts';
import { fenced, gone, taken, writtenElsewhere } from '../../../src/session/log/port.ts';
import type { NewRow } from '../../../src/session/log/port.ts';
import { proxyTo } from '../../postgres/proxy.ts';
import { aging, startPostgres } from '../../postgres/server.ts';
import type { PostgresServer } from '../../postgres/server.ts';
import { onlySome } from '../../some.ts';

onlySome(24);

let server: PostgresServer;
let url = '';
beforeAll(async () => {
  server = await startPostgres();
  url = await server.newDatabase();
  const log = postgresLog({ url });
  await log.list();
  await log.close();
});
afterAll(() => server?.close());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function made(): Promise<MadeLog> {
  const tables = ['session', 'asset', 'once', 'request', 'content', 'description', 'upload'];
  await server.ask(`TRUNCATE ${tables.map((name) => `sightline.${name}`).join(', ')} CASCADE`, url);
  const aged = (ms: number): Promise<unknown> => server.ask(aging(ms), url);
  return { log: postgresLog({ url }), tick: aged, reopen: () => postgresLog({ url }) };
}

describe('a log in PostgreSQL', () => {
  entryLogContract(test, made);
});

const holder = { host: 'here', process: 1 };
const note = (text: string, more: Partial<NewRow> = {}): NewRow => ({ type: 'note', version: 1, time: 1, body: JSON.stringify({ text }), ...more }); // prettier-ignore

/** Says that somebody else holds all sessions for another hour. */
const heldBy = (who: string): Promise<unknown> =>
  server.ask(`UPDATE sightline.session SET holder = '${who}', epoch = epoch + 1, held_until = now() + interval '1 hour'`, url); // prettier-ignore

const holders = async (): Promise<unknown[]> =>
  (await server.ask("SELECT split_part(holder, ' ', 1) || split_part(holder, ' ', 2) AS who FROM sightline.session ORDER BY number", url)).map(({ who }) => who); // prettier-ignore

describe('who holds a session', () => {
  test('is told to whoever held it before', async () => {
    const { log } = await made();
    await log.create('one', 1);
    const lease = await log.take('one', holder);
    await heldBy('elsewhere 7 x');
    const words = fenced(lease, 'process 7 on elsewhere').message;
    await expect(log.append(lease, [note('a')])).rejects.toThrow(words);
    await expect(log.renew(lease)).rejects.toThrow(words);
    await expect(log.remove(lease)).rejects.toThrow(fenced(lease).message);
    await server.ask('UPDATE sightline.session SET holder = NULL', url);
    await expect(log.renew(lease)).rejects.toThrow(fenced(lease).message);
    await expect(log.renew({ ...lease, session: 'nobody' })).rejects.toThrow(gone('nobody').message);
    await expect(log.remove({ ...lease, session: 'nobody' })).rejects.toThrow(gone('nobody').message);
    await log.close();
  });

  test('is another or ourselves, and a process of this machine that died is nobody', async () => {
    const { log } = await made();
    await log.create('one', 1);
    const lease = await log.take('one', { host: 'here', process: process.pid });
    const again = (): Promise<unknown> => log.take('one', { host: 'here', process: process.pid });
    await expect(again()).rejects.toThrow(writtenElsewhere('one', 'us').message);
    for (const who of ['elsewhere 7 x', `${hostname()} ${process.ppid} x`, `${hostname()} 1 x`, `elsewhere ${process.pid} x`]) {
      await heldBy(who);
      await expect(again()).rejects.toThrow(writtenElsewhere('one', 'others').message);
    }
    await heldBy(`${hostname()} ${spawnSync('true').pid} x`);
    expect(await log.take('one', holder)).toEqual({ session: 'one', epoch: lease.epoch + 6, next: 0 });
    await server.ask("UPDATE sightline.session SET held_until = now() - interval '1 second'", url);
    expect(await log.take('one', holder)).toMatchObject({ epoch: lease.epoch + 7 });
    await log.close();
  }); // prettier-ignore

  test('stands in the database as long as the log is open', async () => {
    const { log } = await made();
    for (const id of ['one', 'two', 'three']) await log.create(id, 1);
    const leases = [await log.take('one', holder), await log.take('two', holder)] as const;
    expect(await holders()).toEqual(['here1', 'here1', null]);
    await log.release({ ...leases[0], epoch: 9 });
    expect(await holders()).toEqual(['here1', 'here1', null]);
    await log.release(leases[0]);
    expect(await holders()).toEqual([null, 'here1', null]);
    await log.close();
    expect(await holders()).toEqual([null, null, null]);
    await expect(log.create('four', 1)).rejects.toThrow('These sessions were closed. Open sessions before you use them.');
  }); // prettier-ignore

  test('gives a sign of life now and then, also when it writes nothing', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { log } = await made();
      await log.create('one', 1);
      await log.take('one', holder);
      const soon =
        "UPDATE sightline.session SET held_until = now() + interval '1 second' RETURNING now()::text AS begin";
      const [{ begin } = {}] = await server.ask(soon, url);
      vi.advanceTimersByTime(5000);
      const later = `SELECT held_until > '${String(begin)}'::timestamptz + interval '9 seconds' AS later FROM sightline.session`;
      await expect.poll(() => server.ask(later, url)).toEqual([{ later: true }]);
      await log.close();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

test('of two who begin the same session at once, one is told', async () => {
  const { log } = await made();
  await log.list();
  const quicker = new Client({ connectionString: url });
  await quicker.connect();
  onTestFinished(() => quicker.end());
  await quicker.query("BEGIN; SELECT sightline.begin_session('one', 1, 'another', NULL, NULL)");
  const created = log.create('one', 1).then(String, String);
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  await expect.poll(() => server.ask(waiting, url)).toHaveLength(1);
  await quicker.query('COMMIT');
  expect(await created).toBe(`SightlineError: ${taken('one').message}`);
  await expect(log.create('a\0b', 1)).rejects.toThrow(/refused something/);
  await expect(log.create('two', 1, { id: 'nobody', entry: 1 })).rejects.toThrow(gone('nobody').message);
  await log.close();
});

test('who has given a session back, or removed it, asks nothing more of it', async () => {
  const { log } = await made();
  await Promise.all([log.create('one', 1), log.create('two', 1)]);
  const [one, two] = [await log.take('one', holder), await log.take('two', holder)] as const;
  await log.release(one);
  await log.remove(two);
  const asked = vi.spyOn(Client.prototype, 'query');
  for (const lease of [one, two]) await expect(log.append(lease, [note('a')])).rejects.toThrow(fenced(lease).message);
  expect(asked).not.toHaveBeenCalled();
  await log.close();
  expect(asked).not.toHaveBeenCalled(); // nobody is let go who holds nothing
});

test('what was handed over before the end is stored', async () => {
  const { log } = await made();
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  const appended = log.append(lease, [note('a')]);
  const closed = log.close();
  await expect(log.append({ ...lease, next: 1 }, [note('b')])).rejects.toMatchObject({ code: 'input' });
  await closed;
  const next = postgresLog({ url });
  expect((await next.read('one')).map(({ id }) => id)).toEqual((await appended).ids);
  await next.close();
});

test('a session whose removal was answered by nobody is removed', async () => {
  const { log: near } = await made();
  const proxy = await proxyTo(server.port);
  onTestFinished(proxy.close);
  const log = postgresLog({ url: url.replace(`:${server.port}/`, `:${proxy.port}/`) });
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  const answered = proxy.swallow('remove_session');
  const removed = log.remove(lease);
  await answered;
  proxy.mend();
  proxy.cut();
  await removed;
  expect(await near.find('one')).toEqual([]);
  await expect(log.remove(lease)).rejects.toThrow(gone('one').message);
  await Promise.all([near.close(), log.close()]);
});

test('what is claimed once is claimed by who asked first, also when the answer is lost', async () => {
  const { log } = await made();
  const proxy = await proxyTo(server.port);
  onTestFinished(proxy.close);
  const far = postgresLog({ url: url.replace(`:${server.port}/`, `:${proxy.port}/`) });
  await far.list();
  const once = async (key: string): Promise<boolean> => {
    const answered = proxy.swallow('sightline.once');
    const claimed = far.once(key);
    await answered;
    proxy.mend();
    proxy.cut();
    return await claimed;
  };
  expect([await once('k'), await log.once('k'), await far.once('k')]).toEqual([true, false, false]);
  expect([await log.once('l'), await once('l')]).toEqual([true, false]);
  await Promise.all([log.close(), far.close()]);
});

describe('claims', () => {
  const strange = 'sha256:not-a-hash' as const;
  const known = `sha256:${'a'.repeat(64)}` as const;
  test('what is no hash names nothing, and a session that is not there is told', async () => {
    const { log } = await made();
    await log.claims.lease([{ id: strange, size: 1 }, { id: known, size: 2 }, { id: known, size: 3 }]); // prettier-ignore
    await log.claims.stored([strange, known]);
    expect(await log.claims.missing([strange, known])).toEqual(new Set([strange]));
    expect(await log.claims.missing([])).toEqual(new Set());
    expect([await log.claims.named([strange], []), await log.claims.needed([strange, known])]).toEqual([new Set(), new Set()]); // prettier-ignore
    expect(await log.claims.bytes()).toBe(3);
    await expect(log.claims.lease([{ id: known, size: 1 }], 'nobody')).rejects.toThrow(gone('nobody').message);
    await expect(log.claims.reachable('nobody')).rejects.toThrow(gone('nobody').message);
    await log.create('one', 1);
    expect(await log.claims.reachable('one')).toEqual(new Set());
    await log.close();
  });
});

test('a description is claimed again after a minute, under the name that stands for its key', async () => {
  const database = openPostgres(url);
  const table = postgresDescriptions(database, (key) => `named ${key}`);
  await server.ask('TRUNCATE sightline.description', url);
  const key = `sha256:${'c'.repeat(64)} eyes`;
  expect([await table.claim(key), await table.claim(key), await table.claim('no picture')]).toEqual([true, false, true]);
  await server.ask("UPDATE sightline.description SET at = at - interval '61 seconds'", url);
  expect([await table.claim(key), await table.claim(key)]).toEqual([true, false]);
  await table.keep(key, 'A\0 red square.');
  await server.ask("UPDATE sightline.description SET at = at - interval '61 seconds'", url);
  expect([await table.claim(key), await table.find(key)]).toEqual([false, 'A red square.']);
  await table.free(key);
  await table.free('no picture');
  const rows = await server.ask("SELECT key, text, encode(asset, 'hex') AS asset FROM sightline.description", url);
  expect(rows).toEqual([{ key: `named ${key}`, text: 'A red square.', asset: 'c'.repeat(64) }]);
  expect(await postgresDescriptions(database).find(`named ${key}`)).toBe('A red square.');
  await database.close();
}); // prettier-ignore

/** A syllable of Korean: up to three letters. */
const syllable = (at: number): string => String.fromCodePoint(0xac00 + (at % 11_172));

test('of a very long message in letters that take much room, so many words are found as the index takes', async () => {
  const { log } = await made();
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  const words = Array.from(
    { length: 50_000 },
    (_, at) => syllable(at * 7 + 27) + syllable(Math.floor(at / 4)) + syllable(at * 31),
  );
  await log.append(lease, [note(words.join(' '))]);
  expect((await log.read('one'))[0]?.body).toBe(JSON.stringify({ text: words.join(' ') }));
  const missed: string[] = [];
  for (let at = 0; at < 30_000; at += 500)
    if ((await log.search(words[at] ?? '', { limit: 1 })).length === 0) missed.push(String(at));
  expect(missed).toEqual([]);
  expect(await log.search('nothing', { limit: 1 })).toEqual([]);
  await log.close();
});
