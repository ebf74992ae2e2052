import { agentTool, readFileTool, runAgent } from 'sightline';

const reader = agentTool({
  name: 'ask_reader',
  description: 'Reads files of this project and answers a question about them.',
  agent: { model: 'openai/gpt-5-mini', tools: [readFileTool({ roots: ['examples'] })], system: 'Be short.' },
});

const { text, usage } = await runAgent({
  model: 'openai/gpt-5.2',
  tools: [reader],
  prompt: 'What does chart.png show?',
});
console.log(text, usage.outputTokens > 0);
