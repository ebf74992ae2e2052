// Going back to an earlier question, and copying an answer: slash commands over real sessions.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { attach } from '../../src/agent/attach.ts';
import type { Block } from '../../src/content/block.ts';
import { memorySessions } from '../../src/session/index.ts';
import type { OpenChat } from '../../src/tui/open-chat.ts';
import { meterOf } from '../../src/tui/status.ts';
import { runSlashCommand } from '../../src/tui/slash-commands.ts';
import { commandOf } from '../../src/tui/commands.ts';

type Seen = { notes: string[]; back: string[]; copied: string[]; offered: string[] };

async function opened(picks: number): Promise<{ chat: OpenChat; seen: Seen }> {
  const store = memorySessions();
  const session = await store.create();
  for (const [asked, answered] of [
    ['one?', 'First.'],
    ['two?', 'Second.\n\n```js\nlet a = 1;\n```\n'],
  ] as const) {
    await session.append({ type: 'message', message: { role: 'user', content: [{ type: 'text', text: asked }] } });
    const content = [{ type: 'text' as const, text: answered }];
    await session.append({ type: 'message', message: { role: 'assistant', model: 'a/b', content } });
  }
  const seen: Seen = { notes: [], back: [], copied: [], offered: [] };
  const chat = {
    session,
    conversation: {
      note: (text: string) => void seen.notes.push(text),
      media: (block: Block) => void seen.notes.push(`shows ${block.type}`),
    },
    receipts: [],
    meter: meterOf('a/b'),
    options: {
      sessions: {
        fork: ({ id }: { id: string }, entry?: number) => store.fork(id, entry),
        create: () => store.create(),
      },
    },
    change: async (next: OpenChat['session']) => void Object.assign(chat, { session: next }),
    choose: async (_title: string, choices: readonly { value: string; label: string }[]) => {
      seen.offered.push(...choices.map(({ label }) => label));
      return choices[picks]?.value;
    },
    handBack: (words: string) => void seen.back.push(words),
    copy: async (text: string) => seen.copied.push(text) > 0,
  } as unknown as OpenChat;
  return { chat, seen };
}

async function run(words: string, chat: OpenChat): Promise<void> {
  const command = commandOf(words);
  if (command && !('unknown' in command)) await runSlashCommand(command, chat);
}

test('a question that is chosen comes back, in a copy that ends before it', async () => {
  const { chat, seen } = await opened(0);
  const before = chat.session.id;
  await run('/rewind', chat);
  expect(seen).toMatchObject({ offered: ['two?', 'one?'], back: ['two?'] });
  expect(chat.session.id).not.toBe(before);
  const messages = await chat.session.messages();
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
});

test('what was handed over with a question does not come back as words of it', async () => {
  const { chat, seen } = await opened(0);
  const handed = await attach(
    'what says\n@notes.txt?',
    [
      { source: new TextEncoder().encode('one\ntwo\n'), name: 'notes.txt' },
      { source: new TextEncoder().encode('three\n'), name: 'more.txt' },
    ],
    { assets: chat.session.assets },
  );
  if (!handed.ok) throw new Error(handed.refusal.what);
  await chat.session.append({ type: 'message', message: { role: 'user', content: handed.value } });
  await run('/rewind', chat);
  expect(seen).toMatchObject({ offered: ['what says\n@notes.txt?', 'two?', 'one?'], back: ['what says\n@notes.txt?'] });
});

test('before the first question a new conversation begins, and nothing chosen changes nothing', async () => {
  const first = await opened(1);
  const before = first.chat.session.id;
  await run('/rewind', first.chat);
  expect(first.seen).toMatchObject({
    back: ['one?'],
    notes: ['This is a new conversation; the one it came from stays as it is.'],
  });
  expect(first.chat.session.id).not.toBe(before);
  expect(await first.chat.session.messages()).toEqual([]);
  const none = await opened(5);
  await run('/rewind', none.chat);
  expect(none.seen).toMatchObject({ notes: [], back: [] });
});

test('a new conversation begins without leaving the chat', async () => {
  const { chat, seen } = await opened(0);
  const before = chat.session.id;
  await run('/new', chat);
  expect(chat.session.id).not.toBe(before);
  expect(await chat.session.messages()).toEqual([]);
  expect(seen.notes).toEqual(['This is a new conversation. /sessions goes back to the one before.']);
});

test('what was sent as it is, and what has not been sent, are told apart', async () => {
  const { chat, seen } = await opened(0);
  await run('/explain', chat);
  chat.meter.bytes = 300;
  await run('/explain', chat);
  expect(seen.notes).toEqual([
    'Nothing has been sent yet. Ask something first.',
    'The last request held words alone, and they were sent as they are.',
  ]);
});

test('pictures to see again are a list to choose from', async () => {
  const { chat, seen } = await opened(0);
  await run('/view', chat);
  await run('/view abc', chat);
  const picture = { source: readFileSync(new URL('../../examples/chart.png', import.meta.url)), name: 'chart.png' };
  const handed = await attach('what?', [picture], { assets: chat.session.assets });
  if (!handed.ok) throw new Error(handed.refusal.what);
  await chat.session.append({ type: 'message', message: { role: 'user', content: handed.value } });
  await run('/view', chat);
  expect(seen.offered).toEqual([expect.stringContaining('chart.png')]);
  expect(seen.notes).toEqual([
    'There is no picture or document in this conversation yet.',
    'No asset of this conversation begins with "abc". /view alone lists them.',
    'shows image',
  ]);
});

test('the last answer is copied, or the last block of code in it', async () => {
  const { chat, seen } = await opened(0);
  await run('/copy', chat);
  await run('/copy code', chat);
  expect(seen.copied).toEqual(['Second.\n\n```js\nlet a = 1;\n```\n', 'let a = 1;\n']);
});
