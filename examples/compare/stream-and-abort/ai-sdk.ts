import { openai } from '@ai-sdk/openai';
import { streamText } from 'ai';

const stopped = new AbortController();
const run = streamText({
  model: openai('gpt-5.2'),
  prompt: 'Count to a thousand.',
  abortSignal: stopped.signal,
  onAbort: () => console.log('aborted', stopped.signal.reason),
});
let words = '';
for await (const part of run.stream) {
  if (part.type === 'text-delta') words += part.text;
  if (words.includes('three')) stopped.abort('That is enough.');
}
