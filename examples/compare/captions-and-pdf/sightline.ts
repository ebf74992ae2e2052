import { document, image, runAgent } from 'sightline';

const { text } = await runAgent({
  model: 'openai/gpt-5.2',
  prompt: ['Sales:', image('examples/chart.png'), 'Report:', document('examples/report.pdf'), 'Do they agree?'],
});
console.log(text);
