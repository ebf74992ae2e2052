// A run whose steps differ: the first has to read the file, and a smaller model says the rest.
import { readFileTool, runAgent } from 'sightline';

const { text, stop, error } = await runAgent({
  model: 'anthropic/claude-sonnet-5',
  tools: [readFileTool({ roots: ['examples'] })],
  prompt: 'What does report.pdf say about the third quarter?',
  beforeStep: ({ step, messages }) => {
    if (step === 1) return { toolChoice: { tool: 'read_file' } }; // in this step alone
    if (messages.length > 40) return { stop: true }; // the run then ends as "stopped"
    return { model: 'anthropic/claude-haiku-4-5' };
  },
});

console.log(error?.message ?? text);
console.log(stop);
