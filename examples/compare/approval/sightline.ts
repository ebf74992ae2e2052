import { defineTool, runAgent } from 'sightline';
import { z } from 'zod';

const remove = defineTool({
  name: 'remove',
  description: 'Removes rows.',
  input: z.object({ rows: z.array(z.number()) }),
  run: ({ rows }) => `${rows.length} rows are gone.`,
});

const { text } = await runAgent({
  model: 'openai/gpt-5.2',
  tools: [remove],
  prompt: 'Tidy up.',
  approve: ({ input }) => input.rows.length < 3 || 'three rows are too many',
});
console.log(text);
