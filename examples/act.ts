// `act` runs the same loop under the option names of Scrapybara's SDK, and gives the answer in a form of your own.
import { readFileTool } from 'sightline';
import { act } from 'sightline/act';
import { z } from 'zod';

const { output, steps, error } = await act({
  model: 'gemini/gemini-3-pro-preview',
  tools: [readFileTool({ roots: ['examples'] })],
  prompt: 'Read report.pdf. How did the quarter go?',
  schema: z.object({ quarter: z.string(), rising: z.boolean() }),
  onStep: (step) => console.log(step.toolCalls.map((call) => call.name)),
});

if (error) console.error(error.message);
else console.log(output?.quarter, output?.rising, steps.length);
