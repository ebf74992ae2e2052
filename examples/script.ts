// A model that says what you wrote: code that talks to a model runs without a key, and every way to fail can be tried.
import Anthropic from '@anthropic-ai/sdk';
import { prepare } from 'sightline';
import { script, scriptedServer } from 'sightline/script';
import { transcript } from './conversation.ts';

const model = script([
  { error: { status: 529, message: 'Overloaded', retryAfter: 10 } },
  ({ transcript: seen }) => {
    const blocks = seen.messages.flatMap(({ content }) => (Array.isArray(content) ? content : [content]));
    const media = blocks.filter((block) => block.type === 'image' || block.type === 'document');
    return { thinking: 'Let me count.', text: `I was shown ${media.length} media.` };
  },
]);

await using server = await scriptedServer(model);
const client = new Anthropic({ apiKey: 'none', baseURL: server.url }); // it tries again by itself
const request = await prepare(transcript, { model: 'anthropic/claude-sonnet-5' });
const answer = await client.messages.create(await request.sdk());

console.log(answer.content.at(-1));
console.log(`${server.requests.length} requests, the last one with ${server.requests.at(-1)?.bytes} bytes`);
