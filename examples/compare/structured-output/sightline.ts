import { document, runAgent } from 'sightline';
import { z } from 'zod';

const { output } = await runAgent({
  model: 'openai/gpt-5.2',
  output: z.object({ quarter: z.string(), rising: z.boolean() }),
  prompt: [document('examples/report.pdf'), 'How did it go?'],
});
console.log(output?.quarter, output?.rising);
