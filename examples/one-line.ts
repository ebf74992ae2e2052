// One line under the SDK you have: a picture that a tool gave as base64 in its JSON reaches the model as a picture.
import { readFile } from 'node:fs/promises';
import OpenAI from 'openai';
import { sightlineFetch } from 'sightline/fetch';

const client = new OpenAI({ fetch: sightlineFetch() }); // this one

const chart = (await readFile('examples/chart.png')).toString('base64');
const answer = await client.chat.completions.create({
  model: 'gpt-4.1',
  messages: [
    { role: 'user', content: 'How did we do?' },
    { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'chart', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'a', content: JSON.stringify({ quarter: 'Q3', chart }) },
  ],
});

console.log(answer.choices[0]?.message.content);
