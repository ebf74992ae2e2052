import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { openai } from '@ai-sdk/openai';
import { generateText, stepCountIs, tool } from 'ai';
import type { ModelMessage } from 'ai';
import { z } from 'zod';

const bucket = new Map<string, string>();
const put = (data: string): string => {
  const id = `sha256:${createHash('sha256').update(data).digest('hex')}`;
  bucket.set(id, data);
  return id;
};
/** Every file of every result, replaced: by its name on the way to the database, by its bytes on the way back. */
function replaced(messages: ModelMessage[], swap: (data: string) => string): ModelMessage[] {
  return structuredClone(messages).map((message) => {
    if (message.role !== 'tool') return message;
    for (const part of message.content) {
      if (part.type !== 'tool-result' || part.output.type !== 'content') continue;
      for (const item of part.output.value)
        if (item.type === 'file' && item.data.type === 'data') item.data.data = swap(item.data.data as string);
    }
    return message;
  });
}

const chart = tool({
  description: 'Draws sales.',
  inputSchema: z.object({}),
  execute: () => readFile('examples/chart.png', 'base64'),
  toModelOutput: ({ output }) => ({
    type: 'content',
    value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: output } }],
  }),
});
const options = { model: openai('gpt-5.2'), tools: { chart }, stopWhen: stepCountIs(50) };
const messages: ModelMessage[] = [{ role: 'user', content: 'How were sales?' }];
const first = await generateText({ ...options, messages });
const row = JSON.stringify(replaced([...messages, ...first.responseMessages], put));
const kept = replaced(JSON.parse(row) as ModelMessage[], (id) => bucket.get(id) ?? '');
const { text } = await generateText({ ...options, messages: [...kept, { role: 'user', content: 'Sure?' }] });
console.log(text, row.length < 5000);
