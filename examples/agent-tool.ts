// An agent that works for another one: it reads long files on a small model, and only its answer comes back.
import { agentTool, readFileTool, runAgent } from 'sightline';

const reader = agentTool({
  name: 'ask_reader',
  description: 'Reads files of this project and answers a question about them.',
  agent: {
    model: 'anthropic/claude-haiku-4-5',
    tools: [readFileTool({ roots: ['examples'] })],
    system: 'Answer in one sentence.',
    maxSteps: 5,
  },
});

const { text, usage, cost, error } = await runAgent({
  model: 'anthropic/claude-sonnet-5',
  tools: [reader],
  prompt: 'What does report.pdf say about the third quarter?',
});
console.log(error?.message ?? text);
console.log(`${usage.outputTokens} tokens, $${cost?.toFixed(4)}, the reader's among them`);
