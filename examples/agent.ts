// A question about a PDF of your own, from asking to the answer: the model reads the file with a tool.
import { readFileTool, runAgent } from 'sightline';

const { text, stop, cost, error } = await runAgent({
  model: 'anthropic/claude-sonnet-5', // the key comes from ANTHROPIC_API_KEY
  tools: [readFileTool({ roots: ['examples'] })],
  prompt: 'What does report.pdf say about the third quarter?',
});

if (error) {
  console.error(error.message); // a wrong key, no connection, … neither awaiting a run nor reading its events throws
  process.exit(1);
}
console.log(text);
console.log(`${stop}, $${cost?.toFixed(4)}`);
