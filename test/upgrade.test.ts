// A home as version 0.1 left it (made by its own code: two sessions with a picture and a ledger, one of them as JSON lines,
// settings, a tool) opens with this version, is whole, and goes on.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runAgent } from '../src/agent/run.ts';
import { script, scriptedSend } from '../src/model/script/index.ts';
import { openJsonLines, openSessions } from '../src/session/store.ts';
import { run } from './cli/run.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-upgrade-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function oldHome(name: string): string {
  const home = join(scratch, name);
  cpSync('test/fixtures/home-0.1', home, { recursive: true });
  return home;
}

test.each([
  ['a database', openSessions, '', 'The red square'],
  ['JSON lines', openJsonLines, 'lines', 'In lines'],
] as const)('a session in %s is read, goes on, and shows its picture again', async (_, open, folder, title) => {
  await using store = open({ home: join(oldHome(title), folder) });
  const sessions = await store.list();
  const session = await store.open(sessions.find((each) => each.title === title)?.id ?? '');
  const before = await session.messages();
  expect(before.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  expect(await session.losses()).toEqual([]);
  const [said] = before.at(-1)?.content ?? [];
  expect(said).toMatchObject({ type: 'text', text: 'It is red.' });
  const send = scriptedSend(script([{ text: 'As red as before.' }]));
  const { text } = await runAgent({ model: 'anthropic/claude-sonnet-4-5', session, prompt: 'Still?', send });
  expect(text).toBe('As red as before.');
  expect(JSON.stringify(send.requests.at(-1))).toContain('image/png');
  expect(await session.messages()).toHaveLength(6);
});

test('its settings, its tools and its words are found, and nothing is wrong', async () => {
  const env = { SIGHTLINE_HOME: oldHome('program') };
  const said = await Promise.all(
    [['config'], ['tools', 'list'], ['sessions', 'doctor'], ['sessions', 'search', 'heliotrope']].map(
      async (words) => await run(words, { env, cwd: scratch }),
    ),
  );
  expect(said.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const [settings = '', tools = '', health = '', found = ''] = said.map(({ stdout }) => stdout);
  expect(settings).toContain('models.mine.base_url = "http://127.0.0.1:8080/v1"');
  expect(tools).toMatch(/dice\s+home\s+ready/);
  expect(health).toContain('2 sessions, all in order.');
  expect(found).toContain('Only words');
});
