// Records under trouble: two writers, a database that another one holds, a disk that is full. No request waits for them or
// fails with them, and what is written can be read.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test, vi } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { answer } from '../../src/model/answer.ts';
import { systemClock } from '../../src/model/http/clock.ts';
import type { Clock } from '../../src/model/http/clock.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import { keptBody } from '../../src/record/body.ts';
import type { Recorder } from '../../src/record/record.ts';
import { replayChain } from '../../src/record/table.ts';
import type { RequestTable } from '../../src/record/table.ts';
import { memoryLog } from '../../src/session/log/memory.ts';
import { recordingOver } from '../../src/session/recording.ts';
import { memorySessions, openSessions } from '../../src/session/store.ts';
import type { SessionStore } from '../../src/session/store.ts';
import { all } from '../model/all.ts';
import { noSmallDisk, openSmallDisk } from '../small-disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-trouble-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Asks with so many words before, and says how it ended. */
async function ask(
  store: { recorder?: Recorder } | undefined,
  turns: number,
  clock?: Clock,
): Promise<string | undefined> {
  const messages = Array.from({ length: turns * 2 + 1 }, (_, at) => ({
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: at === 0 ? 'Hello' : `${'word '.repeat(200)} ${at}`,
  }));
  const recorder = store?.recorder;
  const send = scriptedSend(script([{ text: 'fine' }]));
  const common = { send, ...(recorder && { recorder }), ...(clock && { clock }) };
  const events = await all(answer({ messages }, { model: 'openai-chat/gpt-4.1', ...common }));
  return events.at(-1)?.type;
}

async function rowsIn(store: SessionStore): Promise<{ ids: string[]; ended: number; readable: number }> {
  const [first] = (await store.requests?.conversations()) ?? [];
  const rows = first ? ((await store.requests?.list(first.conversation)) ?? []) : [];
  const wholes = await Promise.all(rows.map(async ({ id }) => replayChain((await store.requests?.chain(id)) ?? [])));
  return {
    ids: rows.map(({ id }) => id),
    ended: rows.filter(({ ended }) => ended?.state === 'answered').length,
    readable: wholes.filter((whole) => typeof whole !== 'string').length,
  };
}

test('a clock that counts parts of a millisecond is recorded in whole ones', async () => {
  await using store = memorySessions();
  const now = Date.now();
  await ask(store, 0, { ...systemClock, now: () => now + 0.25 });
  await expect.poll(async () => (await store.requests?.conversations())?.[0]?.began).toBe(now);
});

test('a request knows the one before it, also where a model answers faster than a table takes a row', async () => {
  const now = Date.now;
  const { requests: table } = memoryLog({ now });
  if (!table) throw new Error('there is no table');
  const begin: RequestTable['begin'] = async (row) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    await table.begin(row);
  };
  const recording = recordingOver({ ...table, begin }, memoryAssets(), { now });
  for (let turn = 0; turn < 4; turn++) await ask(recording, turn);
  await recording?.close();
  const [first] = await table.conversations();
  const rows = await table.list(first?.conversation ?? '');
  expect(rows.map(({ ended }) => ended?.state)).toEqual(['answered', 'answered', 'answered', 'answered']);
  expect(rows.map(({ before }) => before)).toEqual([undefined, ...rows.slice(0, -1).map(({ id }) => id)]);
});

test('two writers of one conversation write rows that can all be read', async () => {
  const home = join(folder, 'two');
  await using one = openSessions({ home });
  await using other = openSessions({ home });
  for (let turn = 0; turn < 6; turn++) await Promise.all([ask(one, turn), ask(other, turn)]);
  await expect.poll(async () => (await rowsIn(one)).ended).toBe(12);
  const { ids, readable } = await rowsIn(other);
  expect(new Set(ids).size).toBe(12);
  expect(readable).toBe(12);
});

test('a database that another program holds keeps no request waiting, and is written once it is free', async () => {
  const home = join(folder, 'locked');
  await using store = openSessions({ home });
  const holder = new DatabaseSync(join(home, 'sessions.db'));
  holder.exec('BEGIN IMMEDIATE');
  expect(await ask(store, 0)).toBe('request-accepted');
  expect(await ask(store, 1)).toBe('request-accepted');
  expect((await rowsIn(store)).ids).toEqual([]);
  holder.exec('COMMIT');
  holder.close();
  await expect.poll(async () => (await rowsIn(store)).ended).toBe(2);
});

test('how a request ended while nothing could be stored is told when its sessions close', async () => {
  let clock = 1000;
  const now = (): number => clock;
  const { requests: table } = memoryLog({ now });
  if (!table) throw new Error('there is no table');
  const begin: RequestTable['begin'] = async (row) => {
    if (row.id === 'unlucky') throw new Error('The disk is full.');
    await table.begin(row);
  };
  const recording = recordingOver({ ...table, begin }, memoryAssets(), { now });
  if (!recording) throw new Error('there is no recording');
  const { recorder, close } = recording;
  const begun = (id: string): unknown =>
    recorder.begin(
      { version: 1, id, time: clock, purpose: 'answer', via: 'send', model: 'openai/gpt-5.2', wire: 'openai-responses', url: 'https://example.org', bytes: 2, receipts: [], repairs: [], conversation: 'talk' }, // prettier-ignore
      () => keptBody({ input: [] }),
    );
  await begun('lucky');
  await expect(begun('unlucky')).rejects.toThrow('full');
  await recorder.end('lucky', { state: 'answered', attempts: [] });
  clock += 120_000;
  await close();
  const rows = await table.list('talk');
  expect(rows.map(({ id, ended }) => [id, ended?.state])).toEqual([['lucky', 'answered']]);
});

test('on a full disk requests go on, one warning says that they are not recorded, and what was written stays', async (context) => {
  using disk = openSmallDisk(8);
  if (disk === undefined) return context.skip(noSmallDisk);
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    await using store = openSessions({ home: join(disk.folder, 'home') });
    expect(await ask(store, 0)).toBe('request-accepted');
    await expect.poll(async () => (await rowsIn(store)).ended).toBe(1);
    disk.fill();
    for (let turn = 1; turn < 40; turn++) expect(await ask(store, turn)).toBe('request-accepted');
    await expect.poll(() => warned.mock.calls.length).toBe(1);
    expect(String(warned.mock.calls[0]?.[0])).toMatch(
      /^The recorder of requests failed and hears nothing more: .*full/,
    );
    expect((await rowsIn(store)).readable).toBeGreaterThan(0);
  } finally {
    warned.mockRestore();
  }
});
