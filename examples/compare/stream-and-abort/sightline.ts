import { runAgent } from 'sightline';

const run = runAgent({ model: 'openai/gpt-5.2', prompt: 'Count to a thousand.' });
let words = '';
for await (const event of run) {
  if (event.type === 'block-delta' && event.kind === 'text') words += event.text;
  if (words.includes('three')) run.stop('That is enough.');
}
const { stop, reason } = await run;
console.log(stop, reason);
