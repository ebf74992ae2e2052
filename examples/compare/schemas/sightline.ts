import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { defineTool, runAgent } from 'sightline';
import * as v from 'valibot';
import { z } from 'zod';

const tools = [
  defineTool({
    name: 'city',
    description: 'Finds a city.',
    input: z.object({ city: z.string() }),
    run: ({ city }) => city.toUpperCase(),
  }),
  defineTool({
    name: 'days',
    description: 'Counts days.',
    input: toStandardJsonSchema(v.object({ days: v.number() })),
    run: ({ days }) => days.toFixed(1),
  }),
  defineTool({
    name: 'name',
    description: 'Greets somebody.',
    input: type({ name: 'string' }),
    run: ({ name }) => `Hello ${name.trim()}`,
  }),
] as const;

const { messages, text } = await runAgent({ model: 'openai/gpt-5.2', tools, prompt: 'Try them all.' });
for (const { role, content } of messages)
  if (role === 'tool') console.log(content.map((block) => 'text' in block && block.text).join());
console.log(text);
