// The scripted model without a server: it takes what `prepare` made and gives the events of its answer.
import { runAgent } from 'sightline';
import { script, scriptedSend } from 'sightline/script';

const send = scriptedSend(script([{ thinking: 'A greeting.', text: 'Hello.' }]));
const { text } = await runAgent({ model: 'ollama/qwen3-vl', prompt: 'Hi.', send });

console.log(text);
