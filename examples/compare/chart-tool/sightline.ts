import { readFile } from 'node:fs/promises';
import { defineTool, runAgent } from 'sightline';

const chart = defineTool({
  name: 'chart',
  description: 'Draws the sales of this year.',
  run: () => readFile('examples/chart.png'),
});

const { text } = await runAgent({ model: 'openai/gpt-5.2', tools: [chart], prompt: 'How were sales?' });
console.log(text);
