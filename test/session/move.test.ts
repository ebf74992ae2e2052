// Sessions from a home to PostgreSQL and back: all of them, letter by letter, whatever broke on the way.
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { script } from '../../src/model/script/script.ts';
import { scriptedSend } from '../../src/model/script/send.ts';
import type { EntryLog, NewRow } from '../../src/session/log/port.ts';
import { moveSessions } from '../../src/session/move.ts';
import type { MovedSession, MoveOptions, SessionPlace } from '../../src/session/move.ts';
import { begunKey, callKey } from '../../src/session/open-calls.ts';
import { openPlace, openSessions } from '../../src/session/store.ts';
import { newFolder, run } from '../cli/run.ts';
import type { Ran } from '../cli/run.ts';
import { startPostgres } from '../postgres/server.ts';
import type { PostgresServer } from '../postgres/server.ts';
import { assistant, image, png, user } from './samples.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.close());

const sightline = (at: string, ...words: string[]): Promise<Ran> =>
  run(words, { cwd: at, env: { SIGHTLINE_HOME: at } });

const holder = { host: hostname(), process: process.pid };

async function moved(options: Omit<MoveOptions, 'holder'>): Promise<MovedSession[]> {
  return await Array.fromAsync(moveSessions({ ...options, holder }));
}

/** A home with a conversation of pictures and requests, a fork of it, and a call that was interrupted. */
async function filled(): Promise<{ home: string; talk: string; fork: string; open: string }> {
  const home = newFolder();
  await using store = openSessions({ home });
  const session = await store.create({ title: 'Trees' });
  const asset = await session.assets.put(png(1), { mediaType: 'image/png', name: 'oak.png' });
  await session.append({ type: 'message', message: user('Which tree?', image(asset)) });
  await session.append({ type: 'message', message: assistant('An oak.', 'openai/gpt-5.2') });
  const send = scriptedSend(script([{ text: 'Very old.', usage: { inputTokens: 10, outputTokens: 3 } }]));
  await runAgent({ model: 'openai/gpt-5.2', session, prompt: 'How old is it?\u0000 \ud83c\udf33', send });
  await session.close();
  const middle = (await (await store.read(session.id)).entries()).find(({ type }) => type === 'message')?.id;
  const fork = await store.fork(session.id, middle);
  await fork.append({ type: 'message', message: user('Or is it a beech?') });
  await fork.close();
  const open = await store.create({ title: 'Interrupted' });
  const call = { type: 'call' as const, id: 'c1', name: 'pay', input: {} };
  await open.append({ type: 'message', message: { ...assistant('', 'openai/gpt-5.2'), content: [call] } });
  await open.close();
  return { home, talk: session.id, fork: fork.id, open: open.id };
}

/** What a place holds, without the numbers that a store gives. */
async function contents(place: SessionPlace): Promise<unknown[]> {
  const { sessions } = await place.log.list({ limit: 100 });
  const all = [];
  for (const info of sessions.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const rows = (await place.log.read(info.id)).map(({ type, version, time, body }) => ({
      type,
      version,
      time,
      body,
    }));
    const ids = [...(await place.log.claims.reachable(info.id))].toSorted();
    const bytes = await Promise.all(
      ids.map(async (id) => Buffer.from((await place.assets.get(id)) ?? []).toString('hex')),
    );
    const requests = ((await place.log.requests?.list(info.id)) ?? []).map(({ upTo: _upTo, ...row }) => row);
    all.push({ ...info, forkedFrom: info.forkedFrom?.id, rows, ids, bytes, requests });
  }
  return all;
}

test('what was moved to PostgreSQL and back is what it was: words, pictures, forks, records', async () => {
  const { home, talk, fork, open } = await filled();
  const url = await server.newDatabase();
  const first = openPlace({ home });
  const middle = openPlace({ url });
  const last = openPlace({ home: newFolder() });
  try {
    const before = await contents(first);
    const there = await moved({ from: first, to: middle });
    expect(there.map(({ id, state, lost }) => [id, state, lost])).toEqual(
      expect.arrayContaining([talk, fork, open].map((id) => [id, 'moved', 0])),
    );
    expect(there.findIndex(({ id }) => id === talk)).toBeLessThan(there.findIndex(({ id }) => id === fork));
    expect(await contents(middle)).toEqual(before);
    const again = await moved({ from: first, to: middle });
    expect(again.map(({ state }) => state)).toEqual(['there', 'there', 'there']);
    expect(new Set(again.map(({ digest }) => digest))).toEqual(new Set(there.map(({ digest }) => digest)));
    const back = await moved({ from: middle, to: last, remove: true });
    expect(back.every(({ state }) => state === 'moved')).toBe(true);
    expect(await contents(last)).toEqual(before);
    expect(await contents(middle)).toEqual([]);
    const [row] = await last.log.read(open, { newest: 1 });
    const call = { type: 'call' as const, id: 'c1', name: 'pay', input: {} };
    const message = { ...assistant('', 'openai/gpt-5.2'), content: [call] };
    expect(await last.log.once(`${open} ${begunKey(callKey(open, row?.id ?? 0, message, call))}`)).toBe(false);
  } finally {
    await Promise.all([first, middle, last].map(({ log }) => log.close()));
  }
});

