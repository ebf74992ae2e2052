// Assets of sessions: stored once, collected only when nobody needs them, within a quota.
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { prepare } from '../../src/model/prepare.ts';
import { lossLine, memoryLog, openSessions, sessionsOver } from '../../src/session/index.ts';
import type { EntryLog, Session, SessionStore } from '../../src/session/index.ts';
import { image, png, user } from './samples.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-assets-'));
const newHome = (): string => mkdtempSync(join(scratch, 'home-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const type = { mediaType: 'image/png' };
const hour = 3_600_000;
const size = (seed: number): Uint8Array => Buffer.concat([png(seed), Buffer.alloc(1000)]);

function filesIn(home: string): string[] {
  const names = readdirSync(join(home, 'assets'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /[0-9a-f]{64}$/.test(name)).map((name) => join(home, 'assets', name));
}

async function say(session: Session, bytes: Uint8Array): Promise<`sha256:${string}`> {
  const asset = await session.assets.put(bytes, type);
  await session.append({ type: 'message', message: user('see', image(asset)) });
  return asset.id;
}

async function rm(session: Session, store: SessionStore): Promise<void> {
  await session.close();
  await store.remove(session.id);
}

test('500 equal screenshots in two sessions are one file that only its owner may read', async () => {
  const home = newHome();
  await using store = openSessions({ home });
  const sessions = [await store.create(), await store.create()];
  for (let count = 0; count < 250; count++) for (const session of sessions) await session.assets.put(png(1), type);
  const [file = '', ...more] = filesIn(home);
  expect(more).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, 'sessions.db')).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, 'sessions.db-wal')).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, 'assets')).mode & 0o777).toBe(0o700);
});

test('collection takes what nobody refers to, spares young leases, and touches nothing else', async () => {
  const home = newHome();
  let clock = Date.now();
  await using store = openSessions({ home, leaseMs: hour, now: () => clock });
  const [kept, removed] = [await store.create({ title: 'kept' }), await store.create({ title: 'removed' })];
  const [shared, lonely] = [png(1), png(2)];
  const [first, second] = [await say(kept, shared), await say(removed, lonely)];
  await say(removed, shared);
  await store.assets.put(png(3), type); // by the program, named by nobody
  writeFileSync(join(home, 'assets', 'ab-notes.txt'), 'not ours');
  await removed.close();
  await store.remove(removed.id);
  expect(await store.assets.missing([first, second])).toEqual(new Set([second])); // only that session had put it
  expect(await store.gc()).toMatchObject({ removed: 0, left: 2 });
  clock += 2 * hour;
  for (const file of filesIn(home)) utimesSync(file, new Date(clock - 2 * hour), new Date(clock - 2 * hour));
  await store.assets.put(png(3), type); // a new lease for an old file
  expect(await store.gc()).toMatchObject({ removed: 0, left: 2 });
  expect(readdirSync(join(home, 'assets'))).toContain('ab-notes.txt');
  clock += 2 * hour;
  expect(await store.gc()).toMatchObject({ removed: 1, left: 1 });
});

test('a clock that jumps back makes nothing look old', async () => {
  const home = newHome();
  let clock = Date.now() + 1000 * hour;
  await using store = openSessions({ home, leaseMs: hour, now: () => clock });
  const session = await store.create({ title: 't' });
  await say(session, png(1));
  await store.assets.put(png(2), type);
  clock -= 2000 * hour;
  const id = await say(session, png(3));
  expect(await store.gc()).toMatchObject({ removed: 0 });
  expect((await session.messages()).at(-1)).toMatchObject({ content: [{}, { asset: { id } }] }); // order needs no clock
  clock += 5000 * hour;
  expect(await store.gc()).toMatchObject({ removed: 1, left: 2 });
});

test('over the quota renditions go first, then puts are refused; what messages name stays', async () => {
  const home = newHome();
  await using store = openSessions({ home, quotaBytes: 5 * 1100 + 500, leaseMs: 0, now: () => Date.now() + 10 });
  const session = await store.create({ title: 't' });
  const named = [await say(session, size(1)), await say(session, size(2)), await say(session, size(3))];
  const made = await session.assets.put(size(4), type); // put, named by no message: can be made again
  const more = [await say(session, size(5)), await say(session, size(6))];
  expect(await session.assets.missing([made.id])).toEqual(new Set([made.id]));
  await expect(session.assets.put(size(7), type)).rejects.toThrow('Remove sessions with "sightline sessions rm"');
  expect(await session.assets.missing([...named, ...more])).toEqual(new Set());
  await session.assets.put(size(2), type); // what is there needs no room
});

test('what is collected counts once, also when the quota is passed', async () => {
  const home = newHome();
  await using store = openSessions({ home, quotaBytes: 1500, leaseMs: 0, now: () => Date.now() + 10 });
  await store.assets.put(size(1), type);
  const next = await store.create({ title: 't' });
  await next.assets.put(size(2), type); // makes room by taking the first, which nobody names
  expect(filesIn(home)).toHaveLength(1);
  expect(await store.gc()).toMatchObject({ removed: 0, left: 1, leftBytes: size(2).length });
});

