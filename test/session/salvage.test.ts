// Databases damaged by a seed: repair always ends, saves nothing that was never stored, and saves what can be read.
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { closeSync, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { script, scriptedSend, scriptedServer } from '../../src/model/script/index.ts';
import { alteredLine, examineDatabase, openSessions, repairDatabase } from '../../src/session/index.ts';
import { effort } from '../effort.ts';
import { mainFile, run } from '../cli/run.ts';
import { hasTmux, openScreen } from '../tui/terminal.ts';
import { assistant, user } from './samples.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-salvage-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const whole = join(scratch, 'whole');
const count = 500;
let size = 0;
const stored = new Map<number, string>();

const say = (at: number): string => `number ${at} ${'x'.repeat((at * 37) % 900)}`;

beforeAll(async () => {
  await using store = openSessions({ home: whole });
  const session = await store.create({ title: 'Damaged', model: 'openai/gpt-5.2' });
  for (let at = 0; at < count; at += 50)
    await session.appendAll(
      Array.from({ length: 50 }, (_, next) => ({
        type: 'message',
        message: (at + next) % 2 === 0 ? user(say(at + next)) : assistant(say(at + next)),
      })),
    );
  for (const entry of await session.entries()) stored.set(entry.id, JSON.stringify(entry));
  await store.close();
  size = statSync(join(whole, 'sessions.db')).size;
});

function damaged(change: (handle: number, file: string) => void): string {
  const home = mkdtempSync(join(scratch, 'home-'));
  const file = join(home, 'sessions.db');
  cpSync(join(whole, 'sessions.db'), file);
  const handle = openSync(file, 'r+');
  change(handle, file);
  closeSync(handle);
  return home;
}

async function saved(home: string): Promise<number> {
  repairDatabase(home);
  expect(examineDatabase(home).filter(({ kind }) => kind !== 'altered')).toEqual([]); // what is altered is still told
  await using store = openSessions({ home });
  const found = (await store.list())[0]?.id;
  const entries = found === undefined ? [] : await (await store.read(found)).entries();
  return entries.filter((entry) => stored.get(entry.id) === JSON.stringify(entry)).length;
}

test.each([0.99, 0.75, 0.5])(
  'a file that was cut at %f of its length gives back what is before the cut',
  async (part) => {
    const home = damaged((_handle, file) => truncateSync(file, Math.floor(size * part)));
    const before = readFileSync(join(home, 'sessions.db'), 'latin1').match(/number \d+ /g) ?? [];
    expect(examineDatabase(home).length).toBeGreaterThan(0);
    expect(new Set(before).size).toBeGreaterThan(count * part * 0.4); // tables and the index of words come first
    expect(await saved(home)).toBeGreaterThanOrEqual(new Set(before).size * 0.95); // the cut goes through a page
  },
);

test('keys may lie far behind a damaged page', async () => {
  const home = damaged(() => undefined);
  const file = join(home, 'sessions.db');
  const database = new DatabaseSync(file);
  database.exec('UPDATE entry SET id = id + 1000000 WHERE id > 150');
  database.close();
  const at = readFileSync(file).indexOf('number 145 ');
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(12), 0, 12, at - (at % 4096));
  closeSync(handle);
  repairDatabase(home);
  await using store = openSessions({ home });
  const entries = await (await store.read(await store.resolve('last'))).entries();
  expect(entries.filter(({ id }) => id > 1_000_000).length).toBeGreaterThan(140);
});

const rounds = Math.min(200, 4 * effort.runs);

