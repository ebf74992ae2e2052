// LangChain on Chat Completions, where blocks of its own otherwise reach an API that knows none of them.
import { readFile } from 'node:fs/promises';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { BaseMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { sightlineFetch } from 'sightline/fetch';

const model = new ChatOpenAI({
  model: 'gpt-4.1',
  configuration: { fetch: sightlineFetch() }, // the line that differs
}).bindTools([
  {
    type: 'function',
    function: { name: 'open_report', description: 'Opens the report.', parameters: { type: 'object', properties: {} } },
  },
]);

const chart = {
  type: 'image' as const,
  mimeType: 'image/png',
  data: (await readFile('examples/chart.png')).toString('base64'),
};
const messages: BaseMessage[] = [new HumanMessage('How did we do in Q3?')];
for (;;) {
  const answer = await model.invoke(messages);
  messages.push(answer);
  if (!answer.tool_calls?.length) break;
  for (const call of answer.tool_calls) {
    const content = [{ type: 'text' as const, text: 'The chart:' }, chart];
    messages.push(new ToolMessage({ content, tool_call_id: call.id ?? '', name: call.name }));
  }
}

console.log(messages.at(-1)?.text);
