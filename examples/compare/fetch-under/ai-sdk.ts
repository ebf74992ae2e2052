import { readFile } from 'node:fs/promises';
import { openai } from '@ai-sdk/openai';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool as langTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, tool } from 'ai';
import type { ModelMessage, Tool } from 'ai';
import { z } from 'zod';

const description = 'Draws sales.';
const draw = (): Promise<string> => readFile('examples/chart.png', 'base64');

// Results of Chat Completions are text, so pictures have to follow them in a message of the user.
const chart = tool({ description, inputSchema: z.object({}) }) as Tool;
const messages: ModelMessage[] = [{ role: 'user', content: 'How were sales?' }];
const first = await generateText({ model: openai.chat('gpt-4.1'), tools: { chart }, messages });
messages.push(...first.responseMessages);
for (const { toolCallId, toolName } of first.toolCalls) {
  const output = { type: 'text' as const, value: 'See the picture below.' };
  messages.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] });
}
messages.push({ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: await draw() }] });
const { text } = await generateText({ model: openai.chat('gpt-4.1'), tools: { chart }, messages });
console.log(text);

const langChart = langTool(draw, { name: 'chart', description, schema: z.object({}) });
const chain = new ChatOpenAI({ model: 'gpt-4.1' }).bindTools([langChart]);
const question = new HumanMessage('How were sales?');
const called = await chain.invoke([question]);
const results = (called.tool_calls ?? []).map(
  ({ id = '' }) => new ToolMessage({ content: 'See the picture below.', tool_call_id: id }),
);
const url = `data:image/png;base64,${await draw()}`;
const picture = new HumanMessage({ content: [{ type: 'image_url', image_url: { url } }] });
console.log((await chain.invoke([question, called, ...results, picture])).text);
