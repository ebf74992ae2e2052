// What `rm` promises: the bytes of what was said are not in the files any more, but for what a fork shares.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import { openJsonLines, openSessions } from '../../src/session/index.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { user } from './samples.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-removed-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function onDisk(home: string, words: string): boolean {
  const files = readdirSync(home, { recursive: true }).map((name) => join(home, String(name)));
  return files.some((file) => statSync(file).isFile() && readFileSync(file).includes(words));
}

test('words of a removed session are overwritten, those that a fork shares stay', async () => {
  const home = join(scratch, 'fork');
  const store = openSessions({ home });
  const trunk = await store.create();
  await trunk.append({ type: 'message', message: user('shared walrus') });
  const fork = await store.fork(trunk.id);
  await trunk.append({ type: 'message', message: user(`lonely penguin ${'x'.repeat(20_000)}`) });
  await Promise.all([trunk.close(), fork.close()]);
  expect([onDisk(home, 'shared walrus'), onDisk(home, 'lonely penguin')]).toEqual([true, true]);
  await store.remove(trunk.id);
  await store.close();
  expect([onDisk(home, 'shared walrus'), onDisk(home, 'lonely penguin')]).toEqual([true, false]);
});

test.each([
  ['SQLite', openSessions],
  ['lines', openJsonLines],
] as const)(
  'in %s, long results and details of a tool go at once with the only session that has them',
  async (name, open) => {
    const home = join(scratch, name);
    const long = `${'x'.repeat(100_000)} lonely walrus`;
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      run: () => ({
        content: [{ type: 'text', text: long }],
        details: { found: `${'y'.repeat(100_000)} lonely penguin` },
      }),
    });
    await using store = open({ home });
    const [kept, session] = [await store.create({ title: 'kept' }), await store.create({ title: 'removed' })];
    for (const each of [kept, session]) {
      const send = scriptedSend(script([{ calls: [{ name: 'look', input: {} }] }, { text: 'Seen.' }]));
      await runAgent({ model: 'openai-chat/gpt-4.1', session: each, tools: [look], prompt: 'Look.', send });
      await each.close();
    }
    const words = ['lonely walrus', 'lonely penguin'];
    await store.remove(session.id);
    expect(words.map((each) => onDisk(home, each))).toEqual([true, true]);
    await store.remove(kept.id);
    expect(words.map((each) => onDisk(home, each))).toEqual([false, false]);
  },
);
