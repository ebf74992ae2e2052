// The list of a home with many sessions: a page of it takes as much work as in a home with few.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { openSessions } from '../../src/session/index.ts';
import type { SessionInfo, SessionStore } from '../../src/session/index.ts';
import { schemaSteps } from '../../src/session/log/migrations.ts';
import { cpuMs } from '../cpu.ts';
import { effort } from '../effort.ts';
import { user } from './samples.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-list-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** A home as the version before this one left it. */
function homeWith(count: number): string {
  const home = mkdtempSync(join(scratch, 'home-'));
  const database = new DatabaseSync(join(home, 'sessions.db'));
  for (const step of schemaSteps.slice(0, 2)) database.exec(step);
  database.exec('PRAGMA user_version = 2; BEGIN');
  const insert = database.prepare('INSERT INTO session (id, created, updated, messages) VALUES (?, 0, ?, 1)');
  // Some in the same minute, some in the same millisecond, in no order.
  for (let at = 0; at < count; at++)
    insert.run(at.toString(36).padStart(12, '0'), 1e12 + ((at * 7919) % count) * 20_000 - ((at * 7919) % 3) * 10_000);
  database.exec('COMMIT');
  database.close();
  return home;
}

async function pages(store: SessionStore, limit: number, most = Infinity): Promise<SessionInfo[]> {
  const found: SessionInfo[] = [];
  for (let before: SessionInfo | undefined; found.length < most;) {
    const page = await store.list({ limit, ...(before && { before }) });
    found.push(...page);
    before = page.at(-1);
    if (page.length < limit) break;
  }
  return found;
}

/** Processor time of a hundred pages. */
async function work(count: number): Promise<number> {
  await using store = openSessions({ home: homeWith(count) });
  await pages(store, 50, 100);
  return await cpuMs(async () => {
    for (let at = 0; at < 50; at++) await pages(store, 50, 100);
  });
}

test('the newest first, each once, whatever the page, and after an append with another time', async () => {
  await using store = openSessions({ home: homeWith(300) });
  const all = await store.list();
  expect(all).toHaveLength(300);
  expect(all.map(({ updated }) => updated)).toEqual(all.map(({ updated }) => updated).toSorted((a, b) => b - a));
  for (const limit of [1, 7, 50, 300]) expect(await pages(store, limit)).toEqual(all);
  const [first, second] = [all.at(0)?.id ?? '', all.at(-1)?.id ?? ''];
  await (await store.open(second)).append({ type: 'message', message: user('now') }, 2e12);
  await (await store.open(first)).append({ type: 'message', message: user('long ago') }, 1000);
  const after = await pages(store, 7);
  expect([after.at(0)?.id, after.at(-1)?.id]).toEqual([second, first]);
  expect(after).toHaveLength(300);
});

test('a page of many takes no more work than a page of few', async () => {
  const [few, many] = [await work(200), await work(60_000)];
  expect(many).toBeLessThan(few * 5); // looking through all of them takes 20 times as much
});

test('idle sessions beyond one page are collected', async () => {
  const sessions = effort.isLong ? 2500 : 1100; // a page has 1000
  await using store = openSessions({ home: homeWith(sessions), now: () => 2e12 });
  expect(await store.gc({ unusedMs: 1, dryRun: true })).toMatchObject({ sessions });
  expect(await store.list()).toHaveLength(sessions);
});
