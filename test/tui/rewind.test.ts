// Going back to an earlier question, and copying an answer: slash commands over real sessions.
import { expect, test } from 'vitest';
import { memorySessions } from '../../src/session/index.ts';
import type { OpenChat } from '../../src/tui/open-chat.ts';
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
    conversation: { note: (text: string) => void seen.notes.push(text) },
    options: { sessions: { fork: ({ id }: { id: string }, entry?: number) => store.fork(id, entry) } },
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

test('before the first question there is nothing to go back to, and nothing chosen changes nothing', async () => {
  const first = await opened(1);
  await run('/rewind', first.chat);
  expect(first.seen.notes).toEqual(['That was the first question: begin a new chat for another one.']);
  const none = await opened(5);
  await run('/rewind', none.chat);
  expect(none.seen).toMatchObject({ notes: [], back: [] });
});

test('the last answer is copied, or the last block of code in it', async () => {
  const { chat, seen } = await opened(0);
  await run('/copy', chat);
  await run('/copy code', chat);
  expect(seen.copied).toEqual(['Second.\n\n```js\nlet a = 1;\n```\n', 'let a = 1;\n']);
});
