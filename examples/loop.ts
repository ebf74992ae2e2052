// A loop of your own: prepare, send, keep the answer, run what it calls. The ledger makes each request extend the last.
import { collect, document, invokeTools, prepare, readFileTool, send } from 'sightline';
import type { Ledger, MessageInput } from 'sightline';

const tools = [readFileTool({ roots: ['examples'] })];
const messages: MessageInput[] = [
  { role: 'user', content: [document('examples/report.pdf'), 'Is chart.png the chart of this report?'] },
];
let ledger: Ledger | undefined;

for (let calls = true; calls;) {
  const request = await prepare({ tools, messages }, { model: 'openai-chat/gpt-4.1', ledger });
  const message = await collect(send(request));
  if (message.error) throw new Error(message.error.message);
  ledger = request.ledger;
  messages.push(message, ...(await invokeTools(message, { tools })));
  calls = message.content.some((block) => block.type === 'call');
}

console.log(messages.at(-1)?.content);
