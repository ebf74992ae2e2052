import assert from 'node:assert/strict';
import { defineTool, runAgent } from 'sightline';
import { script, scriptedSend } from 'sightline/script';

const today = defineTool({ name: 'today', description: 'Tells the day.', run: () => 'Monday' });

const send = scriptedSend(script([{ calls: [{ name: 'today' }] }, { text: 'It is Monday.' }]));
const { text } = await runAgent({ model: 'openai/gpt-5.2', tools: [today], send, prompt: 'Which day is it?' });

assert.equal(text, 'It is Monday.');
assert.match(JSON.stringify(send.requests[1]?.transcript.messages), /"Monday"/);
send.done();
console.log('passed');
