import { openai } from '@ai-sdk/openai';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';

const remove = tool({
  description: 'Removes rows.',
  inputSchema: z.object({ rows: z.array(z.number()) }),
  execute: ({ rows }) => `${rows.length} rows are gone.`,
});

const { text } = await generateText({
  model: openai('gpt-5.2'),
  tools: { remove },
  stopWhen: stepCountIs(50),
  prompt: 'Tidy up.',
  toolApproval: {
    remove: ({ rows }) => (rows.length < 3 ? 'approved' : { type: 'denied', reason: 'three rows are too many' }),
  },
});
console.log(text);
