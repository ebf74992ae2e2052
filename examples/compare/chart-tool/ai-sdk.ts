import { readFile } from 'node:fs/promises';
import { openai } from '@ai-sdk/openai';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';

const chart = tool({
  description: 'Draws the sales of this year.',
  inputSchema: z.object({}),
  execute: () => readFile('examples/chart.png', 'base64'),
  toModelOutput: ({ output }) => ({
    type: 'content',
    value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: output } }],
  }),
});

const { text } = await generateText({
  model: openai('gpt-5.2'),
  tools: { chart },
  stopWhen: stepCountIs(50),
  prompt: 'How were sales?',
});
console.log(text);
