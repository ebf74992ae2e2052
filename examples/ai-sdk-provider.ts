// Sightline as a provider of the AI SDK: its loop and its streams, over every model that Sightline knows, with the window,
// the prompt cache and the healing of Sightline underneath.
import { readFile } from 'node:fs/promises';
import { jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { createSightline } from 'sightline/ai-sdk';

const sightline = createSightline();

const openReport = tool({
  description: 'Opens the report of a quarter.',
  inputSchema: jsonSchema<{ quarter: string }>({ type: 'object', properties: { quarter: { type: 'string' } } }),
  execute: async ({ quarter }) => ({ quarter, report: (await readFile('examples/report.pdf')).toString('base64') }),
});

const { textStream } = streamText({
  model: sightline('anthropic/claude-sonnet-5'),
  tools: { openReport },
  stopWhen: stepCountIs(5),
  prompt: 'How did we do in Q3?',
});

for await (const piece of textStream) process.stdout.write(piece);
