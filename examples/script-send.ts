// The scripted model without a server: it takes what `prepare` made and gives the events of its answer.
import { runAgent } from 'sightline';
import { script, scriptedSend } from 'sightline/script';

const send = scriptedSend(script([{ thinking: 'A greeting.', text: 'Hello.' }]));
const { text } = await runAgent({ model: 'ollama/qwen3-vl', prompt: 'Hi.', send });

console.log(text);
console.log(send.requests[0]?.transcript.messages);
send.done(); // throws if the model was asked less often than the script expects, or more
