import { readFile } from 'node:fs/promises';
import { openai } from '@ai-sdk/openai';
import { generateText } from 'ai';
import type { ModelMessage } from 'ai';

const picture = { type: 'file' as const, mediaType: 'image/png', data: await readFile('examples/chart.png') };
const messages: ModelMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, picture] }];
const first = await generateText({ model: openai('gpt-5.2'), messages });
messages.push(...first.responseMessages, { role: 'user', content: 'And in German?' });
const { text } = await generateText({ model: openai.chat('gpt-4.1'), messages });
console.log(first.text, text);
