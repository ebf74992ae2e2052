// A conversation that outgrows its window: what stands for a result that was left out whole names its assets.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { shortId } from '../../src/content/words.ts';
import type { MessageInput } from '../../src/message/message.ts';
import { prepare } from '../../src/model/prepare.ts';

const chart = readFileSync('examples/chart.png');

test.each(['anthropic/claude-sonnet-4-5', 'openai-chat/gpt-4.1', 'gemini/gemini-2.5-pro'])('%s', async (model) => {
  const assets = memoryAssets();
  const { id } = await assets.put(chart, { mediaType: 'image/png' });
  const messages: MessageInput[] = [{ role: 'user', content: 'Look at all.' }];
  for (let at = 0; at < 12; at++) {
    const text = `${at} `.repeat(3000);
    messages.push(
      { role: 'assistant', content: [{ type: 'call', id: `c${at}`, name: 'look', input: {} }] },
      {
        role: 'tool',
        callId: `c${at}`,
        name: 'look',
        content: [
          { type: 'text', text },
          { type: 'image', data: chart },
        ],
      },
    );
  }
  const request = await prepare({ messages }, { model, assets, budget: { tokens: 16_000 } });
  const body = JSON.stringify(await request.json());
  const note = /\[(?:This result was|Earlier messages were) left out to fit the window; asset (\w{8})\.\]/;
  expect(note.exec(body)?.[1]).toBe(shortId(id));
});
