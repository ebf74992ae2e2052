// The OpenAI Agents SDK: the client that it uses gets the fetch.
import { readFile } from 'node:fs/promises';
import { Agent, run, setDefaultOpenAIClient, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { sightlineFetch } from 'sightline/fetch';

setTracingDisabled(true);
setDefaultOpenAIClient(new OpenAI({ fetch: sightlineFetch() })); // the line that differs

const openReport = tool({
  name: 'open_report',
  description: 'Opens the report of the quarter.',
  strict: false,
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
  // A picture as a field of a plain object: found all the same.
  execute: async () => ({ turnover: 42, chart: (await readFile('examples/chart.png')).toString('base64') }),
});

const agent = new Agent({ name: 'Analyst', instructions: 'Be brief.', model: 'gpt-5.2', tools: [openReport] });
const result = await run(agent, 'How did we do in Q3?');

console.log(result.finalOutput);
