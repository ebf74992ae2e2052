import { readFile } from 'node:fs/promises';
import { openai } from '@ai-sdk/openai';
import { generateText, Output } from 'ai';
import { z } from 'zod';

const report = await readFile('examples/report.pdf');
const { output } = await generateText({
  model: openai('gpt-5.2'),
  output: Output.object({ schema: z.object({ quarter: z.string(), rising: z.boolean() }) }),
  messages: [
    {
      role: 'user',
      content: [
        { type: 'file', mediaType: 'application/pdf', data: report },
        { type: 'text', text: 'How did it go?' },
      ],
    },
  ],
});
console.log(output.quarter, output.rising);
