// The SDK of one vendor, the model of another: a gateway inside a program of your own.
import OpenAI from 'openai';
import { openGateway } from 'sightline/gateway';

await using gateway = await openGateway({ port: 0, routes: { house: ['anthropic/claude-sonnet-5'] } });

const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none' });
const answer = await openai.chat.completions.create({
  model: 'house',
  messages: [{ role: 'user', content: 'How did we do?' }],
});

console.log(answer.choices[0]?.message.content);
