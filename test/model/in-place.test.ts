// Programs change their messages in place. The next request says what they say now, whatever was worked out before; it is
// the request that somebody gets who has never seen this conversation.
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { MessageInput } from '../../src/message/message.ts';
import { prepare } from '../../src/model/prepare.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import { shots } from './shots.ts';

type Loose = { [key: string]: unknown; content: { [key: string]: unknown }[] };

const models = [
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-5.2',
  'openai-chat/gpt-4.1',
  'gemini/gemini-3.1-pro',
  'ollama/llama3.2', // sees nothing, so the author's words are sent
];

/** What programs do to messages that were sent already: a question, a call, its result with a picture, an answer. */
const edits: [what: string, edit: (messages: Loose[]) => void][] = [
  ['nothing', () => undefined],
  ['the words of a question', ([user]) => ((user as Loose).content[0] = { type: 'text', text: 'Another question' })],
  ['a text where it stands', ([user]) => (((user as Loose).content[0] as { text: string }).text = 'Edited')],
  ['the arguments of a call', ([, said]) => (((said as Loose).content[1] as { input: { x: number } }).input.x = 2)],
  [
    'the words for a picture',
    ([, , result]) => (((result as Loose).content[1] as { fallback: string }).fallback = 'New'),
  ],
  ['a result that failed after all', ([, , result]) => ((result as Loose)['isError'] = true)],
  ['a block that is gone', ([, , result]) => (result as Loose).content.pop()],
  ['a block that came', ([, , result]) => (result as Loose).content.push({ type: 'text', text: 'late' })],
  ['a message that is gone', (messages) => messages.splice(3, 1)],
  ['details alone', ([, , result]) => ((result as Loose)['details'] = { other: true })],
];

describe.each(models)('%s', (model) => {
  test.each(edits)('is told what a conversation says now: %s', async (_, edit) => {
    const assets = memoryAssets();
    const [picture] = (await shots(1, assets)).blocks;
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'What is on the page?' }] },
      {
        role: 'assistant',
        model,
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'call', id: 'c1', name: 'look', input: { x: 1 } },
        ],
      },
      {
        role: 'tool',
        callId: 'c1',
        name: 'look',
        content: [
          { type: 'text', text: 'The page:' },
          { ...picture, fallback: 'A chart with two bars' },
        ],
      },
      { role: 'assistant', model, content: [{ type: 'text', text: 'A chart.' }] },
      { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
    ] as unknown as MessageInput[];
    let ledger: Ledger | undefined;
    for (const more of ['One more.', 'And another.']) {
      ({ ledger } = await prepare({ messages }, { model, ledger, assets }));
      messages.push({ role: 'assistant', model, content: [{ type: 'text', text: 'Yes.' }] });
      messages.push({ role: 'user', content: [{ type: 'text', text: more }] });
    }
    edit(messages as unknown as Loose[]);
    const now = await prepare({ messages }, { model, ledger, assets });
    const stranger = JSON.parse(JSON.stringify({ messages, ledger })) as { messages: MessageInput[]; ledger: Ledger };
    const fresh = await prepare({ messages: stranger.messages }, { model, ledger: stranger.ledger, assets });
    expect(await now.json()).toEqual(await fresh.json());
    expect(now.receipts).toEqual(fresh.receipts);
    expect(now.ledger).toEqual(fresh.ledger);
  });
});
