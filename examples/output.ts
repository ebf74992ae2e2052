// The answer in a form of your own: held to it by the API where there is a way, asked for in words elsewhere, checked always.
import { readFileTool, runAgent } from 'sightline';
import { z } from 'zod';

const result = await runAgent({
  model: 'anthropic/claude-sonnet-5',
  tools: [readFileTool({ roots: ['examples'] })],
  prompt: 'Read report.pdf. How did the quarter go?',
  output: z.object({ quarter: z.string(), rising: z.boolean() }),
});

if (result.stop === 'end') console.log(result.output.quarter, result.output.rising);
else console.error(result.stop, result.error?.message);
