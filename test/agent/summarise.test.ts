// The older part of a conversation, summed up by the model itself.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { summarise } from '../../src/agent/summarise.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { summaryRequest, summaryText } from '../../src/content/words.ts';
import type { Block, ImageBlock } from '../../src/content/block.ts';
import type { Message } from '../../src/message/message.ts';
import { read } from '../../src/media/index.ts';
import { intakeOf } from '../../src/model/intake.ts';
import { script, scriptedSend, scriptedServer } from '../../src/model/script/index.ts';
import type { Answer } from '../../src/model/script/index.ts';

const model = 'anthropic/claude-sonnet-4-5';
const usage = { inputTokens: 10, outputTokens: 2 };
const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }];
const seen: ImageBlock = {
  type: 'image',
  asset: { id: `sha256:${'a'.repeat(64)}`, mediaType: 'image/png', size: 3, name: 'door.png' },
  width: 10,
  height: 10,
};
const says = (role: 'user' | 'assistant', ...content: Block[]): Message =>
  role === 'user' ? { role, content } : { role, model, content };
const text = (value: string): Block => ({ type: 'text', text: value });

/** Four questions with their answers; all but the last two can be summed up. */
const messages: Message[] = [1, 2, 3, 4].flatMap((at) => [
  says('user', text(`ask ${at}`), ...(at === 1 ? [seen] : [])),
  says('assistant', text(`answer ${at}`)),
]);

async function summed(answer: Answer, ...[before, more]: [Parameters<typeof summarise>[1]?, object?]) {
  const send = scriptedSend(script([answer]));
  const options = { model, assets: memoryAssets(), send, ...more };
  const made = await summarise({ system: 'Be brief.', tools, messages }, before, options);
  return { made, asked: send.requests[0] };
}

test('the model is asked for all before the last two questions, and may call nothing', async () => {
  const output = { schema: { type: 'object' } };
  const { made, asked } = await summed({ text: ' They saw a door. \n', usage }, undefined, { output });
  expect(made).toEqual({ summary: { text: summaryText(4, 'They saw a door.', [seen]), covers: 4 }, usage });
  expect(asked?.transcript.system).toBe('Be brief.');
  expect(asked?.transcript.messages).toHaveLength(5);
  expect(JSON.stringify(asked?.transcript.messages.at(-1))).toContain(JSON.stringify(summaryRequest).slice(1, 60));
  expect(JSON.stringify(asked?.body)).toContain('"tool_choice":{"type":"none"}');
  expect(JSON.stringify(asked?.body)).not.toContain('output_config');
});

test('what was summed up before is not sent again, but its summary', async () => {
  const before = { text: 'They began.', covers: 1 };
  const { made, asked } = await summed({ text: 'They saw a door.' }, before);
  expect(made?.summary).toEqual({ text: summaryText(4, 'They saw a door.', [seen]), covers: 4 });
  expect(JSON.stringify(asked?.transcript.messages[0])).toContain('They began.');
  expect(JSON.stringify(asked?.transcript.messages)).not.toContain('ask 1');
});

test('there is none where nothing came, it failed, or there is too little', async () => {
  expect((await summed({ text: ' ', usage })).made).toEqual({ usage }); // it was paid for all the same
  expect((await summed({ error: { status: 401, message: 'no key' } })).made).toBeUndefined();
  expect((await summed({ text: 'Half of it and more.', cutAfter: 3 })).made).toBeUndefined();
  const few = await summed({ text: 'x' }, { text: 'All.', covers: 4 });
  expect(few).toEqual({ made: undefined, asked: undefined });
});

test('what is meant for answers does not cut it, and one that is cut or refused is none', async () => {
  const short = await summed({ text: 'They saw a door.' }, undefined, { maxTokens: 300, stop: ['door'], json: true });
  expect(short.made?.summary?.text).toContain('They saw a door.');
  expect(short.asked?.body).toMatchObject({ max_tokens: 4000 });
  expect(JSON.stringify(short.asked?.body)).not.toContain('stop_sequences');
  for (const stop of ['length', 'declined'] as const)
    expect((await summed({ text: 'They saw', stop, usage })).made).toEqual({ usage });
});

test('without a length of its own it may be as long as an answer, and it says what it is for', async () => {
  const { asked } = await summed({ text: 'They saw a door.' });
  expect(asked?.body).toMatchObject({ max_tokens: 16_000 });
});

test('what eyes took for it is told beside it, also when nothing came of it', async () => {
  await using server = await scriptedServer(script(() => ({ text: 'A door.', usage })));
  const eyes = { model: 'openai-chat/gpt-4.1', baseUrl: `${server.url}/v1`, apiKey: 'k' };
  const made = async (answer: Answer) => {
    const assets = memoryAssets();
    const shown = await read(readFileSync('examples/chart.png'), { assets, name: 'door.png' });
    const first = says('user', text('ask 1'), ...(shown.ok ? shown.value.blocks : []));
    const send = scriptedSend(script([answer]));
    const options = { model: 'ollama/llama3.1', assets, send, eyes, readPictures: false };
    return await summarise(
      { tools, messages: [first, ...messages.slice(1)] },
      undefined,
      options,
      intakeOf({ assets }),
    );
  };
  const told = {
    type: 'request-described',
    model: 'openai-chat/gpt-4.1',
    usage: expect.objectContaining(usage) as object,
  };
  expect((await made({ text: 'They saw a door.' }))?.aside).toMatchObject([told]);
  expect(await made({ error: { status: 401, message: 'no key' } })).toMatchObject({ aside: [told] });
});