test('what broke in the middle is gone on with, and what differs is refused and stays', async () => {
  const home = newFolder();
  const url = await server.newDatabase();
  await using store = openSessions({ home });
  const session = await store.create({ title: 'Long' });
  await session.appendAll(Array.from({ length: 1200 }, (_, at) => ({ type: 'note' as const, text: `note ${at}` })));
  await session.close();
  const [from, to] = [openPlace({ home }), openPlace({ url })];
  try {
    let left = 1;
    const append: EntryLog['append'] = async (lease, rows) => {
      if (left-- <= 0) throw new Error('the process was killed here');
      return await to.log.append(lease, rows);
    };
    await expect(moved({ from, to: { ...to, log: { ...to.log, append } } })).rejects.toThrow('killed here');
    const begun = (await to.log.read(session.id)).length;
    expect(begun).toBeGreaterThan(0);
    expect(begun).toBeLessThan(1201);
    expect(await moved({ from, to })).toMatchObject([{ id: session.id, state: 'moved', entries: 1201 }]);
    const lines = async (log: EntryLog): Promise<string[]> => (await log.read(session.id)).map(({ body }) => body);
    expect(await lines(to.log)).toEqual(await lines(from.log));

    const lease = await to.log.take(session.id, holder);
    await to.log.append(lease, [{ type: 'note', version: 1, time: 5, body: '{"text":"only there"}' }]);
    await to.log.release(lease);
    expect(await moved({ from, to, remove: true })).toMatchObject([
      { state: 'refused', why: expect.stringContaining('its entries are not the beginning of those here') },
    ]);
    expect(await from.log.find(session.id)).toHaveLength(1);
    expect(await to.log.read(session.id)).toHaveLength(1202);
  } finally {
    await Promise.all([from, to].map(({ log }) => log.close()));
  }
});

const note = (text: string): NewRow => ({ type: 'note', version: 1, time: 5, body: JSON.stringify({ text }) });

test('a session that goes on while it is moved is told to have gone on, and its rest follows', async () => {
  const [from, to] = [openPlace({ home: newFolder() }), openPlace({ home: newFolder() })];
  try {
    await from.log.create('talk', 1);
    const lease = await from.log.take('talk', holder);
    await from.log.append(lease, [note('a')]);
    const release: EntryLog['release'] = async (given) => {
      await to.log.release(given);
      await from.log.append({ ...lease, next: 1 }, [note('b')]);
    };
    expect(await moved({ from, to: { ...to, log: { ...to.log, release } } })).toMatchObject([
      { state: 'refused', why: 'Session talk went on meanwhile. Move it again.' },
    ]);
    expect(await moved({ from, to })).toMatchObject([{ state: 'moved', entries: 2 }]);
  } finally {
    await Promise.all([from, to].map(({ log }) => log.close()));
  }
});

test('sessions move, list, doctor, show, and export work with a database as with a home', async () => {
  const { home, talk } = await filled();
  const url = await server.newDatabase();
  const dry = await sightline(home, 'sessions', 'move', '--to', url, '--dry-run');
  expect([dry.code, dry.stderr]).toEqual([
    0,
    expect.stringContaining('3 of 3 sessions can be moved. Nothing was written.'),
  ]);
  expect(await server.ask("SELECT 1 FROM pg_namespace WHERE nspname = 'sightline'", url)).toEqual([]);
  const done = await sightline(home, 'sessions', 'move', '--to', url);
  expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/moved {2}\d+ entries, 1 medium {2}Trees/)]);
  const shared = newFolder();
  writeFileSync(`${shared}/config.toml`, `[store]\nsessions = "${url}"\n`);
  const [listed, shown, page, doctor, same] = await Promise.all([
    sightline(shared, 'sessions', 'list', '--json'),
    sightline(shared, 'sessions', 'show', talk, '--raw'),
    sightline(shared, 'sessions', 'export', talk, 'walk.html', '--json'),
    sightline(shared, 'sessions', 'doctor'),
    sightline(shared, 'sessions', 'move', '--to', url),
  ]);
  expect((JSON.parse(listed.stdout) as unknown[]).length).toBe(3);
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('Sent to https://api.openai.com')]);
  expect(JSON.parse(page.stdout)).toMatchObject({ format: 'html' });
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining('call c1')]);
  expect([same.code, same.stderr]).toEqual([1, expect.stringContaining('Sessions are there already')]);
  await server.ask(
    `UPDATE sightline.entry SET body = replace(body, 'An oak', 'An elm') WHERE body LIKE '%An oak%'`,
    url,
  );
  await server.ask(`UPDATE sightline.content SET bytes = '\\x00'`, url);
  const damaged = await sightline(shared, 'sessions', 'doctor', talk, '--json');
  const { problems } = JSON.parse(damaged.stdout) as { problems: { kind: string; what: string }[] };
  expect(problems.map(({ kind }) => kind)).toEqual(['altered', 'asset']);
  const refused = await sightline(shared, 'sessions', 'move', talk, '--to', newFolder());
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('is not as it was stored')]);
  const repaired = await sightline(shared, 'sessions', 'doctor', talk, '--repair');
  expect([repaired.code, repaired.stdout]).toEqual([0, expect.stringContaining('is repaired in the copy')]);
});

test('an address that is no database of ours is no folder', async () => {
  const home = newFolder();
  await using store = openSessions({ home });
  await (await store.create({ title: 'kept' })).close();
  const refused = await sightline(home, 'sessions', 'move', '--to', 'mysql://db/agents', '--dry-run');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('mysql://db/agents is no place for sessions'),
  ]);
});

test('a home without any session has nothing to move, and says so', async () => {
  const env = { SIGHTLINE_HOME: `${newFolder()}/not-there` };
  const { code, stderr } = await run(['sessions', 'move', '--to', newFolder()], { env });
  expect([code, stderr.trim()]).toEqual([
    0,
    `There are no sessions in ${env.SIGHTLINE_HOME}, so there is nothing to move.`,
  ]);
});
