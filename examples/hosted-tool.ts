// A tool that Anthropic and OpenAI have themselves, here one that uses a computer. Other models get a function.
import { readFile } from 'node:fs/promises';
import { defineTool, runAgent } from 'sightline';

const computer = defineTool({
  name: 'computer', // as Anthropic and OpenAI call it
  description: 'Does these actions on a computer, then shows its screen.',
  input: { type: 'object', properties: { actions: { type: 'array', items: { type: 'object' } } } },
  hosted: {
    'anthropic-messages': {
      type: 'computer_20251124',
      name: 'computer',
      display_width_px: 640,
      display_height_px: 400,
    },
    'openai-responses': { type: 'computer' },
  },
  run: async (input) => {
    console.log(JSON.stringify(input)); // do it on your machine, then make a screenshot
    return readFile(new URL('chart.png', import.meta.url));
  },
});

const { text, error } = await runAgent({
  model: 'openai/gpt-5.4', // with Anthropic's: headers: { 'anthropic-beta': 'computer-use-2025-11-24' }
  tools: [computer],
  prompt: 'What is on the screen?',
  approve: ({ doubts = [] }) => doubts.length === 0 || `nobody is here to look at this: ${doubts.join(' ')}`,
});
console.log(error?.message ?? text);
