// The AI SDK on Chat Completions, where pictures and PDFs from tools otherwise become base64 in a text. One line differs.
// In version 6 of the AI SDK a `file` of a result is called `image-data` or `file-data`; the line is the same.
import { readFile } from 'node:fs/promises';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { sightlineFetch } from 'sightline/fetch';

const openai = createOpenAI({
  fetch: sightlineFetch(), // this one
});

const openReport = tool({
  description: 'Opens the report of a quarter, with its chart.',
  inputSchema: jsonSchema<{ quarter: string }>({ type: 'object', properties: { quarter: { type: 'string' } } }),
  execute: async ({ quarter }) => ({
    quarter,
    chart: (await readFile('examples/chart.png')).toString('base64'),
    report: (await readFile('examples/report.pdf')).toString('base64'),
  }),
  toModelOutput: ({ output }) => ({
    type: 'content',
    value: [
      { type: 'text', text: `The report of ${output.quarter}, and its chart:` },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: output.chart } },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: output.report } },
    ],
  }),
});

const { text } = await generateText({
  model: openai.chat('gpt-4.1'),
  tools: { openReport },
  stopWhen: stepCountIs(5),
  prompt: 'How did we do in Q3?',
});

console.log(text);
