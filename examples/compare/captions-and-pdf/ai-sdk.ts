import { readFile } from 'node:fs/promises';
import { openai } from '@ai-sdk/openai';
import { generateText } from 'ai';

const { text } = await generateText({
  model: openai('gpt-5.2'),
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Sales:' },
        { type: 'file', mediaType: 'image/png', data: await readFile('examples/chart.png') },
        { type: 'text', text: 'Report:' },
        { type: 'file', mediaType: 'application/pdf', data: await readFile('examples/report.pdf') },
        { type: 'text', text: 'Do they agree?' },
      ],
    },
  ],
});
console.log(text);
