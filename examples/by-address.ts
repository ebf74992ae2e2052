// A picture that lies elsewhere: the provider opens its address, and nobody downloads it here.
import Anthropic from '@anthropic-ai/sdk';
import { image, prepare } from 'sightline';

const picture = image(new URL('https://upload.wikimedia.org/wikipedia/commons/b/b8/Owoce_Kiwi.jpg'));
const request = await prepare(
  { messages: [{ role: 'user', content: ['What is on this picture?', picture] }] },
  { model: 'anthropic/claude-sonnet-5' },
);
const answer = await new Anthropic().messages.create(await request.sdk());

console.log(request.receipts[0]?.carrier, answer.content);