test('what was set aside as damaged goes after 30 days or above the quota, unless it is all there is of it', async () => {
  const home = newHome();
  let clock = Date.now();
  const options = { home, leaseMs: 0, now: () => clock };
  await using store = openSessions(options);
  const session = await store.create({ title: 't' });
  const other = await store.create({ title: 'other' });
  const [again, lost, unnamed] = [await say(session, size(1)), await say(session, size(2)), await say(other, size(3))];
  for (const file of filesIn(home)) writeFileSync(file, 'damaged');
  expect(await session.losses()).toHaveLength(2);
  expect(await other.losses()).toHaveLength(1);
  await rm(other, store);
  await session.assets.put(size(1), type); // whole again
  const aside = (): string[] => readdirSync(join(home, 'assets', 'damaged')).toSorted();
  const [hashes, kept] = [[again, lost, unnamed].map((id) => id.slice(7)).toSorted(), [lost.slice(7)]];
  expect(await store.gc()).toMatchObject({ damaged: { removed: 0, left: 3, leftBytes: 21 } });
  clock += 31 * 24 * hour;
  const told = { damaged: { removed: 2, bytes: 14, left: 1, leftBytes: 7 } };
  expect(await store.gc({ dryRun: true })).toMatchObject(told);
  expect(aside()).toEqual(hashes);
  expect(await store.gc()).toMatchObject(told);
  expect(aside()).toEqual(kept);
  await session.assets.put(size(2), type);
  clock = Date.now();
  await using small = openSessions({ ...options, quotaBytes: 100 });
  expect(await small.gc()).toMatchObject({ removed: 0, left: 2, damaged: { removed: 1, left: 0 } });
});

test('a dry run says what would go, with the media of old sessions, and removes nothing', async () => {
  const home = newHome();
  let clock = Date.now();
  await using store = openSessions({ home, leaseMs: 0, now: () => clock });
  const [old, young, open] = [await store.create({ title: 'old' }), await store.create(), await store.create()];
  for (const [session, seed] of [
    [old, 1],
    [old, 2],
    [young, 2],
    [open, 3],
  ] as const)
    await say(session, png(seed));
  await old.close();
  await young.close();
  clock += 40 * 24 * hour;
  const used = await store.open(young.id);
  await used.append({ type: 'message', message: user('still here') });
  const month = { unusedMs: 30 * 24 * hour };
  const told = { sessions: 1, removed: 1, left: 2 }; // one that somebody has open stays, however old it is
  expect(await store.gc({ ...month, dryRun: true })).toMatchObject(told);
  expect([(await store.list()).length, filesIn(home).length]).toEqual([3, 3]);
  expect(await store.gc(month)).toMatchObject(told);
  expect([(await store.list()).length, filesIn(home).length]).toEqual([2, 2]);
});

test('a session that somebody goes on with while old ones are collected stays', async () => {
  let clock = Date.now();
  const log = memoryLog({ now: () => clock });
  const parts = { assets: memoryAssets(), now: () => clock };
  await using other = sessionsOver({ log, ...parts });
  const [talk, empty] = [await other.create({ title: 'talk' }), await other.create()];
  for (const session of [talk, empty]) await session.close();
  clock += 48 * hour;
  const list: EntryLog['list'] = async (page) => {
    const found = await log.list(page);
    for (const { id } of found.sessions) {
      await using session = await other.open(id);
      await session.append({ type: 'message', message: user('still here') });
    }
    return found;
  };
  const collecting = sessionsOver({ log: { ...log, list }, ...parts });
  expect(await collecting.gc({ unusedMs: hour })).toMatchObject({ sessions: 0 });
  for (const { id } of [talk, empty]) expect(await (await other.read(id)).messages()).toEqual([user('still here')]);
});

test('a store is told by which name bytes go, so that it may look whether it has them', async () => {
  const kept = memoryAssets();
  const told: (string | undefined)[] = [];
  const put: typeof kept.put = async (source, about) => {
    told.push(about.id);
    return await kept.put(source, about);
  };
  await using store = sessionsOver({ log: memoryLog(), assets: { ...kept, put } });
  await using session = await store.create();
  const asset = await session.assets.put(png(1), type);
  await store.assets.put(png(1), type);
  expect(told).toEqual([asset.id, asset.id]);
  expect(asset).toEqual({ id: asset.id, size: png(1).length, ...type });
});

test('opening a session and reading its messages needs none of its media', async () => {
  const home = newHome();
  const first = openSessions({ home });
  const session = await first.create({ title: 't' });
  await say(session, size(1));
  await first.close();
  rmSync(join(home, 'assets'), { recursive: true });
  await using store = openSessions({ home });
  expect(await (await store.open(session.id)).messages({ last: 5 })).toMatchObject([
    { content: [{}, { type: 'image' }] },
  ]);
});

test('a missing and a damaged picture become words, with one line for the user', async () => {
  const home = newHome();
  await using store = openSessions({ home });
  const session = await store.create({ title: 't' });
  const ids: string[] = [];
  for (const seed of [1, 2, 3]) ids.push(await say(session, png(seed)));
  const pathOf = (at: number): string => filesIn(home).find((file) => file.endsWith((ids[at] ?? '').slice(7))) ?? '';
  rmSync(pathOf(0));
  const bytes = Buffer.from(png(2));
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  writeFileSync(pathOf(1), bytes);
  const reader = await store.read(session.id);
  const line = lossLine(await reader.losses()); // looking changes nothing
  expect(lossLine(await session.losses())).toBe(line);
  expect(line).toMatch(
    /^2 media of this session are damaged or missing \([0-9a-f]{8}, [0-9a-f]{8}\); models get words/,
  );
  const transcript = await session.transcript();
  const request = await prepare(transcript, { model: 'anthropic/claude-sonnet-4-5', assets: session.assets });
  const words = JSON.stringify(await request.json());
  expect(words.match(/not shown/g)).toHaveLength(2);
  expect(words.match(/"type":"base64"/g)).toHaveLength(1);
  await session.assets.put(png(2), type); // the same bytes again repair it
  expect(await session.losses()).toMatchObject([{ state: 'missing' }]);
});
