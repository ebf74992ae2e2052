import { openai } from '@ai-sdk/openai';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { generateText, stepCountIs, tool } from 'ai';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';

const tools = {
  city: tool({
    description: 'Finds a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => city.toUpperCase(),
  }),
  days: tool({
    description: 'Counts days.',
    inputSchema: toStandardJsonSchema(v.object({ days: v.number() })),
    execute: ({ days }) => days.toFixed(1),
  }),
  name: tool({
    description: 'Greets somebody.',
    inputSchema: type({ name: 'string' }),
    execute: ({ name }) => `Hello ${name.trim()}`,
  }),
};

const { steps, text } = await generateText({
  model: openai('gpt-5.2'),
  tools,
  stopWhen: stepCountIs(50),
  prompt: 'Try them all.',
});
for (const { toolResults } of steps) for (const { output } of toolResults) console.log(output);
console.log(text);