test(`${rounds} databases damaged by a seed are all repaired, and none takes more steps than its size`, async () => {
  let state = 20_261_115;
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  const pages = size / 4096;
  const least: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const kind = random(4);
    const home = damaged((handle, file) => {
      if (kind === 0) truncateSync(file, 4096 + random(size - 4096));
      const hits = kind === 0 ? 0 : kind === 1 ? 1 : 1 + random(6);
      for (let hit = 0; hit < hits; hit++) {
        const at = kind === 3 ? (1 + random(pages - 1)) * 4096 + random(12) : 4096 + random(size - 4100);
        const bytes = Buffer.from(Array.from({ length: kind === 2 ? 1 + random(600) : 1 }, () => random(256)));
        writeSync(handle, bytes, 0, bytes.length, at);
      }
    });
    const entries = await saved(home);
    if (kind === 1) least.push(entries);
    rmSync(home, { recursive: true });
  }
  const median = least.toSorted((one, other) => one - other)[Math.floor(least.length / 2)] ?? 0;
  expect(median).toBeGreaterThan(count * 0.95); // one byte rarely costs more than its page
});

async function alteredIn(home: string): Promise<string | undefined> {
  await using store = openSessions({ home, readOnly: true });
  return alteredLine(await (await store.read(await store.resolve('last'))).altered());
}

test('words that were altered inside a file that is otherwise in order are told, by doctor and when they are read', async () => {
  const home = damaged((handle, file) => {
    const at = readFileSync(file).indexOf('number 100 ');
    writeSync(handle, Buffer.from('wonder'), 0, 6, at);
  });
  expect(examineDatabase(home)).toEqual([
    { kind: 'altered', what: expect.stringMatching(/^entry \d+: its words are not those/) },
  ]);
  expect(examineDatabase(whole)).toEqual([]);
  expect(await alteredIn(home)).toMatch(/^The words of entry \d+ are not those that were stored; models get them/);
  expect(await alteredIn(whole)).toBeUndefined();
});

/** A home with one altered word, in order otherwise. */
function alteredHome(): string {
  return damaged((handle, file) => {
    writeSync(handle, Buffer.from('wonder'), 0, 6, readFileSync(file).indexOf('number 100 '));
  });
}

test('and when a session with such words is shown or asked to go on', async () => {
  await using server = await scriptedServer(script(() => ({ text: 'Yes.' })));
  const env = {
    SIGHTLINE_HOME: alteredHome(),
    NO_COLOR: '1',
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: `${server.url}/v1`,
  };
  const said = expect.stringContaining('are not those that were stored') as string;
  expect(await run(['sessions', 'show', 'last'], { env })).toMatchObject({ code: 0, stderr: said });
  const asked = await run(['ask', '-r', 'last', '--tools', 'none', 'Go on?'], { env });
  expect(asked).toMatchObject({ code: 0, stdout: 'Yes.\n', stderr: said });
  const events = await run(['ask', '-r', 'last', '--tools', 'none', '--json', 'And?'], { env });
  const lines = events.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string });
  expect(lines).toContainEqual({ type: 'history-altered', entries: [expect.any(Number)] });
});

test.runIf(hasTmux)('and when a chat goes on with it', async () => {
  const env = { SIGHTLINE_HOME: alteredHome(), OPENAI_API_KEY: 'key', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
  const words = [process.execPath, mainFile, 'chat', '-r', 'last', '--tools', 'none'];
  const screen = openScreen(words, { cwd: scratch, env, columns: 200 });
  try {
    await screen.until('are not those that were stored');
  } finally {
    screen.close();
  }
});

test('a run over such a session tells which entries they are, in its events and its result', async () => {
  await using store = openSessions({ home: alteredHome() });
  const session = await store.open(await store.resolve('last'));
  const send = scriptedSend(script(() => ({ text: 'Yes.' })));
  const going = runAgent({ model: 'openai/gpt-5.2', session, prompt: 'Go on?', send });
  const heard: unknown[] = [];
  for await (const event of going) if (event.type === 'history-altered') heard.push(event.entries);
  const { altered } = await going;
  expect(altered).toHaveLength(1);
  expect(heard).toEqual([altered]);
  const fresh = await store.create();
  expect((await runAgent({ model: 'openai/gpt-5.2', session: fresh, prompt: 'Hello?', send })).altered).toEqual([]);
});
