// A question about a PDF of your own, from asking to the answer: the model reads the file with a tool.
import { readFileTool, runAgent } from 'sightline';

const { text, stop, cost } = await runAgent({
  model: 'anthropic/claude-sonnet-5', // the key comes from ANTHROPIC_API_KEY
  tools: [readFileTool({ roots: ['examples'] })],
  prompt: 'What does report.pdf say about the third quarter?',
}).result();

console.log(text);
console.log(`${stop}, $${cost?.toFixed(4)}`);
