// The AI SDK with any of its models, each of which would destroy the picture of a tool in its own way: Chat Completions and
// Mistral as base64 in a text, Gemini 2.5 apart from its result. The middleware puts it where the model sees it.
import { readFile } from 'node:fs/promises';
import { createGoogle } from '@ai-sdk/google';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, stepCountIs, tool, wrapLanguageModel } from 'ai';
import { sightlineMiddleware } from 'sightline/ai-sdk';

const middleware = sightlineMiddleware({
  onReceipts: ([receipt], { model }) => console.log(`${model}: ${receipt?.action}, ${receipt?.why}`),
});

const { OPENAI_BASE_URL, GOOGLE_BASE_URL, MISTRAL_BASE_URL } = process.env;
const models = [
  createOpenAI({ ...(OPENAI_BASE_URL && { baseURL: OPENAI_BASE_URL }) }).chat('gpt-4.1'),
  createGoogle({ ...(GOOGLE_BASE_URL && { baseURL: GOOGLE_BASE_URL }) })('gemini-2.5-pro'),
  createMistral({ ...(MISTRAL_BASE_URL && { baseURL: MISTRAL_BASE_URL }) })('pixtral-large-latest'),
];

const openChart = tool({
  description: 'Opens the chart of a quarter.',
  inputSchema: jsonSchema<{ quarter: string }>({ type: 'object', properties: { quarter: { type: 'string' } } }),
  execute: async ({ quarter }) => ({ quarter, chart: (await readFile('examples/chart.png')).toString('base64') }),
});

for (const model of models) {
  const { text } = await generateText({
    model: wrapLanguageModel({ model, middleware }),
    tools: { openChart },
    stopWhen: stepCountIs(5),
    prompt: 'How did we do in Q3?',
  });
  console.log(text);
}
