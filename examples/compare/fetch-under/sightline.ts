import { readFile } from 'node:fs/promises';
import { createOpenAI } from '@ai-sdk/openai';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool as langTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, stepCountIs, tool } from 'ai';
import { sightlineFetch } from 'sightline/fetch';
import { z } from 'zod';

const fetch = sightlineFetch();
const description = 'Draws sales.';
const draw = async (): Promise<string> => JSON.stringify({ chart: await readFile('examples/chart.png', 'base64') });

const chart = tool({ description, inputSchema: z.object({}), execute: draw });
const model = createOpenAI({ fetch }).chat('gpt-4.1');
const { text } = await generateText({ model, tools: { chart }, stopWhen: stepCountIs(5), prompt: 'How were sales?' });
console.log(text);

const langChart = langTool(draw, { name: 'chart', description, schema: z.object({}) });
const chain = new ChatOpenAI({ model: 'gpt-4.1', configuration: { fetch } }).bindTools([langChart]);
const question = new HumanMessage('How were sales?');
const called = await chain.invoke([question]);
const results = (called.tool_calls ?? []).map(
  async ({ id = '' }) => new ToolMessage({ content: await draw(), tool_call_id: id }),
);
console.log((await chain.invoke([question, called, ...(await Promise.all(results))])).text);
