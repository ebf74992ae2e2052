import { readFile } from 'node:fs/promises';
import { openai } from '@ai-sdk/openai';
import { generateText, stepCountIs, tool, ToolLoopAgent } from 'ai';
import { z } from 'zod';

const readPicture = tool({
  description: 'Reads a picture.',
  inputSchema: z.object({ file_path: z.string() }),
  execute: ({ file_path }) => readFile(`examples/${file_path}`, 'base64'),
  toModelOutput: ({ output }) => ({
    type: 'content',
    value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: output } }],
  }),
});
const agent = new ToolLoopAgent({
  model: openai('gpt-5-mini'),
  tools: { read_file: readPicture },
  instructions: 'Be short.',
});

let outputTokens = 0;
const reader = tool({
  description: 'Reads files of this project and answers a question about them.',
  inputSchema: z.object({ task: z.string() }),
  execute: async ({ task }, { abortSignal }) => {
    const answer = await agent.generate({ prompt: task, ...(abortSignal && { abortSignal }) });
    outputTokens += answer.totalUsage.outputTokens ?? 0;
    return answer.text;
  },
});

const { text, totalUsage } = await generateText({
  model: openai('gpt-5.2'),
  tools: { ask_reader: reader },
  stopWhen: stepCountIs(50),
  prompt: 'What does chart.png show?',
});
console.log(text, outputTokens + (totalUsage.outputTokens ?? 0) > 0);
