import { image, runAgent } from 'sightline';

const first = await runAgent({
  model: 'openai/gpt-5.2',
  prompt: ['What is this?', image('examples/chart.png')],
});
const { text } = await runAgent({ model: 'openai-chat/gpt-4.1', messages: first.messages, prompt: 'And in German?' });
console.log(first.text, text);
